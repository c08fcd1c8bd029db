import { Stack, Text } from '@mantine/core'
import { useFormat } from '../../lib/format'
import { FreezePickers } from '../../lib/freeze-pickers'
import { KIND_WORDS, namesWords, frozenOf } from '../../lib/freezes'
import type { KeepChoice } from '../../lib/freezes'
import { GATE_WORDS } from '../../lib/upgrade-words'
import { SectionCard } from '../../ui/section-card'
import type { Freezes } from '../../../src/shared/subscription'

export interface FreezeSectionProps {
  freezes: Freezes
  /** When it stops; null = at once. */
  at: string | null
  /** What stays can be chosen: only where the plan is not in force yet. */
  isOpen: boolean
  choice: KeepChoice
  onChange: (choice: KeepChoice) => void
}

/** What the smaller plan has no room for, and which of it stays. */
export function FreezeSection({ freezes, at, isOpen, choice, onChange }: FreezeSectionProps) {
  const format = useFormat()
  const names = freezes.gates.map((gate) => GATE_WORDS[gate].name)
  const begin = isOpen && at !== null ? `From ${format.day(at)} what is not chosen` : 'What has no room'
  return (
    <SectionCard
      title={isOpen ? 'What stays' : 'What stays frozen'}
      description={`The plan has no room for all that is here. ${begin} is frozen, not deleted, and comes back when there is room.`}
    >
      <Stack gap="lg">
        {isOpen ? (
          <FreezePickers freezes={freezes} choice={choice} onChange={onChange} />
        ) : (
          <Frozen freezes={freezes} />
        )}
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

const Frozen = ({ freezes }: { freezes: Freezes }) => (
  <Stack gap={6}>
    {frozenOf(freezes).map(({ kind, names }) => (
      <Text key={kind} size="sm">
        <strong>{KIND_WORDS[kind].title}:</strong> {namesWords(names)}
      </Text>
    ))}
  </Stack>
)
