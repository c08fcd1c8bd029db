import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { MeasureDraft, Term } from './draft'
import { AGGREGATE_WORDS, SIGNS } from './draft-measures'
import classes from './insights.module.css'
import { ColumnSelect } from '../../lib/filters/column-select'
import { choicesFor, isNumeric } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'

const TERMS_MAX = 5
const AGGS = ['sum', 'avg', 'median', 'min', 'max'] as const
const OPS = ['multiply', 'divide', 'add', 'subtract'] as const

interface ExpressionEditorProps {
  measure: MeasureDraft & { kind: 'expression' }
  dataset: DraftDataset
  onChange: (measure: MeasureDraft) => void
}

/** A calculation per row, worked from top to bottom: quantity × unit price, then summed. */
export function ExpressionEditor({ measure, dataset, onChange }: ExpressionEditorProps) {
  const choices = choicesFor(dataset, 'splits', isNumeric)
  const terms = (next: Term[]): void => onChange({ ...measure, terms: next })
  return (
    <Stack gap="xs" className={classes.nested}>
      <Select
        aria-label="How the rows are put together"
        data={AGGS.map((agg) => ({ value: agg, label: `${AGGREGATE_WORDS[agg]} of` }))}
        value={measure.agg}
        allowDeselect={false}
        onChange={(value) => {
          const agg = AGGS.find((one) => one === value)
          if (agg) onChange({ ...measure, agg })
        }}
      />
      <ColumnSelect
        label="First column"
        hideLabel
        choices={choices}
        own={dataset.name}
        value={measure.first}
        onChange={(first) => onChange({ ...measure, first })}
      />
      {measure.terms.map((term, at) => (
        <TermEditor
          key={at}
          term={term}
          dataset={dataset}
          onChange={(next) => terms(measure.terms.map((old, i) => (i === at ? next : old)))}
          {...(measure.terms.length > 1 ? { onRemove: () => terms(measure.terms.filter((_, i) => i !== at)) } : {})}
        />
      ))}
      {measure.terms.length < TERMS_MAX && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => terms([...measure.terms, { op: 'multiply', operand: null }])}
          style={{ alignSelf: 'flex-start' }}
        >
          Add step
        </Button>
      )}
    </Stack>
  )
}

const NUMBER = 'number'
const A_NUMBER = (onChoose: () => void) => ({
  group: 'Other',
  items: [{ value: NUMBER, label: 'A number' }],
  onChoose,
})

function NumberOperand({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  return (
    <TextInput
      aria-label="Number"
      inputMode="decimal"
      style={{ flex: 1 }}
      defaultValue={String(value)}
      onChange={(event) => {
        const typed = Number(event.currentTarget.value.replace(',', '.'))
        if (Number.isFinite(typed)) onChange(typed)
      }}
    />
  )
}

function TermEditor(props: {
  term: Term
  dataset: DraftDataset
  onChange: (term: Term) => void
  onRemove?: () => void
}) {
  const { term, dataset, onChange, onRemove } = props
  const choices = choicesFor(dataset, 'splits', isNumeric)
  const fixed = typeof term.operand === 'number'
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label="Sign"
        data={OPS.map((op) => ({ value: op, label: SIGNS[op] }))}
        value={term.op}
        allowDeselect={false}
        w={64}
        style={{ flex: 'none' }}
        onChange={(value) => {
          const op = OPS.find((one) => one === value)
          if (op) onChange({ ...term, op })
        }}
      />
      {fixed ? (
        <NumberOperand value={Number(term.operand)} onChange={(operand) => onChange({ ...term, operand })} />
      ) : (
        <ColumnSelect
          label="Column or number"
          hideLabel
          choices={choices}
          own={dataset.name}
          value={typeof term.operand === 'string' ? term.operand : null}
          onChange={(operand) => onChange({ ...term, operand })}
          extra={A_NUMBER(() => onChange({ ...term, operand: 1 }))}
        />
      )}
      {onRemove && (
        <ActionIcon variant="subtle" color="gray" aria-label="Remove step" onClick={onRemove}>
          <IconTrash size={16} aria-hidden />
        </ActionIcon>
      )}
    </Group>
  )
}
