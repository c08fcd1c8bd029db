import { z } from 'zod'
import { parseDateTime } from '../../src/shared/values/parse-date'
import type { FormatReader } from '../../src/formats/contract'
import { xlsReader } from '../../src/formats/workbook/binary/xls-reader'
import { odsReader } from '../../src/formats/workbook/ods-reader'
import { xlsxReader } from '../../src/formats/workbook/xlsx-reader'
import { ProductError } from '../../src/shared/errors'
import { DATASET_MAX_COLUMNS } from '../../src/shared/limits'
import { openFile, type CollectedTable } from './open-file'
import { fileSuite, type SuiteFile } from './suite'

const valueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()])
const cellsSchema = z.array(z.object({ at: z.string(), value: valueSchema })).default([])
const sheetSchema = z.object({
  name: z.string(),
  state: z.string().optional(),
  non_empty_cells: z.number().optional(),
  used: z
    .object({ first_row: z.number(), last_row: z.number(), first_col: z.number(), last_col: z.number() })
    .optional(),
  cells: cellsSchema,
  dates: cellsSchema,
  errors: cellsSchema,
  formulas: z.array(z.object({ at: z.string(), cached: valueSchema })).default([]),
  merged: z.array(z.string()).optional(),
})
const expectedSchema = z.object({
  files: z.array(
    z.object({
      file: z.string(),
      outcome: z.enum(['ok', 'error', 'no_crash']),
      notes: z.string().optional(),
      sheets: z.array(sheetSchema).optional(),
    }),
  ),
})
type Expected = z.infer<typeof expectedSchema>['files'][number]
type ExpectedSheet = z.infer<typeof sheetSchema>
type Value = z.infer<typeof valueSchema>

const ERROR = /^#(NULL!|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|N\/A|GETTING_DATA)$/
const DURATION = /^PT(\d+(?:\.\d+)?)s$/

/** Whether a cell's text says what is expected; errors are left empty, durations are hours. */
function says(got: string | null, wanted: Value): boolean {
  if (wanted === null) return got === null
  if (typeof wanted === 'boolean') return got === String(wanted)
  if (typeof wanted === 'number') return got !== null && Math.abs(Number(got) - wanted) <= Math.abs(wanted) * 1e-12
  const text = wanted.replaceAll('_x000D_', '\r')
  if (got === text) return true
  if (ERROR.test(text)) return got === null
  const duration = DURATION.exec(text)
  if (duration) return Math.abs(Number(got) * 3600 - Number(duration[1])) < 0.001
  if (/^\d\d:\d\d:\d\d/.test(text)) return got !== null && text.startsWith(got)
  const [a, b] = [parseDateTime(text, 'ymd'), parseDateTime(got ?? '', 'ymd')]
  return a !== null && b !== null && Math.abs(a.ms - b.ms) <= 1
}

function position(at: string): { row: number; column: number } {
  const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(at) ?? []
  let column = 0
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64
  return { row: Number(row), column }
}

/** Cells of a table by address: empty columns before the used range were dropped. */
function cellAt(table: CollectedTable, at: string, firstColumn: number): string | null {
  const { row, column } = position(at)
  return table.rows[table.lines.indexOf(row)]?.[column - firstColumn] ?? null
}

/** A sheet wider than a dataset keeps its filled columns only: a value is looked for in the whole row. */
function anywhereInRow(table: CollectedTable, { at, value }: { at: string; value: Value }): string | null {
  const cells = table.rows[table.lines.indexOf(position(at).row)] ?? []
  return cells.find((cell) => says(cell, value)) ?? null
}

function sheetFaults(want: ExpectedSheet, table: CollectedTable | undefined): string[] {
  // A sheet of nothing but errors has no values either.
  const noValues = want.cells.every(({ value }) => typeof value === 'string' && ERROR.test(value))
  if (!table) return noValues ? [] : [`${want.name}: missing`]
  const faults: string[] = []
  if (want.state !== undefined && (want.state !== 'visible') !== (table.optional === true))
    faults.push(`${want.name}: not marked as ${want.state}`)
  const { used } = want
  if (used && table.lines[0] !== used.first_row) faults.push(`${want.name}: begins in row ${table.lines[0]}`)
  const wide = used !== undefined && used.last_col - used.first_col >= DATASET_MAX_COLUMNS
  if (used && !wide && table.rows[0]?.length !== used.last_col - used.first_col + 1)
    faults.push(`${want.name}: has ${table.rows[0]?.length} columns`)
  const wanted = [...want.cells, ...want.dates, ...want.formulas.map(({ at, cached }) => ({ at, value: cached }))]
  for (const { at, value } of wanted) {
    const got = wide ? anywhereInRow(table, { at, value }) : cellAt(table, at, used?.first_col ?? 1)
    if (!says(got, value))
      faults.push(`${want.name}!${at}: wanted ${JSON.stringify(value)}, got ${JSON.stringify(got)}`)
  }
  const warned = (code: string): boolean => table.warnings.some((warning) => warning.code === code)
  if (want.errors.length > 0 && !warned('error_cells')) faults.push(`${want.name}: errors without a warning`)
  if ((want.merged ?? []).length > 0 && !warned('merged_cells')) faults.push(`${want.name}: merges without a warning`)
  const filled = table.rows.flat().filter((cell) => cell !== null && cell !== '').length
  if (want.non_empty_cells === undefined) return faults
  const exact = !warned('error_cells') && !warned('formulas_without_value')
  if (filled > want.non_empty_cells || (exact && filled < want.non_empty_cells))
    faults.push(`${want.name}: ${filled} filled cells, wanted ${want.non_empty_cells}`)
  return faults
}

const READERS: readonly FormatReader[] = [odsReader, xlsxReader, xlsReader]

async function faultsOf(file: SuiteFile, want: Expected): Promise<string[]> {
  const reader = READERS.find((one) => one.recognises(file.bytes.subarray(0, 65_536), file.name)) ?? xlsxReader
  try {
    const { tables } = await openFile(reader, file)
    if (want.outcome === 'error') return ['should be refused']
    const known = (want.sheets ?? []).map(({ name }) => name)
    const surplus = known.length > 0 ? tables.filter(({ name }) => !known.includes(name)) : []
    return [
      ...(want.sheets ?? []).flatMap((sheet) =>
        sheetFaults(
          sheet,
          tables.find(({ name }) => name === sheet.name),
        ),
      ),
      ...surplus.map(({ name }) => `${name}: not expected`),
      ...(want.sheets || tables.length > 0 ? [] : ['no table']),
    ]
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    if (want.outcome === 'ok') return [`refused: ${error.message}`]
    const secret = want.notes?.includes('password') === true
    return secret && error.details['reason'] !== 'encrypted' ? [`does not speak of a password: ${error.message}`] : []
  }
}

/** Workbooks: sheets, cells, dates, formulas, errors, merges, hidden sheets. */
export const xlsxSuite = fileSuite(30, expectedSchema, faultsOf)
