import { Text } from '@mantine/core'
import { modals } from '@mantine/modals'
import type { Insight } from '../../../src/shared/insights'
import type { QueryPlan } from '../../../src/shared/query'

interface Change {
  /** The insight that is changed; null for a new one. */
  insight: Insight | null
  plan: QueryPlan
  onGoOn: () => void
}

/** Asks before a change that ends somebody's verification: another name or chart does not, another question does. */
export function beforeUnverified({ insight, plan, onGoOn }: Change): void {
  const verified = insight?.verified
  if (!verified || isSame(plan, insight.plan)) return onGoOn()
  modals.openConfirmModal({
    title: 'This ends the verification',
    children: (
      <Text size="sm">
        {verified.byName} verified these figures. Saved like this the insight asks another question, and is not verified
        any more until somebody verifies it again.
      </Text>
    ),
    labels: { confirm: 'Save anyway', cancel: 'Go back' },
    cancelProps: { 'data-autofocus': true },
    onConfirm: onGoOn,
  })
}

/** The same question, whatever the order of its keys. */
const isSame = (a: unknown, b: unknown): boolean => canonical(a) === canonical(b)
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return `{${entries
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => `${key}:${canonical(each)}`)
    .join()}}`
}
