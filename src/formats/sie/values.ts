import { dayFromIso } from '../../shared/dates'

/** Decimals that sums are exact to; more are left out of sums, never out of rows. */
export const SUM_DECIMALS = 8

export interface SieAmount {
  /** Canonical: decimal point, sign kept, no leading zeros. */
  text: string
  /** Units of 10^-{@link SUM_DECIMALS}. */
  units: bigint
  decimals: number
}

const AMOUNT_PATTERN = /^([+-]?)0*(\d*)(?:[.,](\d*))?$/
const AMOUNT_MAX_CHARS = 40

/** A number with a decimal point (or, against the rules, a comma). Null when it is none. */
export function parseSieAmount(field: string): SieAmount | null {
  if (field.length > AMOUNT_MAX_CHARS) return null
  const found = AMOUNT_PATTERN.exec(field) ?? AMOUNT_PATTERN.exec(field.replace(/[\s\u00a0]/g, ''))
  if (!found) return null
  const [, sign = '', whole = '', fraction = ''] = found
  if (whole === '' && fraction === '' && !field.includes('0')) return null
  const size = `${whole === '' ? '0' : whole}${fraction === '' ? '' : `.${fraction}`}`
  const units = BigInt(whole + fraction.slice(0, SUM_DECIMALS).padEnd(SUM_DECIMALS, '0'))
  const negative = sign === '-' && units !== 0n
  return { text: negative ? `-${size}` : size, units: negative ? -units : units, decimals: fraction.length }
}

/** A sum in units as people read it: thousands apart, at least two decimals: `−1 012 516.00`. */
export function formatUnits(units: bigint): string {
  const sign = units < 0n ? '−' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(SUM_DECIMALS + 1, '0')
  const fraction = digits.slice(-SUM_DECIMALS).replace(/0{1,6}$/, '')
  const whole = digits.slice(0, -SUM_DECIMALS).replace(/\B(?=(\d{3})+$)/g, '\u00a0')
  return `${sign}${whole}.${fraction}`
}

/** Units as a plain decimal: `-12.5`. */
export function decimalText(units: bigint): string {
  const digits = (units < 0n ? -units : units).toString().padStart(SUM_DECIMALS + 1, '0')
  const fraction = digits.slice(-SUM_DECIMALS).replace(/0+$/, '')
  const whole = digits.slice(0, -SUM_DECIMALS)
  return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

const DATE_PATTERN = /^(\d{4})-?(\d{2})-?(\d{2})$/

/** `yyyymmdd` as `yyyy-mm-dd`, or null when there is no such day. */
export function parseSieDate(field: string): string | null {
  const found = DATE_PATTERN.exec(field)
  if (!found) return null
  const [, year = '', month = '', day = ''] = found
  const iso = `${year}-${month}-${day}`
  return Number(year) >= 1000 && dayFromIso(iso) !== null ? iso : null
}

/** `yyyymm` as the first day of that month, or null. */
export function parseSiePeriod(field: string): string | null {
  return /^\d{6}$/.test(field) ? parseSieDate(`${field}01`) : null
}

/** An organisation number in one notation (`556265-1892`), so that files of different programs meet. */
export function parseOrgNumber(field: string): string {
  const digits = field.replace(/[\s-]/g, '')
  const ten = /^(?:16|18|19|20)\d{10}$/.test(digits) ? digits.slice(2) : digits
  return /^\d{10}$/.test(ten) ? `${ten.slice(0, 6)}-${ten.slice(6)}` : field.trim()
}

export interface FiscalYear {
  /** `2025` for a calendar year, else its months: `2009-07/2010-06`. */
  name: string
  start: string
  end: string
}

export function toFiscalYear(start: string, end: string): FiscalYear {
  const year = start.slice(0, 4)
  const calendar = start === `${year}-01-01` && end === `${year}-12-31`
  return { name: calendar ? year : `${start.slice(0, 7)}/${end.slice(0, 7)}`, start, end }
}
