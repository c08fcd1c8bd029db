import { ApiError } from './api'
import { mixedCurrencyDetailsSchema } from '../../src/shared/currencies'
import type { MixedCurrencyLine } from '../../src/shared/currencies'

/** What the parts come to by currency, when that is why a sum was refused; null otherwise. */
export function mixedCurrencyLines(error: unknown): MixedCurrencyLine[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'mixed_currency') return null
  const parsed = mixedCurrencyDetailsSchema.safeParse(error.body)
  return parsed.success ? (parsed.data.lines ?? []) : null
}
