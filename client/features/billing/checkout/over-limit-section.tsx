import { useState } from 'react'
import { Stack, Text } from '@mantine/core'
import {
  toRetainInput,
  currentlyRetained,
  retainedKindTitle,
  formatNameList,
  overLimitByKind,
} from '../../../lib/plan/retained-items'
import type { RetainedChoice } from '../../../lib/plan/retained-items'
import type { OverLimitSummary } from '../../../../src/shared/billing/subscription'
import { useFormat } from '../../../lib/format'
import { useKeptDraft } from '../../../lib/writes/kept-draft'
import { RetainedItemPickers } from '../../../lib/plan/retained-item-pickers'
import { MemberOutcomes } from '../../../lib/plan/member-outcomes'
import { FEATURE_LABELS } from '../../../lib/plan/plan-labels'
import { SectionCard } from '../../../ui/section-card'

/** What the choice is about: another plan asks anew. */
const itemsKey = (summary: OverLimitSummary): string =>
  JSON.stringify(
    [summary.sources, summary.analysts, summary.users, summary.insights].map((list) => [
      list?.max,
      list?.items.map(({ id, stays }) => [id, stays]),
    ]),
  )

interface PickedItems {
  subject: string
  choice: RetainedChoice
}

/** What stays under the chosen plan: as the server orders it, until the person chooses. The choice outlives a reload. */
export function useRetainedSelection(freezes: OverLimitSummary | null) {
  const [picked, setPicked] = useState<PickedItems | null>(null)
  const draft = useKeptDraft<PickedItems | null>({
    ...{ name: 'checkout-retained', value: picked, isDirty: picked !== null },
    ...{ apply: setPicked, reset: () => setPicked(null) },
  })
  const subject = freezes ? itemsKey(freezes) : ''
  const userChoice = picked?.subject === subject ? picked.choice : null
  return {
    choice: freezes ? (userChoice ?? currentlyRetained(freezes)) : null,
    /** Whether the person has chosen otherwise than the server orders. */
    isChosen: userChoice !== null,
    choose: (choice: RetainedChoice) => setPicked({ subject, choice }),
    /** To be saved; null while nothing differs from the server's order. */
    toSave: freezes && userChoice ? toRetainInput(userChoice, freezes) : null,
    /** It is carried out: nothing of it is kept any longer. */
    clear: draft.clear,
  }
}

export interface OverLimitSectionProps {
  freezes: OverLimitSummary
  /** When it stops; null = at once. */
  at: string | null
  /** What stays can be chosen: only where the plan is not in force yet. */
  isOpen: boolean
  choice: RetainedChoice
  /** Whether the choice differs from the server's order. */
  isChosen: boolean
  onChange: (choice: RetainedChoice) => void
}

/** What the smaller plan has no room for, and which of it stays. */
export function OverLimitSection({ freezes, at, isOpen, choice, isChosen, onChange }: OverLimitSectionProps) {
  const format = useFormat()
  const names = freezes.gates.map((gate) => FEATURE_LABELS[gate].name)
  const from = isOpen && at !== null ? `From ${format.day(at)}, the` : 'The'
  return (
    <SectionCard
      title={isOpen ? 'What stays' : 'What stays over the limit'}
      description={`${from} rest becomes read-only, not deleted.`}
    >
      <Stack gap="lg">
        {isOpen ? (
          <RetainedItemPickers freezes={freezes} choice={choice} onChange={onChange} />
        ) : (
          <OverLimitNames freezes={freezes} />
        )}
        <MemberOutcomes summary={freezes} choice={isOpen && isChosen ? choice : null} />
        {names.length > 0 && (
          <Text size="sm">
            Not included: <strong>{names.join(', ')}</strong> (read-only)
          </Text>
        )}
      </Stack>
    </SectionCard>
  )
}

const OverLimitNames = ({ freezes }: { freezes: OverLimitSummary }) => (
  <Stack gap={6}>
    {overLimitByKind(freezes).map(({ kind, names }) => (
      <Text key={kind} size="sm">
        <strong>{retainedKindTitle(kind)}:</strong> {formatNameList(names)}
      </Text>
    ))}
  </Stack>
)
