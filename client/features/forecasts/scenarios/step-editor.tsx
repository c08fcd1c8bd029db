import { RemoveButton } from '../../../ui/buttons/list-buttons'
import { Select, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ALERT_GRAIN_LABELS } from '../../../../src/shared/alerts'
import type { ForecastResult } from '../../../../src/shared/forecasts/result'
import type { IneffectiveReason } from '../../../../src/shared/forecasts/scenarios'
import type { ScenarioStep } from '../../../../src/shared/forecasts/forecasts'
import { TERMS } from '../../../../src/shared/terms'
import { metricsQuery } from '../../../lib/query-builder/catalogue'
import classes from './scenarios.module.css'
import { AmountInput } from '../form/amount-input'
import { stepKindOf, spanIndexes, spanOf, convertStep, type StepKind } from './scenario-templates'
import { useForecastFormatter } from '../forecast-format'

export interface StepEditorProps {
  step: ScenarioStep
  /** "Step 2 of Two more people". */
  label: string
  result: ForecastResult
  /** Why it changes nothing, in words. */
  without: string | null
  onChange: (step: ScenarioStep, field?: string) => void
  onSettle: () => void
  onRemove: () => void
}

/** One change of a scenario: what, how much, when and of which part. */
export function StepEditor(props: StepEditorProps) {
  const { step, label, result, without, onChange, onRemove } = props
  const metrics = useQuery(metricsQuery())
  const grain = ALERT_GRAIN_LABELS[result.grain]
  const first = metrics.data?.[0]?.id ?? null
  return (
    <li className={classes.step} aria-label={label}>
      <div className={classes.fields}>
        <Select
          label="Type"
          className={classes.kind}
          value={stepKindOf(step)}
          data={kindOptions(grain, first !== null || step.kind === 'driver')}
          onChange={(kind) => {
            const chosen = KINDS.find((one) => one === kind)
            if (chosen) onChange(convertStep(step, chosen, first))
          }}
        />
        <StepSizeFields {...props} />
        <StepPeriodFields {...props} />
        {step.kind !== 'driver' && result.parts.length > 0 && <PartSelect {...props} step={step} />}
        <RemoveButton label={`Remove ${label}`} onClick={onRemove} />
      </div>
      {without !== null && (
        <Text size="xs" c="dimmed" role="note">
          {without}
        </Text>
      )}
    </li>
  )
}
const KINDS: readonly StepKind[] = ['percent', 'each', 'once', 'driver']
const kindOptions = (grain: string, hasMetrics: boolean) => [
  { value: 'percent', label: 'Change in %' },
  { value: 'each', label: `Amount per ${grain}` },
  { value: 'once', label: 'One-off amount' },
  ...(hasMetrics ? [{ value: 'driver', label: 'Follow a metric' }] : []),
]

const PER_CENT = 100
/** Without what binary fractions leave: 0.07 × 100 is 7. */
const roundBinary = (value: number): number => Number(value.toPrecision(12))

function StepSizeFields({ step, result, onChange, onSettle }: StepEditorProps) {
  const unit = result.format.style === 'currency' ? result.format.currency : ''
  if (step.kind === 'driver') return <DriverFields {...{ step, onChange, onSettle }} />
  if (step.kind === 'percent')
    return (
      <AmountInput
        label="Change"
        suffix={'\u00a0%'}
        className={classes.amount}
        min={-PER_CENT}
        max={PER_CENT * PER_CENT}
        value={roundBinary(step.by * PER_CENT)}
        onChange={(by) => onChange({ ...step, by: roundBinary(by / PER_CENT) }, 'by')}
        onBlur={onSettle}
      />
    )
  return (
    <AmountInput
      label="Amount"
      suffix={unit === '' ? '' : `\u00a0${unit}`}
      className={classes.amount}
      value={step.value}
      onChange={(value) => onChange({ ...step, value }, 'value')}
      onBlur={onSettle}
    />
  )
}
const FACTOR_MAX = 1e9

type DriverStep = Extract<ScenarioStep, { kind: 'driver' }>
function DriverFields({
  step,
  onChange,
  onSettle,
}: Pick<StepEditorProps, 'onChange' | 'onSettle'> & { step: DriverStep }) {
  const metrics = useQuery(metricsQuery())
  const known = metrics.data ?? []
  return (
    <>
      <Select
        label="Metric"
        searchable
        className={classes.kind}
        value={known.some(({ id }) => id === step.metric) ? step.metric : null}
        placeholder={metrics.data ? 'Deleted metric' : ''}
        nothingFoundMessage="No metrics found"
        data={known.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(metric) => metric !== null && onChange({ ...step, metric })}
      />
      <AmountInput
        label="Factor"
        className={classes.amount}
        min={-FACTOR_MAX}
        max={FACTOR_MAX}
        value={step.factor}
        onChange={(factor) => onChange({ ...step, factor }, 'factor')}
        onBlur={onSettle}
      />
    </>
  )
}

function StepPeriodFields({ step, result, onChange }: Pick<StepEditorProps, 'step' | 'result' | 'onChange'>) {
  const words = useForecastFormatter(result)
  const { future } = result
  const places = spanIndexes(future, step)
  const data = future.map((start, at) => ({ value: String(at), label: words.label(start) }))
  const move = (first: number, last: number): void => onChange({ ...step, ...spanOf(result, first, last) })
  const shared = { data, className: classes.period, placeholder: 'Past' }
  const first = places ? String(places.first) : null
  if (stepKindOf(step) === 'once')
    return <Select {...shared} label={TERMS.period} value={first} onChange={(at) => move(Number(at), Number(at))} />
  return (
    <>
      <Select
        {...shared}
        label="From"
        value={first}
        onChange={(at) => move(Number(at), Math.max(Number(at), places?.last ?? future.length - 1))}
      />
      <Select
        {...shared}
        label="To"
        value={places ? String(places.last) : null}
        onChange={(at) => move(Math.min(Number(at), places?.first ?? 0), Number(at))}
      />
    </>
  )
}

const WHOLE = 'whole'
type PartStep = Exclude<ScenarioStep, DriverStep>
function PartSelect({ step, result, onChange }: Pick<StepEditorProps, 'result' | 'onChange'> & { step: PartStep }) {
  const at = step.part === undefined ? -1 : result.parts.findIndex(({ member }) => member === step.part)
  return (
    <Select
      label="Part"
      className={classes.period}
      placeholder="Deleted part"
      value={step.part === undefined ? WHOLE : at < 0 ? null : String(at)}
      data={[
        { value: WHOLE, label: TERMS.total },
        ...result.parts.map(({ label }, place) => ({ value: String(place), label: label ?? 'No value' })),
      ]}
      onChange={(chosen) => {
        const { part: _part, ...whole } = step
        const part = chosen === null || chosen === WHOLE ? undefined : result.parts[Number(chosen)]
        onChange(part ? { ...whole, part: part.member } : whole)
      }}
    />
  )
}

interface StepRunState {
  isSaved: boolean
  underWay: boolean
}
/** Why a step changes nothing, and what helps. */
export function describeIneffectiveStep(why: IneffectiveReason, { isSaved, underWay }: StepRunState): string {
  if (why === 'span') return 'No effect: outside the forecast.'
  if (why === 'part') return 'No effect: part not in the latest run.'
  if (!isSaved) return 'No effect yet: save to forecast this metric.'
  return underWay
    ? 'No effect yet: the metric is being forecast.'
    : 'No effect: the latest run couldn’t forecast this metric.'
}
