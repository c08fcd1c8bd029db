/** An exact number: n / 10^scale. */
export interface ExactDecimal {
  n: bigint
  scale: number
}
export const INT64_MAX = 2n ** 63n - 1n
export const SAFE_MAX = 2n ** 53n - 1n
/** Decimals that a product keeps; one with more is floating point. */
export const SCALE_MAX = 12

export const pow10 = (scale: number): bigint => 10n ** BigInt(scale)
export const magnitude = (n: bigint): bigint => (n < 0n ? -n : n)

/** The decimal that a number or decimal text shows; null for exponents, infinities and other texts. */
export function exactOf(value: number | string): ExactDecimal | null {
  const found = /^(-?)(\d{1,30})(?:\.(\d{1,20}))?$/.exec(String(value))
  if (!found) return null
  const [, sign = '', whole = '', fraction = ''] = found
  return { n: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length }
}

/** The same number with another scale; null when digits would be lost. */
export function rescale({ n, scale }: ExactDecimal, to: number): bigint | null {
  if (to >= scale) return n * pow10(to - scale)
  const divisor = pow10(scale - to)
  return n % divisor === 0n ? n / divisor : null
}

/** n / d as the nearest double (to 30 digits when either is past 2^53). */
export function quotient(n: bigint, d: bigint): number {
  if (magnitude(n) <= SAFE_MAX && magnitude(d) <= SAFE_MAX) return Number(n) / Number(d)
  const [top, under] = [magnitude(n), magnitude(d)]
  const shift = 30 + under.toString().length - top.toString().length
  const digits = shift >= 0 ? (top * pow10(shift)) / under : top / (under * pow10(-shift))
  const value = Number(`${digits}e${-shift}`)
  return n < 0n === d < 0n ? value : -value
}

export const toNumber = ({ n, scale }: ExactDecimal): number => quotient(n, pow10(scale))

/** A number when its digits fit a double's integers, else decimal text. */
export function toCell({ n, scale }: ExactDecimal): number | string {
  if (magnitude(n) <= SAFE_MAX) return Number(n) / 10 ** scale
  if (scale === 0) return n.toString()
  const digits = magnitude(n)
    .toString()
    .padStart(scale + 1, '0')
  const fraction = digits.slice(-scale).replace(/0+$/, '')
  return `${n < 0n ? '-' : ''}${digits.slice(0, -scale)}${fraction === '' ? '' : `.${fraction}`}`
}

export function subtract(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  const scale = Math.max(a.scale, b.scale)
  return { n: a.n * pow10(scale - a.scale) - b.n * pow10(scale - b.scale), scale }
}
