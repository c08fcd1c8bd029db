import { ActionIcon, Button, Group, Select, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ColumnKey } from '../../../src/shared/sources'
import { isNumeric, visible } from './draft'
import type { DraftDataset, MeasureDraft, Term } from './draft'
import { AGGREGATE_WORDS, SIGNS } from './draft-measures'
import { ColumnSelect } from './column-select'
import classes from './insights.module.css'

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
  const columns = visible(dataset).filter(isNumeric)
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
        columns={columns}
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

function TermEditor(props: {
  term: Term
  dataset: DraftDataset
  onChange: (term: Term) => void
  onRemove?: () => void
}) {
  const { term, dataset, onChange, onRemove } = props
  const columns = visible(dataset).filter(isNumeric)
  const fixed = typeof term.operand === 'number'
  const choose = (key: string | null): void => {
    const column: ColumnKey | undefined = columns.find((one) => one.key === key)?.key
    onChange({ ...term, operand: key === NUMBER ? 1 : (column ?? null) })
  }
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
      <Select
        aria-label="Column or number"
        placeholder="Choose a column"
        data={[...columns.map((one) => ({ value: one.key, label: one.label })), { value: NUMBER, label: 'A number' }]}
        value={fixed ? NUMBER : typeof term.operand === 'string' ? term.operand : null}
        onChange={choose}
        style={{ flex: 1 }}
      />
      {fixed && (
        <TextInput
          aria-label="Number"
          inputMode="decimal"
          w={80}
          style={{ flex: 'none' }}
          defaultValue={String(term.operand)}
          onChange={(event) => {
            const operand = Number(event.currentTarget.value.replace(',', '.'))
            if (Number.isFinite(operand)) onChange({ ...term, operand })
          }}
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
