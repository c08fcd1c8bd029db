import { confirmAction } from '../../../ui/forms/confirm-dialog'
import type { Insight } from '../../../../src/shared/insights'
import type { QueryPlan } from '../../../../src/shared/query/plan'

interface VerifiedPlanChange {
  /** The insight that is changed; null for a new one. */
  insight: Insight | null
  plan: QueryPlan
  onProceed: () => void
}

/** Asks before a change that ends somebody's verification: another name or chart does not, another question does. */
export function confirmVerificationLoss({ insight, plan, onProceed }: VerifiedPlanChange): void {
  const verified = insight?.verified
  if (!verified || isSamePlan(plan, insight.plan)) return onProceed()
  confirmAction({
    title: 'Remove verification?',
    message: `${verified.byName} verified these figures. Your changes affect them, so the insight must be verified again.`,
    confirm: 'Save anyway',
    cancel: 'Go back',
    onConfirm: onProceed,
  })
}

/** The same question, whatever the order of its keys. */
const isSamePlan = (a: unknown, b: unknown): boolean => canonicalJson(a) === canonicalJson(b)
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${key}:${canonicalJson(each)}`)
    .join()}}`
}
