import { createRowCleaner } from './clean-rows'
import { planCleaning, type CleanedColumn, type CleaningPlan } from './plan-cleaning'
import { suggestSteps } from './suggest-steps'
import type { FileSample } from '../contract'
import { canonicalCsvRecord } from '../csv/canonical-csv'
import { createCsvReader } from '../csv/csv-reader'
import { CHUNK_BYTES } from '../csv/sample-rows'
import { inspectTable, type TableMetadata } from '../inference/inspect-table'
import type { CleaningReport, CleaningStep } from '../../shared/data-sources/cleaning'
import type { ColumnHint, CsvSettings, FileColumn, FileInspection, FileWarning } from '../../shared/data-sources/files'
import type { CleanedInspection } from '../../shared/data-sources/inspection'
import { DATASET_MAX_ROWS, SAMPLE_MAX_ROWS } from '../../shared/limits'

/** What a recipe looks through of a file, the cells that it repeats counted as often: the thread is everybody's. */
const CLEANED_MAX_BYTES = 16 * 1024 * 1024
const PIECE_MIN_BYTES = 1024
/** Text of cleaned rows that types are inferred from: rows beyond it are counted only. */
const TYPED_MAX_BYTES = 8 * 1024 * 1024

export interface CleanedInspectionInput {
  sample: FileSample
  /** How the file is read without a recipe. */
  found: FileInspection
  /** Of a table taken out of another file, with its name. */
  table: (TableMetadata & { name: string }) | null
  steps: readonly CleaningStep[]
  /** What the person corrected. */
  given: Partial<CsvSettings>
  /** Bytes that are looked through; {@link CLEANED_MAX_BYTES} where it is not given. */
  bytesMax?: number
}

/**
 * The same file once its rows have gone through a recipe: types, roles and the preview are those of the rows that come out.
 * A step that does not fit ends the recipe there and is named; nothing is thrown for it.
 */
export function inspectCleaned(input: CleanedInspectionInput): CleanedInspection {
  const { found, steps } = input
  const header = found.columns.map(({ label }) => label)
  if (steps.length === 0) return { ...found, cleaning: uncleanedReport(input, header) }
  const plan = planCleaning(header, steps)
  const fitting = plan.steps.map(({ step }) => step)
  const cleaned = cleanSample(input, { header, steps: fitting })
  const inspection = fitting.length === 0 ? found : inspectRows(input, plan.columns, cleaned)
  const { isWhole } = cleaned
  const count = isWhole ? cleaned.rowsOut : estimate(found.rows.count, cleaned)
  const report: CleaningReport = {
    steps: [...steps],
    effects: cleaned.effects,
    columns: columnsBetween(plan),
    problem: plan.problem ?? rowProblem(fitting, count),
    rowsRead: cleaned.rowsIn,
    exact: isWhole,
    before: found.preview,
    suggestions: suggestionsFor(input, inspection.columns, cleaned),
  }
  return {
    ...inspection,
    kind: found.kind,
    settings: found.settings,
    rows: { count, exact: isWhole },
    cleaning: report,
  }
}

function uncleanedReport(input: CleanedInspectionInput, header: string[]): CleaningReport {
  // One more tells whether there are more.
  const cleaned = cleanSample({ ...input, rowsMax: SAMPLE_MAX_ROWS + 1 }, { header, steps: [] })
  return {
    ...{ steps: [], effects: [], columns: [header], problem: null, before: [] },
    rowsRead: cleaned.rows.length,
    exact: hasAllRows(cleaned),
    suggestions: suggestionsFor(input, input.found.columns, cleaned),
  }
}

const hasAllRows = ({ isWhole, rows, rowsOut }: CleanedSample): boolean => isWhole && rows.length === rowsOut

const suggestionsFor = (
  input: CleanedInspectionInput,
  columns: readonly FileColumn[],
  cleaned: CleanedSample,
): CleaningReport['suggestions'] =>
  suggestSteps({ columns, rows: cleaned.rows, isWhole: hasAllRows(cleaned), fileName: nameOf(input) })

/** The file’s name and that of the table in it: either may say which year it is of. */
const nameOf = ({ sample, table }: CleanedInspectionInput): string => `${sample.fileName} ${table?.name ?? ''}`
const namesOf = (columns: readonly CleanedColumn[]): string[] => columns.map(({ name }) => name)
const columnsBetween = ({ steps, columns }: CleaningPlan): string[][] => [
  ...steps.map(({ before }) => namesOf(before)),
  namesOf(columns),
]

const estimate = (rows: number, { rowsIn, rowsOut }: CleanedSample): number =>
  rowsIn === 0 ? 0 : Math.round((rows * rowsOut) / rowsIn)

/** More rows than a table may have, which only an unpivot can make of a file that was let in. */
function rowProblem(steps: readonly CleaningStep[], rows: number): CleaningReport['problem'] {
  const step = steps.findLastIndex(({ kind }) => kind === 'unpivot')
  if (rows <= DATASET_MAX_ROWS || step < 0) return null
  return { step, message: `Makes about ${rows} rows. Limit: ${DATASET_MAX_ROWS}.` }
}

