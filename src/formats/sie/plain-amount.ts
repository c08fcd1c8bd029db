import { PLAIN_DECIMALS, PLAIN_MAX } from './exact-sum'

const [MINUS, POINT, ZERO] = [45, 46, 48] as const
const NINE = 57
const MOST_DIGITS = 15
const SCALES = [10_000, 1000, 100, 10, 1] as const

/** Reads amounts whose bytes are canonical already: `-12.50`, without leading zeros, plus signs and commas. */
export class PlainAmount {
  /** In units of 10^-{@link PLAIN_DECIMALS}. */
  units = 0
  decimals = 0

  /** False for what is written in any other way, has more decimals, or is larger than plain sums take. */
  read(bytes: Uint8Array, start: number, end: number): boolean {
    const isNegative = bytes[start] === MINUS
    const first = isNegative ? start + 1 : start
    let value = 0
    let point = end
    for (let at = first; at < end; at += 1) {
      const byte = bytes[at] ?? 0
      if (byte >= ZERO && byte <= NINE) value = value * 10 + (byte - ZERO)
      else if (byte === POINT && point === end) point = at
      else return false
    }
    const decimals = point === end ? 0 : end - point - 1
    const isWritten = point > first && point !== end - 1 && end - first <= MOST_DIGITS
    if (!isWritten || decimals > PLAIN_DECIMALS) return false
    if (bytes[first] === ZERO && point - first > 1) return false
    const units = value * (SCALES[decimals] ?? 1)
    if (units > PLAIN_MAX || (isNegative && value === 0)) return false
    this.units = isNegative ? -units : units
    this.decimals = decimals
    return true
  }
}
