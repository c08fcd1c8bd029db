import { z } from 'zod'
import { ApiError } from './api'
import { DEPENDENT_TYPES } from '../../src/shared/sources'
import type { Dependent } from '../../src/shared/sources'

const dependentsSchema = z.array(z.object({ type: z.enum(DEPENDENT_TYPES), id: z.string(), name: z.string() }))

/** What still uses the thing, when that is why the server refused. */
export function dependentsOf(error: unknown): Dependent[] | null {
  if (!(error instanceof ApiError) || error.body.code !== 'in_use') return null
  const parsed = dependentsSchema.safeParse(error.body['dependents'])
  return parsed.success ? parsed.data : []
}
