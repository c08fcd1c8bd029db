import { Stack, Text } from '@mantine/core'
import { forecastMembers, type MemberOutcome } from '../../../src/shared/billing/member-outcomes'
import type { OverLimitSummary } from '../../../src/shared/billing/subscription'
import { toRetainInput, type RetainedChoice } from './retained-items'

const OUTCOMES: readonly { outcome: MemberOutcome; label: string }[] = [
  { outcome: 'lockedOut', label: 'Locked out' },
  { outcome: 'viewer', label: 'Become viewers' },
  { outcome: 'stays', label: 'Keep their role' },
]

export interface MemberOutcomesProps {
  summary: OverLimitSummary
  /** Who is chosen to stay; null = as the server orders them. */
  choice: RetainedChoice | null
}

/** Every member by name with what happens to them; nothing where no limit of people is exceeded. */
export function MemberOutcomes({ summary, choice }: MemberOutcomesProps) {
  const retained = choice === null ? null : toRetainInput(choice, summary).members
  const members = forecastMembers(summary, retained)
  if (members.length === 0) return null
  return (
    <Stack gap={4} component="section" aria-label="What happens to members">
      {OUTCOMES.map(({ outcome, label }) => {
        const names = members.filter((member) => member.outcome === outcome).map(({ name }) => name)
        return (
          names.length > 0 && (
            <Text key={outcome} size="sm">
              <strong>
                {label} ({names.length}):
              </strong>{' '}
              {names.join(', ')}
            </Text>
          )
        )
      })}
    </Stack>
  )
}
