/** Sums and shares of targets: exact, over decimal text. */
const SCALE = 4
const UNITS_PER_ONE = 10n ** BigInt(SCALE)

/** Decimal text in ten-thousandths. */
export function toTargetUnits(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole) * UNITS_PER_ONE + BigInt(part.padEnd(SCALE, '0').slice(0, SCALE) || '0')
  return text.startsWith('-') ? -units : units
}

/** Ten-thousandths as decimal text, without needless zeros. */
export function formatTargetUnits(units: bigint): string {
  const size = units < 0n ? -units : units
  const part = (size % UNITS_PER_ONE).toString().padStart(SCALE, '0').replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${size / UNITS_PER_ONE}${part === '' ? '' : `.${part}`}`
}

/** The exact sum of decimal texts. */
export const sumTargetValues = (values: readonly string[]): string =>
  formatTargetUnits(values.reduce((sum, value) => sum + toTargetUnits(value), 0n))

/** Shares of figures that are no exact decimals are good to twelve digits. */
const WEIGHT_DIGITS = 1e12

/** Weights as whole numbers in the same proportions: exact for decimals that a target could hold. */
function wholeWeights(weights: readonly number[]): bigint[] {
  const units = weights.map((weight) => weight * Number(UNITS_PER_ONE))
  if (units.every((unit) => Number.isSafeInteger(unit))) return units.map((unit) => BigInt(unit))
  const largest = Math.max(...weights)
  return weights.map((weight) => BigInt(Math.round((weight / largest) * WEIGHT_DIGITS)))
}

/**
 * Spreads a whole over parts by their weights, rounded to `decimals`, so that the parts add up exactly to the whole: the
 * largest remainders are rounded away from zero (Hamilton's method), the earlier part first where they are equal. Negative
 * weights and weights that add up to nothing spread evenly.
 */
export function spreadTarget(whole: string, weights: readonly number[], decimals = 0): string[] {
  if (weights.length === 0) return []
  const usable =
    weights.every((weight) => Number.isFinite(weight) && weight >= 0) && weights.some((weight) => weight > 0)
  const shares = usable ? wholeWeights(weights) : weights.map(() => 1n)
  const all = shares.reduce((sum, share) => sum + share, 0n)
  const total = toTargetUnits(whole)
  const size = total < 0n ? -total : total
  // A whole that is finer than the rounding keeps its own decimals in the parts.
  const step = 10n ** BigInt(SCALE - Math.min(Math.max(decimals, decimalsOf(whole)), SCALE))
  const steps = size / step
  const parts = shares.map((share) => (steps * share) / all)
  const rest = Number(steps - parts.reduce((sum, part) => sum + part, 0n))
  const byRemainder = shares
    .map((share, at) => ({ at, remainder: (steps * share) % all }))
    .toSorted((a, b) => (a.remainder === b.remainder ? a.at - b.at : a.remainder > b.remainder ? -1 : 1))
  const up = new Set(byRemainder.slice(0, rest).map(({ at }) => at))
  return parts.map((part, at) => {
    const units = (up.has(at) ? part + 1n : part) * step
    return formatTargetUnits(total < 0n ? -units : units)
  })
}

const decimalsOf = (text: string): number => text.split('.')[1]?.replace(/0+$/, '').length ?? 0

/** The same in every part, as exactly as it goes. */
export const spreadTargetEvenly = (whole: string, parts: number, decimals = 0): string[] =>
  spreadTarget(
    whole,
    Array.from({ length: parts }, () => 1),
    decimals,
  )
