import { Group, NumberInput, Select, Stack } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { COMPARISON_OPERATORS } from '../../../../src/shared/query/functions'
import { COMPARISON_LABELS } from '../../../../src/shared/query/plan-labels'
import { IconButton } from '../../../ui/buttons/icon-button'
import { describeMeasureDraft, timeGrain } from './describe-draft'
import type { ConditionDraft, PlanDraft } from './draft'
import { answersNumbers, isShownAsPercent } from './measure-draft'

interface ConditionEditorProps {
  condition: ConditionDraft
  draft: PlanDraft
  onChange: (condition: ConditionDraft) => void
  onRemove: () => void
}

/** Which rows of the answer are shown, by one of its figures. */
export function ConditionEditor({ condition, draft, onChange, onRemove }: ConditionEditorProps) {
  const { dataset, measures } = draft
  const names = measures.flatMap((measure, at) =>
    answersNumbers(measure, dataset)
      ? [{ value: String(at), label: describeMeasureDraft(measure, dataset, timeGrain(draft)) }]
      : [],
  )
  const measure = measures[condition.measure]
  const unit = measure && isShownAsPercent(measure, dataset) ? 100 : 1
  return (
    <Stack gap="xs">
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Measure of condition"
          data={names}
          value={String(condition.measure)}
          allowDeselect={false}
          style={{ flex: 1, minWidth: 0 }}
          onChange={(value) => value !== null && onChange({ ...condition, measure: Number(value) })}
        />
        <IconButton icon={IconTrash} label="Remove condition" onClick={onRemove} />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <Select
          aria-label="Comparison"
          data={COMPARISON_OPERATORS.map((op) => ({ value: op, label: COMPARISON_LABELS[op] }))}
          value={condition.op}
          allowDeselect={false}
          style={{ flex: 1, minWidth: 0 }}
          onChange={(value) => {
            const op = COMPARISON_OPERATORS.find((one) => one === value)
            if (op) onChange({ ...condition, op })
          }}
        />
        <NumberInput
          aria-label="Value"
          placeholder="Value"
          value={condition.value === null ? '' : Number((condition.value * unit).toPrecision(12))}
          {...(unit === 100 ? { suffix: ' %' } : {})}
          style={{ flex: 1, minWidth: 0 }}
          onChange={(value) =>
            onChange({ ...condition, value: typeof value === 'number' ? Number((value / unit).toPrecision(12)) : null })
          }
        />
      </Group>
    </Stack>
  )
}
