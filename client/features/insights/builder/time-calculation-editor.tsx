import { Group, NumberInput, Select } from '@mantine/core'
import { PREV_STEPS_MAX, type Grain } from '../../../../src/shared/query/plan'
import type { TimeCalculation, MeasureDraft } from './draft'
import { GRAIN_LABELS } from '../../../../src/shared/query/plan-labels'

const PER_PERIOD = 'each'
const TIME_CALCULATION_OPTIONS = [
  { value: PER_PERIOD, label: 'Per period' },
  { value: 'prev', label: 'Periods earlier' },
  { value: 'year', label: 'Year to date' },
  { value: 'fiscalYear', label: 'Fiscal year to date' },
  { value: 'never', label: 'Running total' },
] as const
type TimeCalculationChoice = (typeof TIME_CALCULATION_OPTIONS)[number]['value']

const timeCalculationChoiceOf = (timeCalculation: TimeCalculation | undefined): TimeCalculationChoice =>
  timeCalculation === undefined ? PER_PERIOD : timeCalculation.kind === 'prev' ? 'prev' : timeCalculation.restart

function timeCalculationOf(choice: TimeCalculationChoice): TimeCalculation | null {
  if (choice === PER_PERIOD) return null
  if (choice === 'prev') return { kind: 'prev', steps: 1 }
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
        <NumberInput
          aria-label="Periods earlier"
          suffix={` ${timeCalculation.steps === 1 ? unit : `${unit}s`}`}
          value={timeCalculation.steps}
          min={1}
          max={PREV_STEPS_MAX}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          w={132}
          style={{ flex: 'none' }}
          onChange={(steps) => {
            if (typeof steps === 'number' && steps >= 1)
              onChange({ ...measure, timeCalculation: { ...timeCalculation, steps } })
          }}
        />
      )}
    </Group>
  )
}
