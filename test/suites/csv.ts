import { z } from 'zod'
import { inspectCsv } from '../../src/formats/inference/inspect-csv'
import { createCsvReader } from '../../src/formats/csv/csv-reader'
import { formatIsoDateTime } from '../../src/shared/values/parse-date'
import { isoFromDay } from '../../src/shared/dates'
import { ProductError } from '../../src/shared/errors'
import type { FileColumn, FileInspection } from '../../src/shared/data-sources/files'
import { fileSuite, type SuiteFile } from './suite'
import { proposedTyper } from '../worker/csv-load'

const expectedSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      outcome: z.enum(['ok', 'ok_with_warning', 'error_or_warning', 'error']),
      encoding: z.string().optional(),
      delimiter: z.string().optional(),
      header: z.boolean().optional(),
      skip_lines: z.number().optional(),
      columns: z.array(z.string()).nullish(),
      column_count: z.number().optional(),
      types: z.array(z.string()).optional(),
      row_count: z.number().optional(),
      row_count_alt: z.number().optional(),
      notes: z.string().optional(),
      cells: z.array(z.object({ row: z.number(), col: z.number(), raw: z.string(), length: z.number() })).optional(),
      parsed_sums: z.record(z.string(), z.number()).optional(),
      sums: z.record(z.string(), z.number()).optional(),
      parsed_dates: z.record(z.string(), z.array(z.string())).optional(),
      date_min: z.string().optional(),
      date_max: z.string().optional(),
    }),
  ),
})
type Expected = z.infer<typeof expectedSchema>['files'][number]

interface LoadedFile {
  inspection: FileInspection
  rows: string[][]
  values: (string | number | null)[][]
  rejects: number
}

function load({ name, bytes }: SuiteFile): LoadedFile {
  const inspection = inspectCsv({ fileName: name, size: bytes.length, head: bytes })
  const { settings } = inspection
  const rows: string[][] = []
  const reader = createCsvReader({ settings, startByte: 0, startLine: 1, onRecord: (cells) => rows.push(cells) })
  reader.push(bytes)
  reader.end()
  const typer = proposedTyper(inspection)
  const typed = rows.map((cells, i) => typer.parse(cells, i + 1))
  const values = typed.flatMap((row) => (row.ok ? [row.values.map((v) => (Array.isArray(v) ? v[0] : v))] : []))
  return { inspection, rows, values, rejects: typed.length - values.length }
}

/** `text` allows what is more exact; a number past double precision may stay text; a time of day is text here. */
function typeFits(wanted: string, column: FileColumn, raw: string[]): boolean {
  const allowed = wanted.split('|')
  if (allowed.includes(column.type)) return true
  if (allowed.includes('text') || allowed.includes('empty')) return true
  if (allowed.includes('time')) return column.type === 'text'
  const tooLong = raw.some((text) => text.replace(/\D/g, '').length > 15)
  if (allowed.includes('number')) return column.type === 'integer' || (column.type === 'text' && tooLong)
  return false
}

