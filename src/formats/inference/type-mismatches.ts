import type { ColumnType, CsvSettings, FileColumn, FileWarning } from '../../shared/data-sources/files'
import type { ByteRecord, CellTarget, ColumnMapping, FileSample, RowParser } from '../contract'
import { createByteCsvReader, decodeRecord } from '../csv/byte-csv-reader'
import { isFootnote, isTooWide, pushInChunks, type RowSample } from '../csv/sample-rows'
import { totalRowLabel } from '../csv/total-rows'
import { createCellDecoder } from '../encoding/text-decoder'
import { createRowParser } from '../values/row-parser'
import { inferRole, isCodeLabel } from './column-roles'
import type { ColumnStats } from './column-types'

const EXAMPLES_MAX = 3
const EXAMPLE_MAX_CHARS = 40

/** Values of a column that the load cannot take as its type: their rows would be rejected. */
export interface TypeMismatches {
  count: number
  /** Where the first one stands; null in a part of the file whose lines were not counted. */
  line: number | null
  /** Different ones, the first that were met. */
  examples: string[]
}

export const columnMapping = ({
  index,
  label,
  type,
  scale,
  zoned,
  decimalMark,
  dateOrder,
  serialDates,
  months,
  emptyMarker,
  keepsMarker,
}: FileColumn): ColumnMapping => ({
  column: {
    ...{ key: 'c0', label, type },
    ...(scale === undefined ? {} : { scale }),
    ...(zoned === undefined ? {} : { zoned }),
  },
  file: { index, decimalMark, dateOrder, serialDates, months, ...(emptyMarker && !keepsMarker ? { emptyMarker } : {}) },
})

/** Notes, totals and rows that are too wide are told by themselves. */
const isToldOtherwise = (cells: string[], width: number): boolean =>
  isTooWide(cells, width) || isFootnote(cells, width) || totalRowLabel(cells) !== null

/** Tells every value that does not fit, by position of its column among `columns`. */
class MismatchCounter {
  readonly found = new Map<number, TypeMismatches>()
  readonly #columns: { at: number; index: number }[]
  readonly #parser: RowParser
  readonly #target: CellTarget
  readonly #width: number

  constructor(columns: readonly FileColumn[], settings: CsvSettings) {
    const typed = columns.flatMap((column, at) => (column.include && column.type !== 'text' ? [{ column, at }] : []))
    this.#width = columns.length
    this.#parser = createRowParser(
      typed.map(({ column }) => columnMapping(column)),
      settings,
    )
    this.#columns = typed.map(({ column, at }) => ({ at, index: column.index }))
    this.#target = { cells: new Float64Array(typed.length), texts: typed.map(() => null) }
  }

  get isIdle(): boolean {
    return this.#columns.length === 0
  }
  /** Whether every value of a record fits, as far as that can be seen without decoding it. */
  fits(record: ByteRecord): boolean {
    return this.#parser.parseBytes(record, this.#target)
  }

  add(cells: string[], line: number | null): void {
    if (this.#parser.parse(cells, 1).ok || isToldOtherwise(cells, this.#width)) return
    for (const position of this.#parser.unfit(cells)) {
      const column = this.#columns[position]
      if (column) this.#tell(column.at, (cells[column.index] ?? '').trim(), line)
    }
  }

  #tell(at: number, text: string, line: number | null): void {
    const known = this.found.get(at) ?? { count: 0, line, examples: [] }
    this.found.set(at, known)
    known.count++
    const example = text.length > EXAMPLE_MAX_CHARS ? `${text.slice(0, EXAMPLE_MAX_CHARS - 1)}…` : text
    if (known.examples.length < EXAMPLES_MAX && !known.examples.includes(example)) known.examples.push(example)
  }
}

/**
 * Values that do not fit the type of their column, by position of the column: all of the file's beginning (the whole
 * file when it is small), and those of the sampled rows of the rest.
 */
export function findTypeMismatches(
  sample: FileSample,
  columns: readonly FileColumn[],
  { settings, found }: { settings: CsvSettings; found: Pick<RowSample, 'windowRows'> },
): ReadonlyMap<number, TypeMismatches> {
  const counter = new MismatchCounter(columns, settings)
  if (counter.isIdle) return counter.found
  const decode = createCellDecoder(settings.encoding)
  const reader = createByteCsvReader({
    settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => counter.add(cells, line),
    onBytes: (record, line) => {
      if (!counter.fits(record)) counter.add(decodeRecord(record, decode), line)
    },
  })
  pushInChunks(reader, sample.head)
  if (sample.head.length >= sample.size) reader.end()
  for (const cells of found.windowRows) counter.add(cells, null)
  return counter.found
}

/** What a value should be, and what several should. */
const TYPE_WORDS: Record<ColumnType, readonly [one: string, many: string]> = {
  text: ['text', 'text'],
  integer: ['a whole number', 'whole numbers'],
  number: ['a number', 'numbers'],
  boolean: ['yes or no', 'yes or no'],
  date: ['a date', 'dates'],
  datetime: ['a date with a time', 'dates with a time'],
}

/** What is said of them before the load. */
export function mismatchWarning(
  { label, type }: FileColumn,
  { count, line, examples }: TypeMismatches,
  exact: boolean,
): FileWarning {
  const [one, many] = TYPE_WORDS[type]
  const values = count === 1 ? `1 value that isn’t ${one}` : `${count} values that aren’t ${many}`
  const where = line === null ? '' : count === 1 ? ` (line ${line})` : ` (first on line ${line})`
  const rows = count === 1 ? 'Its row is rejected' : 'Their rows are rejected'
  return {
    code: 'unfit_values',
    column: label,
    ...(line === null ? {} : { line }),
    message: `“${label}” has ${exact ? '' : 'at least '}${values}: ${examples.map((text) => `“${text}”`).join(', ')}${where}. ${rows}.`,
    fix: 'text',
  }
}

/** Whole numbers that name things, and months (a thirteenth one is none); figures never become text unasked. */
const isNaming = ({ type, role, label, months }: FileColumn): boolean =>
  (type === 'date' && months === true) ||
  (type === 'integer' && role !== 'measure' && (role === 'id' || isCodeLabel(label)))

/**
 * Columns that name things (ids, codes, phone and invoice numbers, months) become text as soon as one value does not fit; of
 * the others it is said what the load would reject.
 */
export function settleTypeMismatches(
  columns: readonly FileColumn[],
  values: readonly ColumnStats[],
  { mismatches, exact }: { mismatches: ReadonlyMap<number, TypeMismatches>; exact: boolean },
): { columns: FileColumn[]; warnings: FileWarning[]; texts: ReadonlySet<string> } {
  const warnings: FileWarning[] = []
  const texts = new Set<string>()
  const settled = columns.map((column, at): FileColumn => {
    const odd = mismatches.get(at)
    const stats = values[at]
    if (!odd || !stats) return column
    const { index, label, include } = column
    if (isNaming(column)) {
      texts.add(label)
      return { index, label, type: 'text', role: inferRole('text', label, stats), format: { style: 'plain' }, include }
    }
    warnings.push(mismatchWarning(column, odd, exact))
    return column
  })
  return { columns: settled, warnings, texts }
}
