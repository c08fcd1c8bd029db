import { Group, SegmentedControl, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { DIGEST_CADENCES } from '../../../src/shared/digest'
import { notifyError } from '../../ui/notify-refusal'
import { SectionCard } from '../../ui/section-card'
import { digestQuery, useSaveDigest } from './queries'

const CADENCE_LABELS = { off: 'Off', daily: 'Daily', weekly: 'Weekly' } as const
const CADENCE_SAVED_MESSAGES = {
  off: 'No digest is sent to you.',
  daily: 'You get the digest every morning.',
  weekly: 'You get the digest once a week.',
} as const

/** How often one hears of what one follows. */
export function DigestCard() {
  const setting = useQuery(digestQuery())
  const save = useSaveDigest()
  if (!setting.data) return null
  const { cadence, following } = setting.data
  return (
    <SectionCard
      title="Digest mail"
      description="The insights you follow with their newest figures, and what was found since the last one, in the morning on the workspace's clock."
    >
      <Group gap="md">
        <SegmentedControl
          aria-label="How often the digest comes"
          value={save.variables ?? cadence}
          disabled={save.isPending}
          data={DIGEST_CADENCES.map((value) => ({ value, label: CADENCE_LABELS[value] }))}
          onChange={(value) => {
            const chosen = DIGEST_CADENCES.find((one) => one === value)
            if (!chosen) return
            save.mutate(chosen, {
              onSuccess: () => notifications.show({ color: 'green', message: CADENCE_SAVED_MESSAGES[chosen] }),
              onError: notifyError,
              onSettled: () => save.reset(),
            })
          }}
        />
        <Text size="sm" c="dimmed">
          {following === 0
            ? 'You follow no insight yet: choose Follow on the page of one.'
            : `You follow ${following === 1 ? 'one insight' : `${following} insights`}.`}
        </Text>
      </Group>
    </SectionCard>
  )
}
