import type { CsvRecord } from '../csv/dialect-trial'
import { isHeaderRow, looksLikeLabels } from './header'

/** The names of columns, and on which lines they stand. */
export interface Heading {
  names: string[]
  /** Line of the first record of the heading, and of the last. */
  from: number
  to: number
  /** Records that it takes. */
  records: number
}

const UNIT =
  /^[([]?\s*(sek|eur|usd|gbp|nok|dkk|kr|kkr|tkr|mkr|ksek|msek|keur|meur|€|\$|£|%|st|stk|pcs|kg|g|ton|t|m|m2|m3|m²|m³|km|mil|l|h|tim|timmar|min|hours|dagar|days|kwh|mwh)\.?\s*[)\]]?$/i
const UNITS_MIN_COLUMNS = 2

const trimmed = (cells: readonly string[]): string[] => cells.map((cell) => cell.trim())
const filled = (cells: readonly string[]): string[] => trimmed(cells).filter((cell) => cell !== '')
const hasDoubles = (cells: readonly string[]): boolean => {
  const names = filled(cells).map((cell) => cell.toLowerCase())
  return new Set(names).size < names.length
}

/** Whether a record gives the units of the figures below names, and nothing else. */
const isUnits = ({ cells }: CsvRecord, names: readonly string[]): boolean => {
  const units = filled(cells)
  // “T” below the only name is a value as well; “(t)” is none.
  if (names.length === 1) return units.length === 1 && UNIT.test(units[0] ?? '') && /^[([]/.test(units[0] ?? '')
  const enough = units.length >= Math.min(UNITS_MIN_COLUMNS, Math.max(1, names.length - 1))
  return enough && units.every((unit) => UNIT.test(unit))
}

/** Names of an upper level hold for the columns right of them, up to the next one. */
function carriedRight(cells: readonly string[], width: number): string[] {
  let last = ''
  return Array.from({ length: width }, (_, at) => (last = cells[at]?.trim() || last))
}

/** Whether names below cannot be told apart without the record above: several groups of columns of the same names. */
const isUpperLevel = (above: CsvRecord, names: CsvRecord): boolean =>
  hasDoubles(names.cells) &&
  looksLikeLabels(names.cells) &&
  filled(above.cells).length >= 2 &&
  above.cells.length <= names.cells.length

/**
 * Headings over two or three lines: a level above names that come twice (`2023 Budget`, `2024 Budget`), and units below
 * them (`Amount (SEK)`). Null: the names stand on one line.
 * @param above the record right above the first one, which was taken for a title
 */
export function findHeading(
  first: CsvRecord,
  below: readonly CsvRecord[],
  above: CsvRecord | undefined,
): Heading | null {
  const [second, ...rest] = below
  const rows = (records: readonly CsvRecord[]): string[][] => records.map(({ cells }) => cells)
  // The upper level may have been taken for a title, or for the names themselves.
  const isSecond =
    second !== undefined &&
    !isUnits(second, first.cells) &&
    isUpperLevel(first, second) &&
    isHeaderRow(second.cells, rows(rest))
  const [upper, lower] = isSecond ? [first, second] : [above && isUpperLevel(above, first) ? above : undefined, first]
  const data = isSecond ? rest : below
  const [next, ...after] = data
  const isNamed = looksLikeLabels(lower.cells)
  const units = isNamed && next && after.length > 0 && isUnits(next, lower.cells) ? next : undefined
  if (!upper && !units) return null
  const levels = upper ? carriedRight(upper.cells, lower.cells.length) : []
  const names = trimmed(lower.cells).map((name, at) => {
    const full = [levels[at] ?? '', name].filter((part) => part !== '').join(' ')
    const unit = units?.cells[at]?.trim().replace(/^[([]\s*|\s*[)\]]$/g, '') ?? ''
    return unit === '' || full === '' ? full : `${full} (${unit})`
  })
  const last = units ?? lower
  return { names, from: (upper ?? lower).line, to: last.line, records: 1 + (upper ? 1 : 0) + (units ? 1 : 0) }
}
