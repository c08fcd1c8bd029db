import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { CalculatedColumn } from './computed-columns'
import { toFormulaDraft, emptyFormulaDraft, toFormulaExpression, usableColumns } from './computed-draft'
import type { FormulaDraft } from './computed-draft'
import { CalculationFields, DaysFields, TextFields } from './computed-fields'
import classes from './computed.module.css'
import { CalculatedColumnPreview } from './computed-preview'
import { describeFormula } from './computed-words'
import { SourceErrorNotice } from './fault-notice'
import { ColumnFormatField } from './format-field'
import { useSaveCalculatedColumn } from './computed-queries'
import type { CalculatedColumnContent } from './computed-queries'
import { fieldErrors } from '../../ui/form-error'
import { HEADER_MAX_CHARS } from '../../../src/shared/limits'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Column, Dataset } from '../../../src/shared/sources'

const FORMULA_KINDS: readonly { value: FormulaDraft['kind']; label: string }[] = [
  { value: 'calculation', label: 'Calculation' },
  { value: 'text', label: 'Text' },
  { value: 'days', label: 'Days between' },
]
const PLAIN_FORMAT: ColumnFormat = { style: 'plain' }
const NO_COLUMNS_TEXT: Record<FormulaDraft['kind'], string> = {
  calculation: 'This table has no column of numbers.',
  text: 'This table has no column of text.',
  days: 'This table has no column of dates.',
}

export interface CalculatedColumnEditorProps {
  dataset: Dataset
  /** Null: a new one. */
  column: CalculatedColumn | null
  onClose: () => void
}

/** What is being written, and its way to the server. */
function useCalculatedColumnForm({ dataset, column, onClose }: CalculatedColumnEditorProps) {
  const first = column && toFormulaDraft(column.computed)
  const [label, setLabel] = useState(column?.label ?? '')
  const [draft, setDraft] = useState(first ?? emptyFormulaDraft('calculation'))
  const [format, setFormat] = useState<ColumnFormat>(column?.format ?? PLAIN_FORMAT)
  const save = useSaveCalculatedColumn()
  const expr = toFormulaExpression(dataset.id, draft)
  const send = () => {
    if (!expr) return
    const input: CalculatedColumnContent = {
      label: label.trim(),
      expr,
      format: draft.kind === 'calculation' ? format : PLAIN_FORMAT,
    }
    // What it is used as was chosen for this kind of value.
    if (column && first?.kind === draft.kind) input.role = column.role
    save.mutate({ dataset, key: column?.key ?? null, input }, { onSuccess: onClose })
  }
  return { label, setLabel, draft, setDraft, format, setFormat, expr, save, send }
}

/** A computed column: its name, its formula and what comes out for the first rows. */
export function CalculatedColumnEditor(props: CalculatedColumnEditorProps) {
  const { dataset, column, onClose } = props
  const { label, setLabel, draft, setDraft, format, setFormat, expr, save, send } = useCalculatedColumnForm(props)
  const name = label.trim()
  return (
    <Modal opened onClose={onClose} title={column ? `Change ${column.label}` : 'Add a computed column'} size="lg">
      <Stack gap="md">
        <TextInput
          data-autofocus
          label="Name"
          placeholder="Line total"
          value={label}
          maxLength={HEADER_MAX_CHARS}
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <FormulaFields
          draft={draft}
          columns={usableColumns(dataset.columns, draft.kind, column?.key)}
          onChange={setDraft}
        />
        {draft.kind === 'calculation' && <ColumnFormatField label="Shown as" format={format} onChange={setFormat} />}
        {expr && (
          <Text size="sm" className={classes.formula}>
            {name || 'The column'} = {describeFormula(expr, dataset.columns)}
          </Text>
        )}
        {expr && <CalculatedColumnPreview dataset={dataset} expr={expr} label={name || 'Result'} format={format} />}
        <SaveError error={save.error} onRetry={send} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={send} loading={save.isPending} disabled={!expr || name === ''}>
            {column ? 'Save column' : 'Add column'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

/** The server's own sentence about the formula or the name where there is one. */
function SaveError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const fields = fieldErrors(error)
  if (!fields) return error && <SourceErrorNotice error={error} onRetry={onRetry} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title="This cannot be worked out">
      {[...new Set(Object.values(fields))].join(' ')}
    </Alert>
  )
}

interface FormulaFieldsProps {
  draft: FormulaDraft
  columns: readonly Column[]
  onChange: (draft: FormulaDraft) => void
}

/** Which kind of formula, and what it is made of. */
function FormulaFields(props: FormulaFieldsProps) {
  const { draft, columns, onChange } = props
  const pick = (text: string) => {
    const kind = FORMULA_KINDS.find(({ value }) => value === text)?.value
    if (kind && kind !== draft.kind) onChange(emptyFormulaDraft(kind))
  }
  return (
    <>
      <SegmentedControl aria-label="Kind of formula" data={[...FORMULA_KINDS]} value={draft.kind} onChange={pick} />
      {columns.length === 0 ? (
        <Text size="sm" c="dimmed">
          {NO_COLUMNS_TEXT[draft.kind]}
        </Text>
      ) : (
        <FormulaKindFields {...props} />
      )}
    </>
  )
}

function FormulaKindFields({ draft, columns, onChange }: FormulaFieldsProps) {
  switch (draft.kind) {
    case 'calculation':
      return <CalculationFields {...{ draft, columns, onChange }} />
    case 'text':
      return <TextFields {...{ draft, columns, onChange }} />
    case 'days':
      return <DaysFields {...{ draft, columns, onChange }} />
  }
}
