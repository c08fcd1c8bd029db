import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Alert } from '../../../src/shared/alerts'
import { formatAlertPeriod } from '../../../src/shared/alert-words'
import { useCellFormatter } from '../../ui/chart/figure-format'
import { formatAlertValue, useDescribeCondition } from './alert-figures'
import classes from './alerts.module.css'
import { AlertBadges } from './state-badge'

/** One alert of a list: what it watches, and how it stands. */
export function AlertListItem({ alert }: { alert: Alert }) {
  const words = useDescribeCondition()
  return (
    <li>
      <Link to="/alerts/$id" params={{ id: alert.id }} className={classes.line}>
        <div style={{ minWidth: 0, flex: '1 1 18rem' }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {alert.name}
          </Text>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {alert.subjectName ?? 'Deleted insight'} {words(alert, alert.format)}
          </Text>
        </div>
        <Group gap="xs" wrap="wrap">
          <LatestValue alert={alert} />
          <AlertBadges alert={alert} />
        </Group>
      </Link>
    </li>
  )
}

/** The figure that was looked at last, or how many groups set it off. */
function LatestValue({ alert }: { alert: Alert }) {
  const format = useCellFormatter()
  const [first] = alert.groups
  if (!first) return null
  const triggeredCount = alert.groups.filter(({ state }) => state !== 'ok').length
  if (alert.by !== null)
    return (
      <Text size="sm" c="dimmed" className="figure">
        {triggeredCount} of {alert.groups.length} off limits
      </Text>
    )
  if (first.value === null || first.period === null) return null
  return (
    <Text size="sm" className="figure">
      {formatAlertValue(first.value, alert.format, format)}{' '}
      <Text span c="dimmed" inherit>
        {formatAlertPeriod(first.period, alert.grain)}
      </Text>
    </Text>
  )
}
