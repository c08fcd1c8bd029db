import { DAY_MS } from '../date-text'
import { isCurrencyCode } from '../number-text'
import type { SheetValue } from './column-facts'
import { msToHoursText, normalizeIsoText, numberToText, msToTimeText } from './serial-date'
import type { XmlTag } from './xml-scanner'

/** What a cell's tag says; its text comes after. */
export interface OdsCell {
  type: string
  value: string
  currency: string
  formula: boolean
  error: boolean
  style: string | undefined
}

const ERROR_PATTERN = /^(?:#[A-Z/0!?]+|Err:\d{3})$/
const DURATION_PATTERN = /^(-?)P(?:(\d{1,7})D)?T?(?:(\d{1,7})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:[.,](\d{1,9}))?S)?$/

export function parseOdsCell(tag: XmlTag): OdsCell {
  const type = tag.attribute('office:value-type') ?? ''
  const named = type === 'date' ? 'office:date-value' : type === 'time' ? 'office:time-value' : `office:${type}-value`
  return {
    type,
    value: tag.attribute(named) ?? tag.attribute('office:value') ?? '',
    currency: tag.attribute('office:currency') ?? '',
    formula: tag.attribute('table:formula') !== undefined,
    error: tag.attribute('calcext:value-type') === 'error',
    style: tag.attribute('table:style-name'),
  }
}

/** An error such as `#DIV/0!` where a value should stand. */
export interface CellError {
  error: string
}

/** The value of a cell; `null` when it is empty. */
export function odsCellValue(cell: OdsCell, shown: string, duration: boolean): SheetValue | CellError | null {
  if (cell.error || (cell.formula && ERROR_PATTERN.test(shown))) return { error: shown || 'error' }
  switch (cell.type) {
    case 'float':
      return numericValue(cell.value, shown, {})
    case 'percentage':
      return numericValue(cell.value, shown, { format: { kind: 'percent' } })
    case 'currency':
      return numericValue(
        cell.value,
        shown,
        isCurrencyCode(cell.currency) ? { format: { kind: 'number', currency: cell.currency } } : {},
      )
    case 'date':
      return { text: normalizeIsoText(cell.value), kind: 'date' }
    case 'time':
      return durationValue(cell.value, duration)
    case 'boolean':
      return { text: cell.value === 'true' ? 'true' : 'false', kind: 'boolean' }
    default: {
      const text = cell.value === '' ? shown : cell.value
      return text === '' ? null : { text, kind: 'text' }
    }
  }
}

function numericValue(value: string, shown: string, more: Pick<SheetValue, 'format'>): SheetValue {
  const number = Number(value)
  if (value === '' || !Number.isFinite(number)) return { text: value === '' ? shown : value, kind: 'text' }
  return { text: numberToText(number, value), kind: 'number', ...more }
}

/** `PT10H30M00S`: a time of day, or hours where the format counts past 24. */
function durationValue(value: string, duration: boolean): SheetValue {
  const match = DURATION_PATTERN.exec(value)
  if (!match) return { text: value, kind: 'text' }
  const [, sign, days = 0, hours = 0, minutes = 0, seconds = 0, fraction = ''] = match
  const whole = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds)
  const ms = (whole * 1000 + Number(fraction.slice(0, 3).padEnd(3, '0'))) * (sign === '-' ? -1 : 1)
  if (duration || ms < 0 || ms >= DAY_MS)
    return { text: msToHoursText(ms), kind: 'number', format: { kind: 'duration' } }
  return { text: msToTimeText(ms), kind: 'date' }
}
