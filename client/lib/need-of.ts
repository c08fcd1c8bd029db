import { ApiError } from './api'
import { readOnlyReasonOf } from './read-only-words'
import type { PlanNeed } from './upgrade'
import { GATE_NAMES, LIMIT_NAMES } from '../../src/shared/plans'

/** What of the plan stands behind a refusal; null for refusals about anything else. */
export function planNeedOf(error: unknown): PlanNeed | null {
  if (!(error instanceof ApiError)) return null
  const { code, feature, limit, used, reason } = error.body
  const gate = GATE_NAMES.find((name) => name === feature)
  if (code === 'plan_required' && gate) return { kind: 'gate', gate }
  const counted = LIMIT_NAMES.find((name) => name === limit)
  if (code === 'limit_reached' && counted)
    return { kind: 'limit', limit: counted, ...(typeof used === 'number' ? { count: used + 1 } : {}) }
  const why = readOnlyReasonOf(reason)
  return code === 'read_only' && why ? { kind: 'write', reason: why } : null
}
