import { Select, Text } from '@mantine/core'
import { FREQUENCIES } from '../../../src/shared/data-sources/connections'
import { LinkAnchor } from '../../ui/buttons/links'

const LABELS: Record<(typeof FREQUENCIES)[number], string> = {
  1: 'Every hour',
  3: 'Every 3 hours',
  6: 'Every 6 hours',
  12: 'Every 12 hours',
  24: 'Every day',
  168: 'Every week',
}

interface ScheduleFieldProps {
  hours: number
  /** How often the plan allows, hours. */
  planHours: number
  onChange: (hours: number) => void
}

/** How often a source is read; what the plan does not allow is shown and leads to what does. */
export function ScheduleField({ hours, planHours, onChange }: ScheduleFieldProps) {
  const isLimited = FREQUENCIES.some((each) => each < planHours)
  return (
    <div>
      <Select
        label="Sync"
        maw={280}
        allowDeselect={false}
        data={FREQUENCIES.map((each) => ({ value: String(each), label: LABELS[each], disabled: each < planHours }))}
        value={String(hours)}
        onChange={(value) => onChange(Number(value ?? hours))}
      />
      {isLimited && (
        <Text size="sm" c="dimmed" mt={4}>
          Your plan syncs every {planHours} hours at most.{' '}
          <LinkAnchor to="/settings/workspace/subscription" size="sm" underline="always">
            Sync more often
          </LinkAnchor>
        </Text>
      )}
    </div>
  )
}
