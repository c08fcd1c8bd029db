import { Group, NumberInput, Select } from '@mantine/core'
import { type Grain } from '../../../../src/shared/query/date-range'
import { MOVING_UNITS_MAX, PREV_STEPS_MAX } from '../../../../src/shared/limits'
import type { TimeCalculation, MeasureDraft } from './draft'
import { GRAIN_LABELS } from '../../../../src/shared/query/plan-labels'
import { TERMS } from '../../../../src/shared/terms'

const PER_PERIOD = 'each'
const TIME_CALCULATION_OPTIONS = [
  { value: PER_PERIOD, label: TERMS.perPeriod },
  { value: 'prev', label: 'Periods earlier' },
  { value: 'year', label: 'Year to date' },
  { value: 'fiscalYear', label: 'Fiscal year to date' },
  { value: 'never', label: 'Running total' },
  { value: 'avg', label: 'Moving average' },
  { value: 'sum', label: 'Moving sum' },
] as const
type TimeCalculationChoice = (typeof TIME_CALCULATION_OPTIONS)[number]['value']

function timeCalculationChoiceOf(timeCalculation: TimeCalculation | undefined): TimeCalculationChoice {
  if (!timeCalculation) return PER_PERIOD
  if (timeCalculation.kind === 'moving') return timeCalculation.agg
  return timeCalculation.kind === 'prev' ? 'prev' : timeCalculation.restart
}

function timeCalculationOf(choice: TimeCalculationChoice): TimeCalculation | null {
  if (choice === PER_PERIOD) return null
  if (choice === 'prev') return { kind: 'prev', steps: 1 }
  if (choice === 'avg' || choice === 'sum') return { kind: 'moving', agg: choice, units: 3 }
  return { kind: 'cumulative', restart: choice }
}

interface TimeCalculationEditorProps {
  measure: MeasureDraft
  /** Of the split by time; null without one. */
  grain: Grain | null
  onChange: (measure: MeasureDraft) => void
}

export function TimeCalculationEditor({ measure, grain, onChange }: TimeCalculationEditorProps) {
  const { timeCalculation, ...plain } = measure
  // Nothing to run over: only what was chosen before shows, so that it can be taken back.
  if (grain === null && !timeCalculation) return null
  const unit = grain === null ? 'period' : GRAIN_LABELS[grain]
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label="Over time"
        data={TIME_CALCULATION_OPTIONS}
        value={timeCalculationChoiceOf(timeCalculation)}
        style={{ flex: 1, minWidth: 0 }}
        onChange={(choice) => {
          const next = choice && timeCalculationOf(choice)
          onChange(next ? { ...measure, timeCalculation: { ...next, label: '' } } : plain)
        }}
      />
      {timeCalculation?.kind === 'prev' && (
        <UnitCountInput
          label="Periods earlier"
          unit={unit}
          value={timeCalculation.steps}
          min={1}
          max={PREV_STEPS_MAX}
          onChange={(steps) => onChange({ ...measure, timeCalculation: { ...timeCalculation, steps } })}
        />
      )}
      {timeCalculation?.kind === 'moving' && (
        <UnitCountInput
          label="Periods together"
          unit={unit}
          value={timeCalculation.units}
          min={2}
          max={MOVING_UNITS_MAX}
          onChange={(units) => onChange({ ...measure, timeCalculation: { ...timeCalculation, units } })}
        />
      )}
    </Group>
  )
}

interface UnitCountInputProps {
  label: string
  unit: string
  value: number
  min: number
  max: number
  onChange: (count: number) => void
}

function UnitCountInput({ label, unit, value, min, max, onChange }: UnitCountInputProps) {
  return (
    <NumberInput
      aria-label={label}
      suffix={` ${value === 1 ? unit : `${unit}s`}`}
      value={value}
      min={min}
      max={max}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior={min === 1 ? 'strict' : 'blur'}
      w={132}
      style={{ flex: 'none' }}
      onChange={(count) => {
        if (typeof count === 'number' && count >= min && count <= max) onChange(count)
      }}
    />
  )
}
