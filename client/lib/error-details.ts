import { z } from 'zod'
import { ApiError } from './api'
import { DEPENDENT_TYPES, type Dependent } from '../../src/shared/data-sources/data-sources'
import { mixedCurrencyDetailsSchema, type MixedCurrencyLine } from '../../src/shared/currencies'

const dependentsSchema = z.array(z.object({ type: z.enum(DEPENDENT_TYPES), id: z.string(), name: z.string() }))

/** What still uses the thing, when that is why the server refused. */
export function dependentsOf(error: unknown): Dependent[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  const parsed = dependentsSchema.safeParse(error.body['dependents'])
  return parsed.success ? parsed.data : []
}

/** What the parts come to by currency, when that is why a sum was refused; null otherwise. */
export function mixedCurrencyLines(error: unknown): MixedCurrencyLine[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'mixed_currency') return null
  const parsed = mixedCurrencyDetailsSchema.safeParse(error.body)
  return parsed.success ? (parsed.data.lines ?? []) : null
}

/** Whether somebody else saved a newer version first. */
export const isVersionConflict = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.body.code === 'version_conflict'

/** The version that somebody else saved meanwhile, when that is why the server refused. */
export function conflictingVersion<T>(error: unknown, isVersion: (value: object) => value is T & object): T | null {
  if (!isVersionConflict(error)) return null
  const current: unknown = error.body['current']
  return typeof current === 'object' && current !== null && isVersion(current) ? current : null
}
