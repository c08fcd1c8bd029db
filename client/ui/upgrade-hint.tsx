import { lazy, Suspense } from 'react'
import { ApiError } from '../lib/api'
import type { ErrorCode } from '../../src/shared/errors'

const PLAN_ERROR_CODES: readonly ErrorCode[] = ['plan_required', 'limit_reached', 'read_only']
const LazyHintContent = lazy(() => import('./upgrade-hint-content'))

/** Whether the plan stands behind a refusal. */
export const isPlanError = (error: unknown): boolean =>
  error instanceof ApiError && PLAN_ERROR_CODES.includes(error.body.code)

/** Below a refusal of the plan: what opens it and what that costs. Brought in when there is one; nothing for others. */
export function UpgradeHint({ error }: { error: unknown }) {
  if (!isPlanError(error)) return null
  return (
    <Suspense fallback={null}>
      <LazyHintContent error={error} />
    </Suspense>
  )
}