const cleanLabel = (text: string): string =>
  text
    .replace(/[\u0000-\u001f]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

function shapeFaults(want: Expected, { inspection, rows }: LoadedFile): string[] {
  const { settings, columns, warnings } = inspection
  const faults: string[] = []
  const differ = (what: string, wanted: unknown, got: unknown): void => {
    if (wanted !== undefined && wanted !== got)
      faults.push(`${what}: wanted ${JSON.stringify(wanted)}, got ${JSON.stringify(got)}`)
  }
  const undecided = want.notes?.includes('undecidable') === true
  if (want.encoding) differ('encoding', want.encoding === 'latin-1' ? 'windows-1252' : want.encoding, settings.encoding)
  if ((want.column_count ?? columns.length) > 1) differ('delimiter', want.delimiter, settings.delimiter)
  if (!undecided) differ('header', want.header, settings.header)
  differ('skipLines', want.skip_lines, settings.skipLines)
  differ('columns', want.column_count, columns.length)
  const off = undecided && settings.header !== want.header ? 1 : 0
  const counted = want.row_count_alt ?? want.row_count
  if (rows.length + off !== counted) differ('rows', want.row_count ?? counted, rows.length + off)
  differ('counted rows', rows.length, inspection.rows.count)
  for (const cell of want.cells ?? []) {
    if (cell.row < off) continue
    const got = rows[cell.row - off]?.[cell.col]
    if (got === undefined ? cell.raw !== '' : !got.startsWith(cell.raw) || Array.from(got).length !== cell.length)
      faults.push(`cell ${cell.row},${cell.col}: wanted ${JSON.stringify(cell.raw)}, got ${JSON.stringify(got)}`)
  }
  want.columns?.forEach((name, i) => {
    const label = columns[i]?.label ?? ''
    const wanted = cleanLabel(name.replaceAll('\0', ''))
    const made = label.startsWith(`${wanted} (`) || (wanted === '' && label.startsWith('Column '))
    if (label !== wanted && !made) faults.push(`label ${i}: wanted ${wanted}, got ${label}`)
  })
  want.types?.forEach((type, i) => {
    const column = columns[i]
    const raw = rows.map((cells) => cells[i] ?? '')
    if (column && !typeFits(type, column, raw))
      faults.push(`type of ${column.label}: wanted ${type}, got ${column.type}`)
  })
  if (want.outcome === 'ok_with_warning' && warnings.length === 0) faults.push('no warning')
  if (new Set(columns.map(({ label }) => label)).size !== columns.length) faults.push('labels are not unique')
  return faults
}

function valueFaults(want: Expected, { inspection, values }: LoadedFile): string[] {
  const faults: string[] = []
  const column = (name: string): FileColumn | undefined => inspection.columns.find(({ label }) => label === name)
  for (const [name, sum] of Object.entries({ ...want.sums, ...want.parsed_sums })) {
    const found = column(name)
    if (!found) continue
    let total = 0
    for (const row of values) total += Number(row[found.index] ?? 0)
    const got = total / 10 ** (found.scale ?? 0)
    if (got !== sum) faults.push(`sum of ${name}: wanted ${sum}, got ${got}`)
  }
  const dates = (at: FileColumn): string[] =>
    values.map((row) => {
      const value = Number(row[at.index])
      return at.type === 'date' ? isoFromDay(value) : formatIsoDateTime(value, false)
    })
  for (const [name, wanted] of Object.entries(want.parsed_dates ?? {})) {
    const found = column(name)
    const got = found ? dates(found).join() : ''
    if (got !== wanted.join()) faults.push(`dates of ${name}: wanted ${wanted.join()}, got ${got}`)
  }
  const time = inspection.columns.find(({ role }) => role === 'time')
  if (want.date_min && time) {
    const sorted = dates(time).sort()
    if (sorted[0] !== want.date_min || sorted.at(-1) !== want.date_max) faults.push(`dates span ${sorted[0]}…`)
  }
  return faults
}

function faultsOf(file: SuiteFile, want: Expected): string[] {
  try {
    const loaded = load(file)
    const { warnings } = loaded.inspection
    if (want.outcome === 'error') return ['should be refused']
    if (want.outcome === 'error_or_warning') return warnings.length > 0 ? [] : ['neither refused nor warned about']
    const faults = [...shapeFaults(want, loaded), ...valueFaults(want, loaded)]
    if (loaded.rejects > 0 && warnings.length === 0) faults.push(`${loaded.rejects} rows rejected without a warning`)
    return faults
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    return want.outcome.startsWith('error') ? [] : [`refused: ${error.message}`]
  }
}

/** Delimited texts: encoding, signs, header, types, rows, cells, sums and dates. */
export const csvSuite = fileSuite(63, expectedSchema, faultsOf)
