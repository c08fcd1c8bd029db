import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'

const COLUMNS = 11

/** The yardstick of I1: `node:sqlite` reading the same file line by line and inserting it in one transaction. Seconds. */
export async function sqliteLoadSeconds(path: string): Promise<number> {
  const started = performance.now()
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE TABLE t (${Array.from({ length: COLUMNS }, (_, n) => `c${n}`).join(', ')})`)
  const insert = database.prepare(`INSERT INTO t VALUES (${Array.from({ length: COLUMNS }, () => '?').join(', ')})`)
  database.exec('BEGIN')
  let header = true
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    if (!header) {
      const cells = line.split(',')
      insert.run(...cells.map((cell, index) => (index >= 7 || index === 0 ? Number(cell) : cell)))
    }
    header = false
  }
  database.exec('COMMIT')
  database.close()
  return (performance.now() - started) / 1000
}
