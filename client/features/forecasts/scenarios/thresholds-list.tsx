import { AddEntryButton, RemoveButton } from '../../../ui/buttons/list-buttons'
import { Select, Stack, Text, TextInput } from '@mantine/core'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import type { ForecastLevel, ForecastResult } from '../../../../src/shared/forecasts/result'
import { resultBreaches, type ThresholdBreach } from '../../../../src/shared/forecasts/scenarios'
import { THRESHOLDS_MAX, type Threshold } from '../../../../src/shared/forecasts/forecasts'
import { NAME_MAX_CHARS } from '../../../../src/shared/limits'
import classes from './scenarios.module.css'
import { AmountInput } from '../form/amount-input'
import type { ScenarioEdit } from './scenario-draft'
import { defaultThreshold } from './scenario-templates'
import { useForecastFormatter } from '../forecast-format'

interface ThresholdsListProps {
  thresholds: readonly Threshold[]
  result: ForecastResult
  level: ForecastLevel
  edit: (edit: ScenarioEdit, merge?: string) => void
  onSettle: () => void
}

/** The levels that matter, and when the forecast as it is breaks them. */
export function ThresholdsList(props: ThresholdsListProps) {
  const { thresholds, result, edit } = props
  const first = defaultThreshold(result)
  const isFull = thresholds.length >= THRESHOLDS_MAX
  return (
    <Stack gap="sm">
      <div className={classes.bar}>
        <div>
          <h3 className={classes.heading}>Levels that matter</h3>
          <Text size="sm" c="dimmed">
            {result.balance
              ? `Held against the balance at the end of each ${ALERT_GRAIN_LABELS[result.grain]}.`
              : `Held against the figure of each ${ALERT_GRAIN_LABELS[result.grain]}.`}
          </Text>
        </div>
        <AddEntryButton disabled={isFull} onClick={() => edit({ kind: 'addThreshold', threshold: first })}>
          {result.balance && thresholds.length === 0 ? 'Add a cash floor' : 'Add a level'}
        </AddEntryButton>
      </div>
      {thresholds.length > 0 && (
        <ul className={classes.list} aria-label="Levels that matter">
          {resultBreaches(result, thresholds).map((breach, at) => (
            <ThresholdItem key={at} {...props} {...{ breach, at }} />
          ))}
        </ul>
      )}
    </Stack>
  )
}

const SIDE_OPTIONS = [
  { value: 'below', label: 'Falls under' },
  { value: 'above', label: 'Rises over' },
]

function ThresholdItem({
  breach,
  at,
  edit,
  onSettle,
  result,
  level,
}: ThresholdsListProps & { breach: ThresholdBreach; at: number }) {
  const { threshold } = breach
  const change = (over: Partial<Threshold>, field?: string): void =>
    edit(
      { kind: 'changeThreshold', at, threshold: { ...threshold, ...over } },
      field === undefined ? undefined : `level ${field} ${at}`,
    )
  const name = threshold.name.trim() === '' ? `Level ${at + 1}` : threshold.name
  const unit = result.format.style === 'currency' ? result.format.currency : ''
  return (
    <li className={classes.scenario} aria-label={name}>
      <div className={classes.fields}>
        <TextInput
          label="Name"
          className={classes.name}
          maxLength={NAME_MAX_CHARS}
          value={threshold.name}
          error={threshold.name.trim() === '' ? 'Give it a name.' : undefined}
          onChange={(event) => change({ name: event.currentTarget.value }, 'name')}
          onBlur={onSettle}
        />
        <Select
          label="Matters when it"
          className={classes.period}
          data={SIDE_OPTIONS}
          value={threshold.side}
          onChange={(side) => change({ side: side === 'above' ? 'above' : 'below' })}
        />
        <AmountInput
          label="Level"
          className={classes.amount}
          suffix={unit === '' ? '' : `\u00a0${unit}`}
          value={threshold.value}
          onChange={(value) => change({ value }, 'value')}
          onBlur={onSettle}
        />
        <RemoveButton label={`Remove ${name}`} onClick={() => edit({ kind: 'removeThreshold', at })} />
      </div>
      <BreachDates {...{ breach, result, level }} />
    </li>
  )
}
function BreachDates({
  breach,
  result,
  level,
}: Pick<ThresholdsListProps, 'result' | 'level'> & { breach: ThresholdBreach }) {
  const words = useForecastFormatter(result)
  if (breach.now)
    return (
      <Text size="sm" c="red">
        It is {breach.threshold.side === 'below' ? 'under' : 'over'} this already.
      </Text>
    )
  const { earliest, latest } = breach.bands[level]
  if (breach.middle === null && earliest === null)
    return (
      <Text size="sm" c="dimmed">
        The forecast stays {breach.threshold.side === 'below' ? 'above' : 'below'} it throughout, the whole {level}
        &nbsp;% band too.
      </Text>
    )
  const when = (period: string | null): string => (period === null ? 'not within the forecast' : words.period(period))
  return (
    <dl className={classes.dates}>
      <div>
        <dt>Expected</dt>
        <dd>{when(breach.middle)}</dd>
      </div>
      <div>
        <dt>Earliest ({level}&nbsp;%)</dt>
        <dd>{when(earliest)}</dd>
      </div>
      <div>
        <dt>Latest ({level}&nbsp;%)</dt>
        <dd>{when(latest)}</dd>
      </div>
    </dl>
  )
}
