import { env, runInDurableObject } from 'cloudflare:test'
import type { WantedCell, WantedRows } from './nlq-rows'

/** A table as texts, a line of names first. */
export interface TextTable {
  name: string
  lines: string[][]
}

/** Records of comma-separated text. Quoted fields hold commas, line ends and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let line: string[] = []
  const fields = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy
  while (fields.lastIndex < text.length) {
    const [, quoted, plain = '', end] = fields.exec(text) ?? []
    line.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    lines.push(line)
    line = []
  }
  return lines
}

const isNumber = (text: string): boolean => /^-?\d+(\.\d+)?$/.test(text)

/** Load rule of golden sets: a column is numeric when all its values are plain numbers, else text; empty is null. */
function typedRows(lines: string[][]): WantedCell[][] {
  const width = lines[0]?.length ?? 0
  const numeric = Array.from({ length: width }, (_, i) =>
    lines.every((line) => (line[i] ?? '') === '' || isNumber(line[i] ?? '')),
  )
  return lines.map((line) =>
    line.map((text, i): WantedCell => (text === '' ? null : numeric[i] === true ? Number(text) : text)),
  )
}

/** Asks SQLite, which knows nothing of the product, what statements answer over tables; in an object of its own. */
export async function answersBySqlite(
  tables: readonly TextTable[],
  statements: readonly string[],
): Promise<WantedRows[]> {
  const stub = env.WAREHOUSE.get(env.WAREHOUSE.newUniqueId())
  return runInDurableObject(stub, (_object, { storage: { sql } }) => {
    for (const { name, lines } of tables) {
      const [header = [], ...rest] = lines
      sql.exec(`CREATE TABLE "${name}" (${header.map((each) => `"${each}"`).join(', ')})`)
      const insert = `INSERT INTO "${name}" VALUES (${header.map(() => '?').join(', ')})`
      for (const row of typedRows(rest)) sql.exec(insert, ...row)
    }
    return statements.map((statement) => {
      const cursor = sql.exec(statement)
      const rows = [...cursor.raw()].map((row) =>
        row.map((cell): WantedCell => (typeof cell === 'string' || typeof cell === 'number' ? cell : null)),
      )
      return { sql: statement, columns: cursor.columnNames, rows, ordered: /\border by\b/i.test(statement) }
    })
  })
}
