import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { IconBell, IconCheck } from '@tabler/icons-react'
import type { AlertGrain, AlertRules, AlertRulesInput, TestReading, TestRun } from '../../../src/shared/alerts'
import { alertPeriod, GRAIN_WORDS } from '../../../src/shared/alert-words'
import { describeError } from '../../lib/describe-error'
import { useMay } from '../../lib/gate'
import { useFigureFormat } from '../../ui/chart/figure-format'
import { alertFigure } from './alert-figures'
import classes from './alerts.module.css'
import { testRunQuery } from './queries'

const DEBOUNCE_MS = 400
const SHOWN = 5

/** When rules would have gone off, asked again while they are edited. */
export function TestRunOf({ rules }: { rules: AlertRules | AlertRulesInput }) {
  const may = useMay('edit:alert')
  const { subject, condition, grain, on, by, hold } = rules
  const [asked] = useDebouncedValue<AlertRulesInput>({ subject, condition, grain, on, by, hold }, DEBOUNCE_MS)
  const run = useQuery({ ...testRunQuery(asked), enabled: may })
  if (!may)
    return (
      <Text size="sm" c="dimmed">
        Analysts can see when it would have gone off.
      </Text>
    )
  if (run.error)
    return (
      <Text size="sm" c="dimmed">
        {describeError(run.error).title}. {describeError(run.error).advice}
      </Text>
    )
  if (!run.data) return <Skeleton h={46} />
  return (
    <div style={{ opacity: run.isPlaceholderData ? 0.5 : 1 }} aria-busy={run.isFetching}>
      <Shown run={run.data} grain={grain ?? 'month'} />
    </div>
  )
}

function Shown({ run, grain }: { run: TestRun; grain: AlertGrain }) {
  const several = run.looked > 1
  const unit = GRAIN_WORDS[grain]
  if (run.note === 'bands' && !run.groups.some(({ readings }) => readings.some(isTried(run))))
    return (
      <Text size="sm" c="dimmed">
        The forecast has said nothing of these {unit}s before they came, so there is nothing to try it on yet.
      </Text>
    )
  if (run.periods.length === 0)
    return (
      <Text size="sm" c="dimmed">
        No complete {unit} has been loaded yet, so there is nothing to try it on.
      </Text>
    )
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600} role="status">
        {firedWords(run, grain)}
      </Text>
      {run.groups.slice(0, several ? SHOWN : 1).map((group, at) => (
        <div key={at}>
          {several && (
            <Text size="xs" c="dimmed" mb={2}>
              {group.label ?? 'No value'}
            </Text>
          )}
          <Strip readings={group.readings} grain={grain} run={run} />
        </div>
      ))}
      {several && run.looked > SHOWN && (
        <Text size="xs" c="dimmed">
          {SHOWN} of {run.looked} groups, those that go off most first.
        </Text>
      )}
      {run.note === 'bands' && (
        <Text size="xs" c="dimmed">
          Held against what the forecast said before each {unit} came, or would have said, made in the same way from
          what was known then. Dashed: it says nothing of that {unit}.
        </Text>
      )}
      {run.note === 'findings' && (
        <Text size="xs" c="dimmed">
          Only findings that are kept now can be tried: earlier periods may have had more.
        </Text>
      )}
    </Stack>
  )
}

/** Of a forecast only what it had said can be held against what came. */
const isTried =
  ({ note }: TestRun) =>
  ({ value, compared }: TestReading): boolean =>
    value !== null && (note !== 'bands' || compared !== null)

function firedWords({ fired, groups, periods }: TestRun, grain: AlertGrain): string {
  const unit = GRAIN_WORDS[grain]
  const span = `in the last ${periods.length} ${unit}s`
  // What was off limits before these periods goes off in none of them, and is open all the same.
  const openBefore = groups.filter(({ readings }) => readings[0]?.met === true && readings[0].event === null).length
  if (fired === 0 && openBefore > 0)
    return `It would have gone off before these ${periods.length} ${unit}s already. Choose a limit that is not passed all the time.`
  if (fired === 0) return `It would not have gone off ${span}.`
  const [first] = groups
  const when =
    first?.readings.filter(({ event }) => event === 'opened').map(({ period }) => alertPeriod(period, grain)) ?? []
  if (groups.length > 1) return `It would have gone off ${fired === 1 ? 'once' : `${fired} times`} ${span}.`
  return `It would have gone off in ${when.join(', ')}.`
}

function Strip({ readings, grain, run }: { readings: readonly TestReading[]; grain: AlertGrain; run: TestRun }) {
  const format = useFigureFormat()
  const words = ({ period, value, met, event }: TestReading): string =>
    `${alertPeriod(period, grain)}: ${alertFigure(value, run.format, format)}${
      event === 'opened' ? ', goes off' : event === 'resolved' ? ', is over' : met ? ', off limits' : ''
    }`
  const [first, last] = [readings[0], readings.at(-1)]
  return (
    <div role="img" aria-label={readings.map(words).join('. ')}>
      <div className={classes.run}>
        {readings.map((reading) => (
          <span
            key={reading.period}
            title={words(reading)}
            className={`${classes.cell} ${reading.met ? classes.met : ''} ${isTried(run)(reading) ? '' : classes.none}`}
          >
            {reading.event === 'opened' && <IconBell size={14} aria-hidden />}
            {reading.event === 'resolved' && <IconCheck size={14} aria-hidden />}
          </span>
        ))}
      </div>
      <Group justify="space-between" fz="xs" c="dimmed" mt={2} aria-hidden>
        <span>{first && alertPeriod(first.period, grain)}</span>
        <span>{last && last !== first && alertPeriod(last.period, grain)}</span>
      </Group>
    </div>
  )
}
