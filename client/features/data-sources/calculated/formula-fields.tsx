import { AddButton } from '../../../ui/buttons/add-button'
import { RemoveButton } from '../../../ui/buttons/list-buttons'
import { Group, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { OPERATORS, TEXT_PARTS_MAX, STEPS_MAX, OPERATOR_SIGNS } from './formula-draft'
import type { FormulaDraft, Operand, TextPart, CalculationStep } from './formula-draft'
import type { Column } from '../../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../../src/shared/data-sources/files'

const NUMBER_OPTION = 'number'
const TEXT_OPTION = 'letters'
const columnOptions = (columns: readonly Column[]) => columns.map(({ key, label }) => ({ value: key, label }))
const findColumnKey = (columns: readonly Column[], text: string | null): ColumnKey | null =>
  columns.find(({ key }) => key === text)?.key ?? null

interface FieldsProps<Kind extends FormulaDraft['kind']> {
  draft: FormulaDraft & { kind: Kind }
  columns: readonly Column[]
  onChange: (draft: FormulaDraft) => void
}

/** A calculation, worked from top to bottom. */
export function CalculationFields({ draft, columns, onChange }: FieldsProps<'calculation'>) {
  const steps = (next: CalculationStep[]) => onChange({ ...draft, steps: next })
  return (
    <Stack gap="xs">
      <OperandField
        label="Start with"
        operand={draft.first}
        columns={columns}
        onChange={(first) => onChange({ ...draft, first })}
      />
      {draft.steps.map((step, at) => (
        // Steps have no identity but their place.
        <StepFields
          key={at}
          step={step}
          columns={columns}
          onChange={(next) => steps(draft.steps.map((old, i) => (i === at ? next : old)))}
          onRemove={draft.steps.length > 1 ? () => steps(draft.steps.filter((_, i) => i !== at)) : null}
        />
      ))}
      {draft.steps.length < STEPS_MAX && (
        <AddButton label="Add step" onClick={() => steps([...draft.steps, { op: 'add', operand: null }])} />
      )}
    </Stack>
  )
}

interface StepFieldsProps {
  step: CalculationStep
  columns: readonly Column[]
  onChange: (step: CalculationStep) => void
  onRemove: (() => void) | null
}

function StepFields({ step, columns, onChange, onRemove }: StepFieldsProps) {
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end">
      <Select
        aria-label="Operator"
        data={OPERATORS.map((op) => ({ value: op, label: OPERATOR_SIGNS[op] }))}
        value={step.op}
        w={68}
        style={{ flex: 'none' }}
        onChange={(text) => {
          const op = OPERATORS.find((one) => one === text)
          if (op) onChange({ ...step, op })
        }}
      />
      <OperandField operand={step.operand} columns={columns} onChange={(operand) => onChange({ ...step, operand })} />
      {onRemove && <RemoveButton size={36} label="Remove step" onClick={onRemove} />}
    </Group>
  )
}

interface OperandFieldProps {
  label?: string
  operand: Operand
  columns: readonly Column[]
  onChange: (operand: Operand) => void
}

function OperandField({ label, operand, columns, onChange }: OperandFieldProps) {
  const pick = (text: string | null) => {
    const key = findColumnKey(columns, text)
    onChange(text === NUMBER_OPTION ? { kind: 'number', value: 1 } : key === null ? null : { kind: 'column', key })
  }
  return (
    <Group gap="xs" wrap="nowrap" align="flex-end" style={{ flex: 1, minWidth: 0 }}>
      <Select
        allowDeselect
        {...(label === undefined ? { 'aria-label': 'Column or number' } : { label })}
        placeholder="Choose column"
        data={[...columnOptions(columns), { value: NUMBER_OPTION, label: 'Number' }]}
        value={operand === null ? null : operand.kind === 'number' ? NUMBER_OPTION : operand.key}
        onChange={pick}
        searchable
        style={{ flex: 1, minWidth: 0 }}
      />
      {operand?.kind === 'number' && (
        <DecimalField value={operand.value} onChange={(value) => onChange({ kind: 'number', value })} />
      )}
    </Group>
  )
}

/** Texts, one after the other. */
export function TextFields({ draft, columns, onChange }: FieldsProps<'text'>) {
  const pieces = (next: TextPart[]) => onChange({ ...draft, pieces: next })
  const set = (at: number, textPart: TextPart) => pieces(draft.pieces.map((old, i) => (i === at ? textPart : old)))
  const pick = (at: number, text: string | null) => {
    const key = findColumnKey(columns, text)
    set(at, text === TEXT_OPTION ? { kind: 'text', value: '' } : key === null ? null : { kind: 'column', key })
  }
  return (
    <Stack gap="xs">
      {draft.pieces.map((piece, at) => (
        <Group key={at} gap="xs" wrap="nowrap">
          <Select
            allowDeselect
            aria-label={`Part ${at + 1}`}
            placeholder="Choose column"
            data={[...columnOptions(columns), { value: TEXT_OPTION, label: 'Fixed text' }]}
            value={piece === null ? null : piece.kind === 'text' ? TEXT_OPTION : piece.key}
            onChange={(text) => pick(at, text)}
            searchable
            style={{ flex: 1, minWidth: 0 }}
          />
          {piece?.kind === 'text' && (
            <TextInput
              aria-label={`Text of part ${at + 1}`}
              value={piece.value}
              maxLength={200}
              w={110}
              style={{ flex: 'none' }}
              onChange={(event) => set(at, { kind: 'text', value: event.currentTarget.value })}
            />
          )}
          {draft.pieces.length > 1 && (
            <RemoveButton
              size={36}
              label={`Remove part ${at + 1}`}
              onClick={() => pieces(draft.pieces.filter((_, i) => i !== at))}
            />
          )}
        </Group>
      ))}
      {draft.pieces.length < TEXT_PARTS_MAX && (
        <AddButton label="Add part" onClick={() => pieces([...draft.pieces, null])} />
      )}
    </Stack>
  )
}

/** Whole days from one date to another; negative when the second is earlier. */
export function DaysFields({ draft, columns, onChange }: FieldsProps<'days'>) {
  return (
    <Stack gap="xs">
      <Select
        allowDeselect
        label="From"
        placeholder="Choose date column"
        data={columnOptions(columns)}
        value={draft.from}
        onChange={(text) => onChange({ ...draft, from: findColumnKey(columns, text) })}
      />
      <Select
        allowDeselect
        label="To"
        placeholder="Choose date column"
        data={columnOptions(columns)}
        value={draft.to}
        onChange={(text) => onChange({ ...draft, to: findColumnKey(columns, text) })}
      />
    </Stack>
  )
}

const parseDecimal = (text: string): number | null => {
  const plain = text
    .replaceAll(/[\s\u00a0]/g, '')
    .replace(',', '.')
    .replace('−', '-')
  const number = plain === '' ? Number.NaN : Number(plain)
  return Number.isFinite(number) ? number : null
}

/** A fixed number of a formula; decimals with comma or point. What is no number is marked and not taken. */
function DecimalField({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const [text, setText] = useState(String(value).replace('.', ','))
  return (
    <TextInput
      aria-label="Number"
      inputMode="decimal"
      w={92}
      style={{ flex: 'none' }}
      value={text}
      error={parseDecimal(text) === null}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        const number = parseDecimal(next)
        if (number !== null) onChange(number)
      }}
    />
  )
}
