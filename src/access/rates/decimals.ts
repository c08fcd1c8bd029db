import { RATE_DECIMALS } from '../../shared/currencies'

/** n / d to the nearest whole number; of two equally near ones the even one. `d` is above zero. */
export function divideHalfEven(n: bigint, d: bigint): bigint {
  const sign = n < 0n ? -1n : 1n
  const size = n * sign
  const [whole, rest] = [size / d, (size % d) * 2n]
  const up = rest > d || (rest === d && whole % 2n === 1n)
  return sign * (up ? whole + 1n : whole)
}

export const RATE_SCALE = 10n ** BigInt(RATE_DECIMALS)
const RATE_PATTERN = /^(\d{1,12})(?:\.(\d{1,20}))?$/

/** Decimal text as a rate × 10^10; null when it is no rate. */
export function parseRate(text: string): bigint | null {
  const [, whole, fraction = ''] = RATE_PATTERN.exec(text) ?? []
  if (whole === undefined) return null
  const scaled = BigInt(whole + fraction) * RATE_SCALE
  const rate = divideHalfEven(scaled, 10n ** BigInt(fraction.length))
  return rate > 0n ? rate : null
}

/** A rate × 10^10 as decimal text without needless zeros. */
export function formatRate(rate: bigint): string {
  const digits = rate.toString().padStart(RATE_DECIMALS + 1, '0')
  const fraction = digits.slice(-RATE_DECIMALS).replace(/0+$/, '')
  return `${digits.slice(0, -RATE_DECIMALS)}${fraction === '' ? '' : `.${fraction}`}`
}
