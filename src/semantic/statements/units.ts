import type { Cell } from '../../shared/query/result'

/** Amounts are whole numbers of 10^-4 of the currency: sums of decimals are exact. */
export const UNIT_DECIMALS = 4
const UNITS_PER_ONE = 10n ** BigInt(UNIT_DECIMALS)
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/

/** A cell of an answer in units; 0 for an empty one. Digits past {@link UNIT_DECIMALS} (of fractions) are rounded off. */
export function toUnits(cell: Cell | undefined): bigint {
  if (typeof cell !== 'number' && typeof cell !== 'string') return 0n
  const text = typeof cell === 'number' && !DECIMAL.test(String(cell)) ? cell.toFixed(UNIT_DECIMALS + 1) : String(cell)
  const found = DECIMAL.exec(text)
  if (!found) return 0n
  const [, sign, whole = '0', fraction = ''] = found
  const digits = fraction.padEnd(UNIT_DECIMALS + 1, '0')
  const rounded = BigInt(digits.slice(0, UNIT_DECIMALS)) + (digits.charAt(UNIT_DECIMALS) >= '5' ? 1n : 0n)
  const units = BigInt(whole) * UNITS_PER_ONE + rounded
  return sign === '-' ? -units : units
}

/** Units as exact decimal text with at least `decimals` decimals. */
export function unitsText(units: bigint, decimals: number): string {
  const size = (units < 0n ? -units : units).toString().padStart(UNIT_DECIMALS + 1, '0')
  const whole = size.slice(0, -UNIT_DECIMALS)
  const fraction = size.slice(-UNIT_DECIMALS)
  const kept = fraction.slice(0, decimals) + fraction.slice(decimals).replace(/0+$/, '')
  return `${units < 0n ? '-' : ''}${whole}${kept === '' ? '' : `.${kept}`}`
}

export const unitsNumber = (units: bigint): number => Number(units) / Number(UNITS_PER_ONE)
