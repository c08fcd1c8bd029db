import { Button, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconBellPlus } from '@tabler/icons-react'
import type { Insight } from '../../../src/shared/insights'
import type { Metric } from '../../../src/shared/metrics'
import { timeOf } from '../../../src/shared/tracked'
import { useMayNow } from '../../lib/gate'
import { SectionCard } from '../../ui/section-card'
import { AlertDialog } from './alert-dialog'
import type { NewSubject } from './alert-dialog'
import { AlertLine } from './alert-line'
import classes from './alerts.module.css'
import { alertsQuery } from './queries'

/** The alerts of one insight, on its page. Nothing where it has no date to be followed over. */
export function InsightAlerts({ insight }: { insight: Insight }) {
  const isFollowed = timeOf(insight.plan) !== null && insight.plan.measures.length > 0
  return isFollowed ? <AlertsOf subject={{ insight }} /> : null
}

/** The alerts of one metric, on its page. Nothing where it has no date. */
export const MetricAlerts = ({ metric }: { metric: Metric }) =>
  metric.time === null ? null : <AlertsOf subject={{ metric }} />

function AlertsOf({ subject }: { subject: NewSubject }) {
  const of = subject.insight ? { insight: subject.insight.id } : { metric: subject.metric.id }
  const alerts = useInfiniteQuery(alertsQuery(of))
  const may = useMayNow('edit:alert')
  const [making, dialog] = useDisclosure(false)
  const items = alerts.data?.pages.flatMap((page) => page.items) ?? []
  if (!alerts.data || (items.length === 0 && !may)) return null
  return (
    <SectionCard title="Alerts">
      <Stack gap="sm">
        {items.length === 0 ? (
          <Text size="sm" c="dimmed">
            Nobody is told when this figure leaves its limits.
          </Text>
        ) : (
          <ul
            className={classes.list}
            aria-label={subject.insight ? 'Alerts of this insight' : 'Alerts of this metric'}
          >
            {items.map((alert) => (
              <AlertLine key={alert.id} alert={alert} />
            ))}
          </ul>
        )}
        {may && (
          <Group>
            <Button
              variant="default"
              size="xs"
              leftSection={<IconBellPlus size={14} aria-hidden />}
              onClick={dialog.open}
            >
              Alert me
            </Button>
          </Group>
        )}
      </Stack>
      {making && <AlertDialog alert={null} {...subject} onClose={dialog.close} />}
    </SectionCard>
  )
}
