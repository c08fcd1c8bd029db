import { Badge, Group, Text } from '@mantine/core'
import { IconAlertTriangle, IconBell, IconBellOff, IconCheck, IconEye, IconPlayerPause } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { describeCondition, describeHold } from '../../../src/shared/alerts'
import type { Alert, AlertState } from '../../../src/shared/alerts'
import { subjectPrefix } from '../../../src/shared/figures/subject-prefix'
import type { ColumnFormat } from '../../../src/shared/data-sources/files'
import { useCellFormatter } from '../../lib/cell-formatter'
import type { CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { useFormat } from '../../lib/format'
import classes from './alerts.module.css'
import { MutedText } from '../../ui/muted-text'

export function formatAlertValue(value: number | null, unit: ColumnFormat | null, format: CellFormatter): string {
  return format.round(value, { type: 'number', kind: 'measure', format: unit ?? { style: 'plain' } })
}

/** A change of a percentage is written in points. */
const POINTS_COLUMN = { type: 'number', kind: 'measure', format: { style: 'percent' } } as const

/** What triggers an alert, in words: “above 100 000 kr for 2 months in a row”. */
export function useDescribeCondition(): (
  alert: Pick<Alert, 'condition' | 'grain' | 'hold'>,
  unit: ColumnFormat | null,
) => string {
  const format = useCellFormatter()
  return (alert, unit) =>
    [
      describeCondition(alert.condition, alert.grain, {
        measure: (value) => formatAlertValue(value, unit, format),
        percent: (part) => format.percent(part),
        points: (part) => format.signed(part, POINTS_COLUMN).replace(/^\+/, ''),
        isPercent: unit?.style === 'percent',
      }),
      describeHold(alert),
    ]
      .filter((words) => words !== null)
      .join(' ')
}

const STATE_DISPLAY: Record<AlertState, { color: string; words: string; icon: typeof IconBell }> = {
  ok: { color: 'green', words: 'OK', icon: IconCheck },
  open: { color: 'red', words: 'Open', icon: IconBell },
  acknowledged: { color: 'yellow', words: 'Acknowledged', icon: IconEye },
}

export const stateLabel = (state: AlertState): string => STATE_DISPLAY[state].words

export function StateBadge({ state }: { state: AlertState }) {
  const { color, words, icon: Icon } = STATE_DISPLAY[state]
  return (
    <Badge color={color} leftSection={<Icon size={12} aria-hidden />} style={{ flex: 'none' }}>
      {words}
    </Badge>
  )
}

/** Its state, and what keeps it from being evaluated or from speaking. */
export function AlertBadges({
  alert,
}: {
  alert: Pick<Alert, 'state' | 'groups' | 'active' | 'trouble' | 'mutedUntil'>
}) {
  // What was never judged is not OK.
  const isJudged = alert.groups.length > 0 || alert.trouble === null
  const badge = (words: string, Icon: typeof IconBell) => (
    <Badge variant="default" leftSection={<Icon size={12} aria-hidden />} style={{ flex: 'none' }}>
      {words}
    </Badge>
  )
  return (
    <>
      {alert.active && isJudged && <StateBadge state={alert.state} />}
      {!alert.active && badge('Paused', IconPlayerPause)}
      {alert.trouble && !isJudgedByOldData(alert) && badge('Can’t check', IconAlertTriangle)}
      {alert.mutedUntil !== null && isMuted(alert) && badge('Muted', IconBellOff)}
    </>
  )
}

/** The state is that of the end of data that ended. */
export const isJudgedByOldData = ({ groups, trouble }: Pick<Alert, 'groups' | 'trouble'>): boolean =>
  groups.length > 0 && trouble?.code === 'data_ended'

export const isMuted = ({ mutedUntil }: Pick<Alert, 'mutedUntil'>, now = Date.now()): boolean =>
  mutedUntil !== null && Date.parse(mutedUntil) > now

/** What it is about, as it is called. */
export const subjectLabel = ({ subjectName, subject }: Pick<Alert, 'subjectName' | 'subject'>): string =>
  subjectName ?? (subject.kind === 'metric' ? 'Deleted metric' : 'Deleted insight')

/** That the data end, and when the alert is checked again. */
export const describeDataEnd = (day: string): string => `Data ends on ${day}. Checked again when newer rows are loaded.`

/** Why an alert cannot be checked, in the person's notation. */
export function useDescribeTrouble(): (trouble: NonNullable<Alert['trouble']>) => string {
  const format = useFormat()
  return ({ dataTo, message }) => (dataTo === undefined ? message : describeDataEnd(format.date(dataTo)))
}

export function AlertListItem({ alert }: { alert: Alert }) {
  const words = useDescribeCondition()
  const describeTrouble = useDescribeTrouble()
  return (
    <li>
      <Link to="/alerts/$id" params={{ id: alert.id }} className={classes.line}>
        <div style={{ minWidth: 0, flex: '1 1 18rem' }}>
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {alert.name}
          </Text>
          <MutedText style={{ overflowWrap: 'anywhere' }}>
            {subjectPrefix(subjectLabel(alert))} {words(alert, alert.format)}
          </MutedText>
          {alert.trouble?.code === 'data_ended' && <MutedText>{describeTrouble(alert.trouble)}</MutedText>}
        </div>
        <Group gap="xs" wrap="wrap">
          <LatestValue alert={alert} />
          <AlertBadges alert={alert} />
        </Group>
      </Link>
    </li>
  )
}

/** The figure that was looked at last, or how many groups triggered it. */
function LatestValue({ alert }: { alert: Alert }) {
  const format = useCellFormatter()
  const [first] = alert.groups
  if (!first) return null
  const triggeredCount = alert.groups.filter(({ state }) => state !== 'ok').length
  if (alert.by !== null)
    return (
      <MutedText className="figure">
        {triggeredCount} of {alert.groups.length} triggered
      </MutedText>
    )
  if (first.value === null || first.period === null) return null
  return (
    <Text size="sm" className="figure">
      {formatAlertValue(first.value, alert.format, format)}{' '}
      <Text span c="dimmed" inherit>
        {format.bucket(first.period, alert.grain)}
      </Text>
    </Text>
  )
}
