import type { Scalar } from './plan'
import type { Column } from '../data-sources/data-sources'
import { formatAmount, formatNumber } from '../figures/figures'

/** How the values of conditions are written. */
export interface ConditionNotation {
  /** The workspace's number locale. */
  locale: string
  /** A day of ISO text. */
  day: (iso: string) => string
}

/** What is to be known of a column to write values of it. */
type ValueColumn = Pick<Column, 'type' | 'role' | 'format'>

/** More digits than a person would write; nobody's limit is rounded. */
const DECIMALS_MAX = 10
const ISO_DAY = /^\d{4}-\d{2}-\d{2}$/
const DECIMAL = /^-?\d+(\.\d+)?$/

/** A number as it is written in a limit, in full: `100 000 kr`, `12,5 %`, `0,05`. */
export function limitText(value: number | string, format: Column['format'] | undefined, locale: string): string {
  if (format?.style === 'currency') return formatAmount(value, locale, format.currency)
  const style = format?.style === 'percent' ? { style: 'percent' as const } : {}
  return formatNumber(value, locale, { ...style, maximumFractionDigits: DECIMALS_MAX })
}

/**
 * The value of a condition as people write it: `100 000 kr`, `5 Jan 2024`, `empty`. Texts, keys and years stay as they are.
 * @param column what the value is one of; undefined where it is not known
 */
export function conditionValueText(
  value: Scalar,
  column: ValueColumn | undefined,
  { locale, day }: ConditionNotation,
): string {
  if (value === null) return 'empty'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (column?.role === 'measure' && (typeof value === 'number' || DECIMAL.test(value)))
    return limitText(value, column.format, locale)
  const isDay = (column?.type === 'date' || column?.type === 'datetime') && ISO_DAY.test(String(value))
  return isDay ? day(String(value)) : String(value)
}
