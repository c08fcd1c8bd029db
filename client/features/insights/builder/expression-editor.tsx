import { IconButton } from '../../../ui/buttons/icon-button'
import { Group, Select, Stack, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import type { MeasureDraft, ExpressionTerm } from './draft'
import { AGGREGATE_LABELS } from '../../../lib/query-builder/aggregate-labels'
import { ARITHMETIC_SIGNS } from '../../../../src/shared/query/plan-labels'
import classes from '../insights.module.css'
import { AddButton } from '../../../ui/buttons/add-button'
import { ColumnSelect } from '../../../lib/query-builder/column-select'
import { fieldOptions, isNumeric, type BuilderDataset } from '../../../lib/query-builder/catalogue'

const TERMS_MAX = 5
const EXPRESSION_AGGREGATES = ['sum', 'avg', 'median', 'min', 'max'] as const
const EXPRESSION_OPERATORS = ['multiply', 'divide', 'add', 'subtract'] as const

interface ExpressionEditorProps {
  measure: MeasureDraft & { kind: 'expression' }
  dataset: BuilderDataset
  onChange: (measure: MeasureDraft) => void
}

/** Custom formula, worked from top to bottom: quantity × unit price, then summed. */
export function ExpressionEditor({ measure, dataset, onChange }: ExpressionEditorProps) {
  const choices = fieldOptions(dataset, 'splits', isNumeric)
  const setTerms = (next: ExpressionTerm[]): void => onChange({ ...measure, terms: next })
  return (
    <Stack gap="xs" className={classes.nested}>
      <Select
        aria-label="Aggregation"
        data={EXPRESSION_AGGREGATES.map((agg) => ({ value: agg, label: `${AGGREGATE_LABELS[agg]} of` }))}
        value={measure.agg}
        onChange={(agg) => agg && onChange({ ...measure, agg })}
      />
      <ColumnSelect
        label="First column"
        hideLabel
        choices={choices}
        ownLabel={dataset.name}
        value={measure.first}
        onChange={(first) => onChange({ ...measure, first })}
      />
      {measure.terms.map((term, at) => (
        <TermEditor
          key={at}
          term={term}
          dataset={dataset}
          onChange={(next) => setTerms(measure.terms.with(at, next))}
          onRemove={measure.terms.length > 1 ? () => setTerms(measure.terms.filter((_, i) => i !== at)) : undefined}
        />
      ))}
      {measure.terms.length < TERMS_MAX && (
        <AddButton label="Add step" onClick={() => setTerms([...measure.terms, { op: 'multiply', operand: null }])} />
      )}
    </Stack>
  )
}

const NUMBER_OPTION_VALUE = 'number'
const numberOption = (onChoose: () => void) => ({
  group: 'Other',
  items: [{ value: NUMBER_OPTION_VALUE, label: 'Number' }],
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
  term: ExpressionTerm
  dataset: BuilderDataset
  onChange: (term: ExpressionTerm) => void
  onRemove: (() => void) | undefined
}) {
  const { term, dataset, onChange, onRemove } = props
  const choices = fieldOptions(dataset, 'splits', isNumeric)
  const fixed = typeof term.operand === 'number'
  return (
    <Group gap="xs" wrap="nowrap">
      <Select
        aria-label="Operator"
        data={EXPRESSION_OPERATORS.map((op) => ({ value: op, label: ARITHMETIC_SIGNS[op] }))}
        value={term.op}
        w={64}
        style={{ flex: 'none' }}
        onChange={(op) => op && onChange({ ...term, op })}
      />
      {fixed ? (
        <NumberOperand value={Number(term.operand)} onChange={(operand) => onChange({ ...term, operand })} />
      ) : (
        <ColumnSelect
          label="Column or number"
          hideLabel
          choices={choices}
          ownLabel={dataset.name}
          value={typeof term.operand === 'string' ? term.operand : null}
          onChange={(operand) => onChange({ ...term, operand })}
          extra={numberOption(() => onChange({ ...term, operand: 1 }))}
        />
      )}
      {onRemove && <IconButton icon={IconTrash} label="Remove step" onClick={onRemove} />}
    </Group>
  )
}
