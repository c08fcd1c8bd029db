import { Stack, Text } from '@mantine/core'
import { useFormat } from '../../lib/format'
import { FreezePickers } from '../../lib/freeze-pickers'
import type { KeepChoice } from '../../lib/freezes'
import { GATE_WORDS } from '../../lib/upgrade-words'
import { SectionCard } from '../../ui/section-card'
import type { Freezes } from '../../../src/shared/subscription'

export interface FreezeSectionProps {
  freezes: Freezes
  /** When it stops; null = at once. */
  at: string | null
  choice: KeepChoice
  onChange: (choice: KeepChoice) => void
}

/** What the smaller plan has no room for, and which of it stays. */
export function FreezeSection({ freezes, at, choice, onChange }: FreezeSectionProps) {
  const format = useFormat()
  const names = freezes.gates.map((gate) => GATE_WORDS[gate].name)
  return (
    <SectionCard
      title="What stays"
      description={`The plan you chose has no room for all that is here. ${at === null ? 'What is not chosen' : `From ${format.day(at)} what is not chosen`} is paused, not deleted, and comes back when there is room.`}
    >
      <Stack gap="lg">
        <FreezePickers freezes={freezes} choice={choice} onChange={onChange} />
        {names.length > 0 && (
          <Text size="sm">
            Not part of the plan: <strong>{names.join(', ')}</strong>. What is set up there stays as it is, and cannot
            be edited.
          </Text>
        )}
      </Stack>
    </SectionCard>
  )
}