interface CleanedSample {
  rowsIn: number
  rowsOut: number
  /** Whether it is all of the file. */
  isWhole: boolean
  effects: CleaningReport['effects']
  /** The first of them. */
  rows: string[][]
  /** By the position of a column that a step has spelled out as numbers: the most decimals of all that were read. */
  scales: number[]
  /** Canonical text of as many as types are inferred from, and whether that is all. */
  text: string
  complete: boolean
}

/** Runs what was read of a file through a recipe. `rowsMax`: records after which it stops. */
function cleanSample(
  {
    sample,
    found,
    bytesMax = CLEANED_MAX_BYTES,
    rowsMax = Number.POSITIVE_INFINITY,
  }: CleanedInspectionInput & { rowsMax?: number },
  recipe: { header: readonly string[]; steps: readonly CleaningStep[] },
): CleanedSample {
  const pieces: string[] = []
  const cleaned: CleanedSample = {
    rowsIn: 0,
    rowsOut: 0,
    isWhole: false,
    effects: [],
    rows: [],
    scales: [],
    text: '',
    complete: true,
  }
  let [bytes, at] = [0, 0]
  const cleaner = createRowCleaner(recipe, (cells) => {
    cleaned.rowsOut++
    for (const index of numbers)
      cleaned.scales[index] = Math.max(cleaned.scales[index] ?? 0, decimalsOf(cells[index] ?? ''))
    if (cleaned.rows.length < SAMPLE_MAX_ROWS) cleaned.rows.push([...cells])
    if (recipe.steps.length === 0) return
    if (bytes > TYPED_MAX_BYTES) cleaned.complete = false
    else bytes += pieces[pieces.push(canonicalCsvRecord(cells, at)) - 1]?.length ?? 0
  })
  const numbers = cleaner.columns.flatMap(({ parsed }, index) => (parsed === 'number' ? [index] : []))
  const reader = createCsvReader({
    settings: found.settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      if (cleaned.rowsIn >= rowsMax) return
      cleaned.rowsIn++
      at = line
      cleaner.push(cells)
    },
  })
  const head = sample.head.subarray(0, Math.ceil(bytesMax / cleaner.growth))
  const pieceBytes = Math.max(PIECE_MIN_BYTES, Math.ceil(CHUNK_BYTES / cleaner.growth))
  // What is longer than a piece has a record at least, so that something is shown.
  for (let from = 0; from < sample.head.length && cleaned.rowsIn < rowsMax; from += pieceBytes) {
    if (from >= head.length && cleaned.rowsIn > 0) break
    reader.push(sample.head.subarray(from, from + pieceBytes))
  }
  cleaned.isWhole = head.length >= sample.size
  if (cleaned.isWhole && cleaned.rowsIn < rowsMax) reader.end()
  return { ...cleaned, effects: cleaner.state().effects, text: pieces.join('') }
}

const LOOKED_AT_AGAIN: ReadonlySet<FileWarning['code']> = new Set(['totals_row', 'empty_rows'])

/** Columns and preview of the rows that came out. */
function inspectRows(
  { sample, found, table, given }: CleanedInspectionInput,
  columns: readonly CleanedColumn[],
  cleaned: CleanedSample,
): FileInspection {
  const head = new TextEncoder().encode(cleaned.text)
  const isAll = cleaned.complete && cleaned.isWhole
  const hints = columns.map((column, index) => hintOf(column, { index, table, scale: cleaned.scales[index] ?? 0 }))
  const { decimalMark, dateOrder } = given
  const inspection = inspectTable(
    { fileName: sample.fileName, head, size: isAll ? head.length : head.length + 1 },
    {
      kind: found.kind,
      rowCount: cleaned.rowsOut,
      columnCount: columns.length,
      // What concerns a column of the file is looked at again in what became of it.
      warnings: found.warnings.filter(({ code, column }) => column === undefined && !LOOKED_AT_AGAIN.has(code)),
      hints,
      ...(table
        ? {}
        : {
            locale: {
              given: { ...(decimalMark ? { decimalMark } : {}), ...(dateOrder ? { dateOrder } : {}) },
              comma: found.settings.delimiter === ';',
            },
          }),
    },
  )
  return { ...inspection, columns: inspection.columns.map((column, at) => withWriting(column, columns[at])) }
}

const DECIMALS = /^-?\d+\.(\d+)$/
const decimalsOf = (cell: string): number => DECIMALS.exec(cell)?.[1]?.length ?? 0
const SCALE_MAX = 4

/** What is known of a column before its texts are looked at: what its reader knew, and what a step has spelled out. */
function hintOf(
  { name: label, source, parsed }: CleanedColumn,
  { index, table, scale }: { index: number; table: TableMetadata | null; scale: number },
): ColumnHint {
  if (parsed === 'date') return { index, label, type: 'date' }
  if (parsed === 'number') {
    return {
      index,
      label,
      type: scale === 0 ? 'integer' : 'number',
      ...(scale > 0 && scale <= SCALE_MAX ? { scale } : {}),
    }
  }
  const known = source === null ? undefined : table?.hints.find((hint) => hint.index === source)
  return { ...known, index, label }
}

/** What a step has spelled out is read as it is spelled. */
const withWriting = (column: FileColumn, cleaned: CleanedColumn | undefined): FileColumn => ({
  ...column,
  ...(cleaned?.parsed === 'number' ? { decimalMark: '.' } : {}),
  ...(cleaned?.parsed === 'date' ? { dateOrder: 'ymd' } : {}),
})
