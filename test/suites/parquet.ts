import { z } from 'zod'
import { parquetReader } from '../../src/formats/parquet/parquet-reader'
import { ProductError } from '../../src/shared/errors'
import { labelsOf, openFile, type CollectedTable } from './open-file'
import { fileSuite, type SuiteFile } from './suite'

const expectedSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      outcome: z.enum(['ok', 'ok_with_warning', 'error', 'error_or_warning', 'no_crash']),
      columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
      row_count: z.number().optional(),
      first_rows: z.array(z.array(z.unknown())).optional(),
      sums: z.record(z.string(), z.object({ sum: z.number().nullable(), non_null: z.number() })).optional(),
    }),
  ),
})
type Expected = z.infer<typeof expectedSchema>['files'][number]

const NESTED = /\[\]|^(MAP|STRUCT|LIST)|^UNION/
const TYPES: [RegExp, string[]][] = [
  [/^(U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?)$/, ['integer']],
  [/^(FLOAT|DOUBLE|DECIMAL)/, ['number', 'integer']],
  [/^BOOLEAN/, ['boolean']],
  [/^DATE/, ['date']],
  [/^TIMESTAMP/, ['datetime']],
]

/** A value as the expected results write it, and as a cell has it. */
function sameCell(want: unknown, got: string | null | undefined): boolean {
  if (want === null) return got === null || got === undefined
  if (got === null || got === undefined) return false
  if (typeof want === 'number') return near(want, Number(got))
  if (typeof want === 'boolean') return got === String(want)
  if (typeof want !== 'string') return false
  const digits = (text: string): string => text.replaceAll('\\x', '').toLowerCase()
  if (want.startsWith('\\x') && digits(want) === digits(got)) return true
  if (got === want || got.replace('T', ' ').replace(/Z$/, '') === want.replace(/\+00$/, '')) return true
  return want.trim() !== '' && got.trim() !== '' && Number(got) === Number(want)
}
const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a))

/** Single values in the text of a nested one, without the names of its fields: what its tables must hold. */
const valuesIn = (text: string): string[] =>
  [
    ...text
      .replaceAll(/'(?:[^'\\]|\\.)*':/g, '')
      .matchAll(/'((?:[^'\\]|\\.)*)'|(-?\d[\d.e+-]*(?: [\d:.]+)?|true|false)/g),
  ].flatMap(([, quoted, bare]) => quoted ?? bare ?? [])

/** Whether a value stands in a cell by itself, as a number, or in a list of lists that is kept as text. */
function isHeld(part: string, cells: ReadonlySet<string | null>, text: string): boolean {
  if (cells.has(part) || text.includes(part) || text.includes(part.replace(' ', 'T'))) return true
  return part.trim() !== '' && Number.isFinite(Number(part)) && cells.has(String(Number(part)))
}

function nestedFaults(name: string, wanted: unknown[], tables: CollectedTable[]): string[] {
  const inTable = tables.filter(
    (table, i) => i > 0 && (table.name.endsWith(`.${name}`) || table.name.includes(`.${name}.`)),
  )
  const labels = tables[0] ? labelsOf(tables[0]) : []
  const ownColumns = labels.flatMap((label, i) => (label === name || label.startsWith(`${name}.`) ? [i] : []))
  if (inTable.length === 0 && ownColumns.length === 0) return [`no column or table for ${name}`]
  const cells = new Set(inTable.flatMap(({ rows }) => rows.flat()))
  for (const row of tables[0]?.rows ?? []) for (const column of ownColumns) cells.add(row[column] ?? null)
  const text = [...cells].join('\n')
  return wanted
    .flatMap((value) => {
      const missing = typeof value === 'string' ? valuesIn(value).filter((part) => !isHeld(part, cells, text)) : []
      return missing.filter((part) => !name.includes(part) && !labels.some((label) => label.split('.').includes(part)))
    })
    .map((part) => `${name}: no cell has ${part}`)
}

function columnFaults(want: Expected, table: CollectedTable, tables: CollectedTable[]): string[] {
  const labels = labelsOf(table)
  const faults: string[] = []
  want.columns?.forEach(({ name, type }, i) => {
    const wanted = want.first_rows?.map((row) => row[i]) ?? []
    if (NESTED.test(type)) {
      faults.push(...nestedFaults(name, wanted, tables))
      return
    }
    const at = labels.indexOf(name)
    if (at < 0) return faults.push(`no column ${name}`)
    const hint = table.hints.find(({ index }) => index === at)?.type
    const allowed = TYPES.find(([pattern]) => pattern.test(type))?.[1]
    // A whole number past what a double holds stays text.
    const exact = /INT/.test(type) && table.rows.some((row) => (row[at] ?? '').length > 15) && hint === 'text'
    if (allowed && !exact && !allowed.includes(hint ?? ''))
      faults.push(`type of ${name}: wanted ${type}, got ${hint ?? 'none'}`)
    wanted.forEach((value, row) => {
      if (!sameCell(value, table.rows[row]?.[at]))
        faults.push(
          `${name}, row ${row + 1}: wanted ${JSON.stringify(value)}, got ${JSON.stringify(table.rows[row]?.[at])}`,
        )
    })
    const sum = want.sums?.[name]
    if (sum)
      faults.push(
        ...sumFaults(
          name,
          sum,
          table.rows.map((row) => row[at] ?? null),
        ),
      )
  })
  return faults
}

function sumFaults(name: string, want: { sum: number | null; non_null: number }, cells: (string | null)[]): string[] {
  const there = cells.filter((cell) => cell !== null)
  const total = there.reduce((sum, cell) => sum + Number(cell), 0)
  if (there.length !== want.non_null) return [`${name}: wanted ${want.non_null} values, got ${there.length}`]
  return near(want.sum ?? 0, total) ? [] : [`sum of ${name}: wanted ${want.sum}, got ${total}`]
}

async function faultsOf(file: SuiteFile, want: Expected): Promise<string[]> {
  if (!parquetReader.recognises(file.bytes.subarray(0, 65_536), file.name)) return ['is not recognised as Parquet']
  try {
    const { tables, warnings } = await openFile(parquetReader, file)
    const [table] = tables
    if (want.outcome === 'error') return ['should be refused']
    if (want.outcome === 'error_or_warning' && warnings.length === 0) return ['neither refused nor warned about']
    if (want.outcome !== 'ok' && want.outcome !== 'ok_with_warning') return []
    if (!table) return ['no table']
    const faults = columnFaults(want, table, tables)
    if (want.row_count !== undefined && table.rows.length !== want.row_count)
      faults.push(`rows: wanted ${want.row_count}, got ${table.rows.length}`)
    return faults
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return want.outcome.startsWith('ok') ? [`refused: ${error.message}`] : []
  }
}

/** Parquet: columns, types, first rows, sums, and clear refusals. */
export const parquetSuite = fileSuite(18, expectedSchema, faultsOf)
