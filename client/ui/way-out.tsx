import { lazy, Suspense } from 'react'
import { ApiError } from '../lib/api'
import type { ErrorCode } from '../../src/shared/errors'

const OF_THE_PLAN: readonly ErrorCode[] = ['plan_required', 'limit_reached', 'read_only']
const Ways = lazy(() => import('./upgrade-ways'))

/** Whether the plan stands behind a refusal. */
export const isOfThePlan = (error: unknown): boolean =>
  error instanceof ApiError && OF_THE_PLAN.includes(error.body.code)

/** Below a refusal of the plan: what opens it and what that costs. Brought in when there is one; nothing for others. */
export function WayOut({ error }: { error: unknown }) {
  if (!isOfThePlan(error)) return null
  return (
    <Suspense fallback={null}>
      <Ways error={error} />
    </Suspense>
  )
}
