import { AddEntryButton, RemoveButton } from '../../../ui/buttons/list-buttons'
import { Select, Stack, Text, TextInput } from '@mantine/core'
import { describeBreachShort } from '../../../../src/shared/forecasts/summary'
import { TERMS } from '../../../../src/shared/terms'
import { capitalize } from '../../../../src/shared/text'
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

/** Thresholds, and when the baseline passes them. */
export function ThresholdsList(props: ThresholdsListProps) {
  const { thresholds, result, edit } = props
  const first = defaultThreshold(result)
  const isFull = thresholds.length >= THRESHOLDS_MAX
  return (
    <Stack gap="sm">
      <div className={classes.bar}>
        <h3 className={classes.heading}>{TERMS.thresholds}</h3>
        <AddEntryButton disabled={isFull} onClick={() => edit({ kind: 'addThreshold', threshold: first })}>
          {result.balance && thresholds.length === 0 ? 'Add minimum cash' : 'Add threshold'}
        </AddEntryButton>
      </div>
      {thresholds.length > 0 && (
        <ul className={classes.list} aria-label={TERMS.thresholds}>
          {resultBreaches(result, thresholds).map((breach, at) => (
            <ThresholdItem key={at} {...props} {...{ breach, at }} />
          ))}
        </ul>
      )}
    </Stack>
  )
}

const SIDE_OPTIONS = [
  { value: 'below', label: 'Falls below' },
  { value: 'above', label: 'Rises above' },
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
  const name = threshold.name.trim() === '' ? `Threshold ${at + 1}` : threshold.name
  const unit = result.format.style === 'currency' ? result.format.currency : ''
  return (
    <li className={classes.scenario} aria-label={name}>
      <div className={classes.fields}>
        <TextInput
          label="Name"
          className={classes.name}
          maxLength={NAME_MAX_CHARS}
          value={threshold.name}
          error={threshold.name.trim() === '' ? 'Enter a name' : undefined}
          onChange={(event) => change({ name: event.currentTarget.value }, 'name')}
          onBlur={onSettle}
        />
        <Select
          label="Condition"
          className={classes.period}
          data={SIDE_OPTIONS}
          value={threshold.side}
          onChange={(side) => change({ side: side === 'above' ? 'above' : 'below' })}
        />
        <AmountInput
          label="Value"
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
  const passes = breach.now || breach.middle !== null
  return (
    <Text size="sm" c={passes ? 'red' : 'dimmed'}>
      {capitalize(describeBreachShort(breach, level, words))}
    </Text>
  )
}
