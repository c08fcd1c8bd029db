import type { ColumnFormat, ColumnType, DateOrder, DecimalMark } from '../shared/files'
import { TYPE_MIN_SHARE } from '../shared/limits'
import { currencyCode } from './cell-typers'
import type { ColumnStats, NumberStats } from './column-values'

/** What a file or person says beyond one column; settles what the column's own values leave open. */
export interface LocaleHint {
  decimalMark: DecimalMark
  dateOrder: DateOrder | null
}
export interface InferredType {
  type: ColumnType
  scale?: number
  zoned?: boolean
  format: ColumnFormat
  decimalMark?: DecimalMark
  dateOrder?: DateOrder
  /** Whether the values themselves settle mark and order. */
  sure: { mark: boolean; order: boolean }
  /** Most values fit a type that the column cannot have: what the odd ones are. */
  mixed: 'numbers' | 'dates' | 'currencies' | 'percents' | 'zones' | null
}

const MIXED_MIN_SHARE = 0.5
const SCALE_MAX = 4
const SAFE_DIGITS = 15
const PLAIN_FORMAT: ColumnFormat = { style: 'plain' }
const CERTAIN = { mark: true, order: true }
const textType = (mixed: InferredType['mixed']): InferredType => ({
  type: 'text',
  format: PLAIN_FORMAT,
  sure: CERTAIN,
  mixed,
})

const BOOLEAN_PAIRS = [
  ['true', 'false'],
  ['yes', 'no'],
  ['ja', 'nej'],
  ['sant', 'falskt'],
  ['y', 'n'],
] as const
const BOOLEAN_LABEL = /^(is|has|är|har)[_ ]|[_ ]flag$|\?$/i

/** True and false in one pair of words; 0 and 1 only when the name asks a question. */
function isBooleanColumn(values: ColumnStats, label: string): boolean {
  const words = [...values.words.keys()]
  if (words.length === 0 || words.length > 2 || values.distinct > 6) return false
  const within = (pair: readonly string[]): boolean => words.every((word) => pair.includes(word))
  if (BOOLEAN_LABEL.test(label) && within(['0', '1'])) return true
  const pair = BOOLEAN_PAIRS.find(within)
  return pair !== undefined && (pair[0].length > 2 || words.length === 2)
}

const DATE_LABEL = /dat|dag|day|tid|time/i

/** The type of a column: the first that at least 98 % of its values have. */
export function inferType(values: ColumnStats, label: string, localeHint: LocaleHint): InferredType {
  const enough = values.filled * TYPE_MIN_SHARE
  if (values.filled === 0) return textType(null)
  if (isBooleanColumn(values, label)) return { ...textType(null), type: 'boolean' }
  if (values.compactDates >= enough && DATE_LABEL.test(label))
    return { ...textType(null), type: 'date', dateOrder: 'ymd' }
  if (values.codes > 0) return textType(null)
  const mark = inferDecimalMark(values, localeHint)
  const numbers = values.numbers[mark.mark]
  if (numbers.fits >= enough) return numberType(numbers, mark)
  const order = inferDateOrder(values, localeHint)
  const dates = values.dates[order.order]
  if (dates.fits >= enough) return dateType(values, order)
  if (dates.fits >= values.filled * MIXED_MIN_SHARE) return textType('dates')
  const either = Math.max(
    numbers.fits,
    values.numbers['.'].marked + numbers.fits,
    values.numbers[','].marked + numbers.fits,
  )
  return textType(either >= values.filled * MIXED_MIN_SHARE ? 'numbers' : null)
}

function inferDecimalMark(values: ColumnStats, localeHint: LocaleHint): { mark: DecimalMark; sure: boolean } {
  const { '.': point, ',': comma } = values.numbers
  if (point.fits !== comma.fits) return { mark: point.fits > comma.fits ? '.' : ',', sure: true }
  const open = point.whole !== comma.whole || point.decimals !== comma.decimals
  return { mark: localeHint.decimalMark, sure: !open }
}

function numberType(stats: NumberStats, { mark, sure }: { mark: DecimalMark; sure: boolean }): InferredType {
  const base = { ...textType(null), decimalMark: mark, sure: { mark: sure, order: true } }
  if (stats.wholeDigits > SAFE_DIGITS) return textType(null)
  if (stats.currencies.length > 1) return textType('currencies')
  if (stats.percents > 0 && stats.percents + stats.zeros < stats.fits) return textType('percents')
  const [currency] = stats.currencies
  const format: ColumnFormat =
    stats.percents > 0
      ? { style: 'percent' }
      : currency !== undefined && stats.withCurrency >= stats.fits * MIXED_MIN_SHARE
        ? { style: 'currency', currency: currencyCode(currency) }
        : PLAIN_FORMAT
  if (stats.whole && currency === undefined) return { ...base, type: 'integer', format }
  // Room for hundredths where the file writes them: 5,00 today is 5,25 tomorrow.
  const scale = Math.max(stats.decimals, Math.min(stats.written, 2), currency === undefined ? 0 : 2)
  const exact = scale <= SCALE_MAX && stats.wholeDigits + scale <= SAFE_DIGITS
  return { ...base, type: 'number', format, ...(exact ? { scale } : {}) }
}

function inferDateOrder(values: ColumnStats, localeHint: LocaleHint): { order: DateOrder; sure: boolean } {
  const { ymd, dmy, mdy } = values.dates
  const best = Math.max(ymd.fits, dmy.fits, mdy.fits)
  const preferred = localeHint.dateOrder
  if (dmy.fits === mdy.fits && dmy.fits === best) {
    if (dmy.sum === mdy.sum) return { order: ymd.fits === best ? 'ymd' : 'dmy', sure: true }
    return { order: preferred && values.dates[preferred].fits === best ? preferred : 'dmy', sure: false }
  }
  if (dmy.fits === best) return { order: 'dmy', sure: true }
  return { order: mdy.fits === best ? 'mdy' : 'ymd', sure: true }
}

function dateType(values: ColumnStats, { order, sure }: { order: DateOrder; sure: boolean }): InferredType {
  const stats = values.dates[order]
  const base = { ...textType(null), dateOrder: order, sure: { mark: true, order: sure } }
  if (stats.midnight) return { ...base, type: 'date' }
  const zoned = stats.zoned >= stats.fits * TYPE_MIN_SHARE
  if (!zoned && stats.zoned > stats.fits * (1 - TYPE_MIN_SHARE)) return textType('zones')
  return { ...base, type: 'datetime', zoned }
}
