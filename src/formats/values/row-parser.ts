import type { DateOrder, DecimalMark } from '../../shared/data-sources/files'
import type { CreateRowParser, ColumnMapping, ParsedRow } from '../contract'
import { byteCellParser, type ColumnParser } from './byte-cells'
import { trimCell } from '../../shared/values/cell-parsers'
import { BLANKS_MAX, createCellReader } from '../../shared/values/cell-reader'
import { parseNumber } from '../../shared/values/parse-number'
import { parseDateTime } from '../../shared/values/parse-date'

const REJECT_TEXT_MAX_CHARS = 200
const QUOTED_MAX_CHARS = 40
type RowParserSettings = Parameters<CreateRowParser>[1]

function createColumnParser(mapping: ColumnMapping, settings: RowParserSettings): ColumnParser {
  const { column, file } = mapping
  const { type, scale, zoned } = column
  const decimalMark = file?.decimalMark ?? settings.decimalMark
  const dateOrder = file?.dateOrder ?? settings.dateOrder
  const emptyMarker = file?.emptyMarker
  const { serialDates, months } = file ?? {}
  const cells = createCellReader({ type, scale, zoned, decimalMark, dateOrder, serialDates, months, emptyMarker })
  const text = type === 'text'
  const decodedBytes = text && emptyMarker ? new TextEncoder().encode(emptyMarker.toLowerCase()).length + BLANKS_MAX : 0
  const index = file?.index ?? -1
  return {
    column: mapping,
    index,
    text,
    read: cells.read,
    readBytes: cells.parseBytes,
    units: cells.units,
    decodedBytes,
  }
}

const DATE_ORDER_NAMES: Record<DateOrder, string> = { ymd: 'year first', dmy: 'day first', mdy: 'month first' }
const truncate = (text: string, max: number): string => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

/** Why a cell is not of its column's type, for a person who has the file open. */
function rejectReason({ column, file }: ColumnMapping, text: string, settings: RowParserSettings): string {
  const head = `${column.label}: “${truncate(text, QUOTED_MAX_CHARS)}”`
  const mark = file?.decimalMark ?? settings.decimalMark
  const order = file?.dateOrder ?? settings.dateOrder
  switch (column.type) {
    case 'text':
      return `${head} is not text.`
    case 'boolean':
      return `${head} is neither yes nor no.`
    case 'integer':
    case 'number':
      return `${head} ${numberRejectReason({ text, mark, whole: column.type === 'integer' })}`
    case 'date':
      if (parseDateTime(text, order)) return `${head} has a time of day, the column has dates.`
      return `${head} is not a date (${DATE_ORDER_NAMES[order]}).`
    case 'datetime': {
      const at = parseDateTime(text, order)
      if (at?.zoned) return `${head} has a time zone, the other values have none.`
      return at
        ? `${head} has no time zone, the other values have one.`
        : `${head} is not a date and time (${DATE_ORDER_NAMES[order]}).`
    }
  }
}

function numberRejectReason(at: { text: string; mark: DecimalMark; whole: boolean }): string {
  const number = parseNumber(at.text, at.mark)
  const kind = at.whole ? 'a whole number' : 'a number'
  if (!number) return `is not ${kind} (decimal ${at.mark === '.' ? 'point' : 'comma'}).`
  if (number.digits.length - number.decimals > 15) return 'has more digits than can be kept exactly.'
  if (at.whole && number.decimals > 0) return 'is not a whole number.'
  if (number.percent) return 'is a percentage, the other values are not.'
  if (number.currency !== null) return 'is in another currency than the rest of the column.'
  return 'has no % sign, the other values have one.'
}

/** Whether a cell can be read, of which nothing is remembered. */
function canRead({ read, units }: ColumnParser, cell: string): boolean {
  if (cell === '') return true
  return (units ? units.without(() => read(cell)) : read(cell)) !== undefined
}

const rejectedRow = (cells: string[], line: number, reason: string): ParsedRow & { ok: false } => ({
  ok: false,
  reject: { line, reason, text: truncate(cells.slice(0, 200).join(' | '), REJECT_TEXT_MAX_CHARS) },
})

/** The refusal of a record with filled cells past the columns of its file; null for any other. */
export function rejectOverlongRow(cells: string[], line: number, width: number): (ParsedRow & { ok: false }) | null {
  if (cells.length <= width || cells.slice(width).every((cell) => cell === '')) return null
  return rejectedRow(cells, line, `The row has ${cells.length} values for ${width} columns.`)
}

/** Types rows by columns. The typer remembers what it met (currencies, widest values): one per segment of a load. */
export const createRowParser: CreateRowParser = (columns, settings) => {
  const lanes = columns.map((column) => createColumnParser(column, settings))
  const width = settings.fileWidth ?? Number.MAX_SAFE_INTEGER
  return {
    parse(cells, line) {
      const overlong = rejectOverlongRow(cells, line, width)
      if (overlong) return overlong
      const values: (ParsedRow & { ok: true })['values'] = []
      for (const lane of lanes) {
        const cell = cells[lane.index] ?? ''
        const value = cell === '' ? null : lane.read(cell)
        if (value === undefined)
          return rejectedRow(cells, line, rejectReason(lane.column, lane.text ? cell : trimCell(cell), settings))
        values.push(value)
      }
      return { ok: true, values }
    },
    unfit: (cells) => lanes.flatMap((lane, at) => (canRead(lane, cells[lane.index] ?? '') ? [] : [at])),
    parseBytes: byteCellParser(lanes, { width, encoding: settings.encoding ?? 'utf-8' }),
  }
}
