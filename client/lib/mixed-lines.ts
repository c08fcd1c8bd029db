import { ApiError } from './api'
import { mixedDetailsSchema } from '../../src/shared/currencies'
import type { MixedLine } from '../../src/shared/currencies'

/** What the parts come to by currency, when that is why a sum was refused; null otherwise. */
export function mixedLines(error: unknown): MixedLine[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'mixed_currency') return null
  const parsed = mixedDetailsSchema.safeParse(error.body)
  return parsed.success ? (parsed.data.lines ?? []) : null
}
