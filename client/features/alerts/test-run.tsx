import { MutedText } from '../../ui/muted-text'
import { Alert as Notice, Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconAlertTriangle, IconBell, IconCheck } from '@tabler/icons-react'
import { formatAlertPeriod, ALERT_GRAIN_LABELS, TEST_PERIODS } from '../../../src/shared/alerts'
import type {
  AlertGrain,
  AlertRules,
  AlertRulesInput,
  AlertTestReading,
  AlertTestRun,
} from '../../../src/shared/alerts'
import { describeError } from '../../lib/describe-error'
import { useMay } from '../../lib/gate'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useFormat } from '../../lib/format'
import { describeDataEnd, formatAlertValue } from './alert-list-item'
import classes from './alerts.module.css'
import { testRunQuery } from './queries'

const DEBOUNCE_MS = 400
const TEST_GROUPS_SHOWN_MAX = 5

interface AlertTestRunPanelProps {
  rules: AlertRules | AlertRulesInput
  /** Whether what is around it says already that the data end. */
  isDataEndShown?: boolean
}

/** When rules would have triggered, asked again while they are edited. */
export function AlertTestRunPanel({ rules, isDataEndShown = false }: AlertTestRunPanelProps) {
  const may = useMay('edit:alert')
  const format = useFormat()
  const { subject, condition, grain, on, by, hold } = rules
  const [debouncedRules] = useDebouncedValue<AlertRulesInput>({ subject, condition, grain, on, by, hold }, DEBOUNCE_MS)
  const run = useQuery({ ...testRunQuery(debouncedRules), enabled: may })
  if (!may) return <MutedText>Only analysts can preview triggers.</MutedText>
  if (run.error)
    return (
      <MutedText>
        {describeError(run.error).title}. {describeError(run.error).advice}
      </MutedText>
    )
  if (!run.data) return <Skeleton h={46} />
  return (
    <div style={{ opacity: run.isPlaceholderData ? 0.5 : 1 }} aria-busy={run.isFetching}>
      {run.data.dataTo !== null && !isDataEndShown && (
        <Notice color="yellow" variant="light" p="xs" mb="xs" icon={<IconAlertTriangle aria-hidden />}>
          {describeDataEnd(format.date(run.data.dataTo))}
        </Notice>
      )}
      <TestRunResult run={run.data} grain={grain ?? 'month'} />
    </div>
  )
}

function TestRunResult({ run, grain }: { run: AlertTestRun; grain: AlertGrain }) {
  const hasSeveralGroups = run.looked > 1
  const unit = ALERT_GRAIN_LABELS[grain]
  if (run.note === 'bands' && !run.groups.some(({ readings }) => readings.some(isTested(run))))
    return <MutedText>No earlier forecasts cover these {unit}s yet.</MutedText>
  if (run.periods.length === 0)
    return (
      <MutedText>
        No data in the last {TEST_PERIODS} complete {unit}s
      </MutedText>
    )
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} role="status">
        {describeTriggers(run, grain)}
      </Text>
      {run.groups.slice(0, hasSeveralGroups ? TEST_GROUPS_SHOWN_MAX : 1).map((group, at) => (
        <div key={at}>
          {hasSeveralGroups && (
            <Text size="xs" c="dimmed" mb={2}>
              {group.label ?? 'No value'}
            </Text>
          )}
          <ReadingStrip readings={group.readings} grain={grain} run={run} />
        </div>
      ))}
      {hasSeveralGroups && run.looked > TEST_GROUPS_SHOWN_MAX && (
        <Text size="xs" c="dimmed">
          Top {TEST_GROUPS_SHOWN_MAX} of {run.looked} groups by triggers
        </Text>
      )}
      {run.note === 'bands' && (
        <Text size="xs" c="dimmed">
          Actuals compared with earlier forecasts. Dashed: no forecast for that {unit}.
        </Text>
      )}
      {run.note === 'findings' && (
        <Text size="xs" c="dimmed">
          Current findings only; earlier periods may have had more.
        </Text>
      )}
    </Stack>
  )
}

/** Of a forecast only what it had said can be held against what came. */
const isTested =
  ({ note }: AlertTestRun) =>
  ({ value, compared }: AlertTestReading): boolean =>
    value !== null && (note !== 'bands' || compared !== null)

function describeTriggers({ fired, groups, periods }: AlertTestRun, grain: AlertGrain): string {
  const unit = ALERT_GRAIN_LABELS[grain]
  const span = periods.length === 1 ? `in the last ${unit}` : `in the last ${periods.length} ${unit}s`
  // What passed its threshold before these periods triggers in none of them, and is open anyway.
  const openBefore = groups.filter(({ readings }) => readings[0]?.met === true && readings[0].event === null).length
  if (fired === 0 && openBefore > 0) return `Already triggered before these ${unit}s. Choose another threshold.`
  if (fired === 0) return `Wouldn’t have triggered ${span}.`
  const [first] = groups
  const when =
    first?.readings.filter(({ event }) => event === 'opened').map(({ period }) => formatAlertPeriod(period, grain)) ??
    []
  if (groups.length > 1) return `Would have triggered ${fired === 1 ? 'once' : `${fired} times`} ${span}.`
  return `Would have triggered ${grain === 'day' ? 'on' : 'in'} ${when.join(', ')}.`
}

function ReadingStrip({
  readings,
  grain,
  run,
}: {
  readings: readonly AlertTestReading[]
  grain: AlertGrain
  run: AlertTestRun
}) {
  const format = useCellFormatter()
  const words = ({ period, value, met, event }: AlertTestReading): string =>
    `${format.bucket(period, grain)}: ${formatAlertValue(value, run.format, format)}${
      event === 'opened' ? ', triggered' : event === 'resolved' ? ', resolved' : met ? ', condition met' : ''
    }`
  const [first, last] = [readings[0], readings.at(-1)]
  return (
    <div role="img" aria-label={readings.map(words).join('. ')}>
      <div className={classes.run}>
        {readings.map((reading) => (
          <span
            key={reading.period}
            title={words(reading)}
            className={`${classes.cell} ${reading.met ? classes.met : ''} ${isTested(run)(reading) ? '' : classes.none}`}
          >
            {reading.event === 'opened' && <IconBell size={14} aria-hidden />}
            {reading.event === 'resolved' && <IconCheck size={14} aria-hidden />}
          </span>
        ))}
      </div>
      <Group justify="space-between" fz="xs" c="dimmed" mt={2} aria-hidden>
        <span>{first && format.bucket(first.period, grain)}</span>
        <span>{last && last !== first && format.bucket(last.period, grain)}</span>
      </Group>
    </div>
  )
}
