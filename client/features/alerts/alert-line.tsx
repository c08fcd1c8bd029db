import { Group, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Alert } from '../../../src/shared/alerts'
import { alertPeriod } from '../../../src/shared/alert-words'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { alertFigure, useConditionWords } from './alert-figures'
import classes from './alerts.module.css'
import { AlertMarks } from './state-badge'

/** One alert of a list: what it watches, and how it stands. */
export function AlertLine({ alert }: { alert: Alert }) {
  const words = useConditionWords()
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
          <Newest alert={alert} />
          <AlertMarks alert={alert} />
        </Group>
      </Link>
    </li>
  )
}

/** The figure that was looked at last, or how many groups set it off. */
function Newest({ alert }: { alert: Alert }) {
  const format = useFigureFormat()
  const [first] = alert.groups
  if (!first) return null
  const off = alert.groups.filter(({ state }) => state !== 'ok').length
  if (alert.by !== null)
    return (
      <Text size="sm" c="dimmed" className="figure">
        {off} of {alert.groups.length} off limits
      </Text>
    )
  if (first.value === null || first.period === null) return null
  return (
    <Text size="sm" className="figure">
      {alertFigure(first.value, alert.format, format)}{' '}
      <Text span c="dimmed" inherit>
        {alertPeriod(first.period, alert.grain)}
      </Text>
    </Text>
  )
}
