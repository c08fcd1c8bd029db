import type { CsvFile } from './nlq-loaded'

/**
 * A set's files as they are, read with nothing of the product: what statements are worked out from, and what findings are
 * held against. A record has the columns of its own file and, by `file.column`, those of the files that it points at.
 */
export type RawRecord = ReadonlyMap<string, string>
export type RawTables = ReadonlyMap<string, RawRecord[]>

/** File and column of a line, and the file and key that it points at. */
export type RawJoin = readonly [file: string, column: string, to: string, key: string]

/** Cells of comma-separated text; quotes as in RFC 4180. */
function cellsOf(text: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let quoted = false
  const put = (): void => {
    rows.at(-1)?.push(cell)
    cell = ''
  }
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at)
    if (quoted && char === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at += 1
    } else if (char === '"') quoted = !quoted
    else if (!quoted && char === ',') put()
    else if (!quoted && char === '\n') {
      put()
      rows.push([])
    } else if (char !== '\r' || quoted) cell += char
  }
  if (cell !== '' || (rows.at(-1)?.length ?? 0) > 0) put()
  return rows.filter((row) => row.length > 1 || row[0] !== undefined)
}

const nameOf = (fileName: string): string => fileName.replace(/\.[^.]*$/, '')

function recordsOf({ name, bytes }: CsvFile): RawRecord[] {
  const [header = [], ...rows] = cellsOf(new TextDecoder().decode(bytes).replace(/^\uFEFF/, ''))
  const own = nameOf(name)
  return rows.map(
    (row) =>
      new Map(
        header.flatMap((label, at) => {
          const value = row[at] ?? ''
          return [[label.trim(), value] as const, [`${own}.${label.trim()}`, value] as const]
        }),
      ),
  )
}

/** The records of each file, with those that they point at. */
export function rawTablesOf(files: readonly CsvFile[], joins: readonly RawJoin[]): RawTables {
  const tables = new Map(files.map((file) => [nameOf(file.name), recordsOf(file)]))
  const joined = new Map<string, RawRecord[]>()
  const withTargets = (file: string): RawRecord[] => {
    const known = joined.get(file)
    if (known) return known
    const own = joins.filter(([from]) => from === file)
    const targets = own.map(([, column, to, key]) => ({
      column,
      byKey: new Map(withTargets(to).map((record) => [record.get(key) ?? '', record])),
    }))
    const records = (tables.get(file) ?? []).map((record) => {
      const further = targets.flatMap(({ column, byKey }) => [...(byKey.get(record.get(column) ?? '') ?? [])])
      return new Map([...further.filter(([name]) => name.includes('.')), ...record])
    })
    joined.set(file, records)
    return records
  }
  for (const file of tables.keys()) withTargets(file)
  return joined
}

/** `2017-11-08` of `2017-11-08 00:00:00` and of `11/8/2017`; '' for anything else. */
export function dayOfText(text: string): string {
  const iso = /^(\d{4})-(\d\d)-(\d\d)/.exec(text)
  if (iso) return iso[0]
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})/.exec(text)
  if (!american) return ''
  const [, month = '', day = '', year = ''] = american
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

export const numberOf = (record: RawRecord, column: string): number => {
  const value = Number(record.get(column) ?? '')
  return Number.isFinite(value) ? value : 0
}
