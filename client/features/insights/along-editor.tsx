import { Group, NumberInput, Select } from '@mantine/core'
import { PREV_STEPS_MAX } from '../../../src/shared/query'
import type { Grain } from '../../../src/shared/query'
import type { AlongTime, MeasureDraft } from './draft'
import { GRAIN_WORDS } from './draft-words'

const EACH = 'each'
const CHOICES = [
  { value: EACH, label: 'Each period by itself' },
  { value: 'prev', label: 'Periods earlier' },
  { value: 'year', label: 'Running total: this year' },
  { value: 'fiscalYear', label: 'Running total: fiscal year' },
  { value: 'never', label: 'Running total: all' },
] as const
type Choice = (typeof CHOICES)[number]['value']

const choiceOf = (along: AlongTime | undefined): Choice =>
  along === undefined ? EACH : along.kind === 'prev' ? 'prev' : along.restart

function alongOf(choice: Choice): AlongTime | null {
  if (choice === EACH) return null
  if (choice === 'prev') return { kind: 'prev', steps: 1 }
  return { kind: 'cumulative', restart: choice }
}

interface AlongEditorProps {
  measure: MeasureDraft
  /** Of the split by time; null without one. */
  grain: Grain | null
  onChange: (measure: MeasureDraft) => void
}

/** Whether a figure is that of each period, of an earlier one, or what came together until then. */
export function AlongEditor({ measure, grain, onChange }: AlongEditorProps) {
  const { along, ...plain } = measure
  // Nothing to run over: only what was chosen before shows, so that it can be taken back.
  if (grain === null && !along) return null
  const unit = grain === null ? 'period' : GRAIN_WORDS[grain]
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label="Over time"
        data={CHOICES.map(({ value, label }) => ({ value, label }))}
        value={choiceOf(along)}
        allowDeselect={false}
        style={{ flex: 1, minWidth: 0 }}
        onChange={(value) => {
          const choice = CHOICES.find((one) => one.value === value)
          const next = choice && alongOf(choice.value)
          onChange(next ? { ...measure, along: { ...next, label: '' } } : plain)
        }}
      />
      {along?.kind === 'prev' && (
        <NumberInput
          aria-label="How many periods earlier"
          suffix={` ${along.steps === 1 ? unit : `${unit}s`}`}
          value={along.steps}
          min={1}
          max={PREV_STEPS_MAX}
          allowDecimal={false}
          allowNegative={false}
          clampBehavior="strict"
          w={132}
          style={{ flex: 'none' }}
          onChange={(steps) => {
            if (typeof steps === 'number' && steps >= 1) onChange({ ...measure, along: { ...along, steps } })
          }}
        />
      )}
    </Group>
  )
}
