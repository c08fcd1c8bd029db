import type { ColumnType, DateOrder, DecimalMark } from '../data-sources/files'
import {
  booleanParser,
  dateParser,
  dateTimeParser,
  integerParser,
  isNullToken,
  numberParser,
  textParser,
  trimCell,
  type CellParser,
  type ParsedCell,
} from './cell-parsers'
import { isGapWord } from './gap-words'

/** Blanks that may stand around what is written where there is no value. */
export const BLANKS_MAX = 8

/** How the texts of a column are read. */
export interface CellFormat {
  type: ColumnType
  decimalMark: DecimalMark
  dateOrder: DateOrder
  /** Decimals of a `number` that are kept exactly. Absent: a floating-point number. */
  scale?: number | undefined
  /** Of a `datetime`: true = an instant, false = a wall-clock time. */
  zoned?: boolean | undefined
  /** Bare numbers are days as spreadsheets count them. */
  serialDates?: boolean | undefined
  /** Months of years are days: their first. */
  months?: boolean | undefined
  /** What stands for no value among texts. */
  emptyMarker?: string | undefined
}

/** Reads the cells of one column; it holds a number to the currency and the percent sign that it met first. */
export interface CellReader extends Pick<CellParser, 'parseBytes' | 'units'> {
  /** Of a cell that is not empty. */
  read: (cell: string) => ParsedCell
}

function cellParserFor({ type, decimalMark, dateOrder, scale, zoned, serialDates, months }: CellFormat): CellParser {
  switch (type) {
    case 'text':
      return textParser
    case 'boolean':
      return booleanParser
    case 'integer':
      return integerParser(decimalMark)
    case 'number':
      return numberParser({ mark: decimalMark, scale })
    case 'date':
      return dateParser(dateOrder, { serialDates: serialDates === true, months: months === true })
    case 'datetime':
      return dateTimeParser(dateOrder, zoned === true)
  }
}

/** The one way from a text to a value: of a load, of what inspection shows, and of what a person is about to change. */
export function createCellReader(format: CellFormat): CellReader {
  const { parse, parseBytes, units } = cellParserFor(format)
  const text = format.type === 'text'
  const marker = text ? format.emptyMarker?.toLowerCase() : undefined
  const read: CellReader['read'] = (cell) => {
    if (marker !== undefined && cell.length < marker.length + BLANKS_MAX && cell.trim().toLowerCase() === marker)
      return null
    const trimmed = text ? cell : trimCell(cell)
    if (trimmed === '') return null
    const value = parse(trimmed)
    return value === undefined && (isNullToken(trimmed) || isGapWord(trimmed)) ? null : value
  }
  return { read, parseBytes, ...(units ? { units } : {}) }
}
