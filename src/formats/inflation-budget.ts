import type { ProductError } from '../shared/errors'
import { INFLATED_MAX_BYTES, INFLATED_MAX_RATIO, INFLATED_RATIO_EXEMPT_BYTES } from '../shared/limits'

/** How much one file may still grow while it is unpacked. Both throw when it would be too much. */
export interface InflationBudget {
  /** Refuses what says itself that it is too large, before anything is done. */
  check(bytes: number): void
  /** Counts what came out. */
  consume(bytes: number): void
}

/** Bytes that a file of `fileBytes` may grow to. */
export const maxInflatedBytes = (fileBytes: number): number =>
  Math.min(INFLATED_MAX_BYTES, Math.max(INFLATED_RATIO_EXEMPT_BYTES, fileBytes * INFLATED_MAX_RATIO))

/** A budget for a file of `fileBytes`; `tooLarge` makes the refusal. */
export function inflationBudget(fileBytes: number, tooLarge: () => ProductError): InflationBudget {
  const max = maxInflatedBytes(fileBytes)
  let total = 0
  const check = (bytes: number): void => {
    if (total + bytes > max) throw tooLarge()
  }
  return {
    check,
    consume(bytes) {
      check(bytes)
      total += bytes
    },
  }
}
