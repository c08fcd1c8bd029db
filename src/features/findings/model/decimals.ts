/** Exact decimals: a whole number of units of 10^−scale. */
export interface ExactDecimal {
  units: bigint
  scale: number
}
export type NumericCell = number | string | null

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/
const powerOfTen = (scale: number): bigint => 10n ** BigInt(scale)

/** n / d, half away from zero. */
function divideRounded(n: bigint, d: bigint): bigint {
  const half = d / 2n
  return n < 0n ? -((-n + half) / d) : (n + half) / d
}

/** A figure in units of 10^−scale; what is not a finite number is null. Digits past the scale are rounded. */
export function toDecimalUnits(numericCell: NumericCell, scale: number): bigint | null {
  if (numericCell === null) return null
  const found = typeof numericCell === 'string' ? DECIMAL.exec(numericCell) : null
  if (found) {
    const [, sign = '', whole = '', fraction = ''] = found
    const all = BigInt(`${whole}${fraction}`) * powerOfTen(scale)
    const units = divideRounded(all, powerOfTen(fraction.length))
    return sign === '' ? units : -units
  }
  const value = Number(numericCell)
  if (numericCell === '' || !Number.isFinite(value)) return null
  const scaled = value * 10 ** scale
  return Math.abs(scaled) < 2 ** 53 ? BigInt(Math.round(scaled)) : BigInt(Math.trunc(value)) * powerOfTen(scale)
}

export const toFiniteNumber = (numericCell: NumericCell): number | null => {
  if (numericCell === null || numericCell === '') return null
  const value = Number(numericCell)
  return Number.isFinite(value) ? value : null
}

/** Decimals kept for figures that are not exact: about fifteen digits of the largest, never more than twelve. */
export function scaleForMagnitude(largest: number): number {
  if (!(largest > 0) || !Number.isFinite(largest)) return 0
  return Math.min(12, Math.max(0, 14 - Math.floor(Math.log10(largest))))
}

export function formatDecimal({ units, scale }: ExactDecimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = scale === 0 ? '' : digits.slice(-scale).replace(/0+$/, '')
  const sign = units < 0n ? '-' : ''
  return `${sign}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** The decimal nearest to a number, at this scale. */
export const formatNumberAtScale = (value: number, scale: number): string =>
  formatDecimal({ units: toDecimalUnits(value, scale) ?? 0n, scale })

/** units of 10^−scale as the nearest number. */
export function decimalToNumber({ units, scale }: ExactDecimal): number {
  const size = units < 0n ? -units : units
  return size < 2n ** 53n && scale <= 22 ? Number(units) / 10 ** scale : Number(formatDecimal({ units, scale }))
}
