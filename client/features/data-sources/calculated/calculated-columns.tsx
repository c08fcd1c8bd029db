import { TERMS } from '../../../../src/shared/terms'
import { MutedText } from '../../../ui/muted-text'
import { DialogButtons } from '../../../ui/forms/form-dialog'
import { Button, Group, Stack, Text, Title, Alert, SegmentedControl, TextInput } from '@mantine/core'
import { IconMathFunction, IconPlus, IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './calculated-columns.module.css'
import { describeFormula, producesNumber, emptyFormulaDraft, toFormulaExpression, usableColumns } from './formula-draft'
import type { FormulaDraft } from './formula-draft'
import type { Expr } from '../../../../src/shared/query/plan'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import { FormulaText, storedFormulaDraft } from './formula-text'
import { CalculationFields, DaysFields, TextFields } from './formula-fields'
import { CalculatedColumnPreview } from './calculated-column-preview'
import { SourceErrorNotice } from '../source-error-notice'
import { ColumnFormatField } from '../columns/column-format-field'
import { useSaveCalculatedColumn, useDeleteCalculatedColumn, type CalculatedColumnContent } from './queries'
import { fieldErrors } from '../../../ui/forms/form-error'
import { HEADER_MAX_CHARS } from '../../../../src/shared/limits'
import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import { DeleteDialog } from '../../../ui/forms/confirm-dialog'
import { Dialog } from '../../../ui/dialog'

export type CalculatedColumn = Column & { computed: Expr }
const calculatedColumnsOf = ({ columns }: Pick<Dataset, 'columns'>): CalculatedColumn[] =>
  columns.flatMap((column) => (column.computed ? [{ ...column, computed: column.computed }] : []))

type DialogState = { what: 'add' } | { what: 'edit' | 'remove'; column: CalculatedColumn }

/** Columns worked out from others of the same row: what they are made of, one more, and the way to change them. */
export function CalculatedColumns({ dataset, editable }: { dataset: Dataset; editable: boolean }) {
  const [dialog, setDialog] = useState<DialogState | null>(null)
  const columns = calculatedColumnsOf(dataset)
  const close = () => setDialog(null)
  if (!editable && columns.length === 0) return null
  return (
    <section className={`surface ${classes.section}`} aria-labelledby="computed-columns">
      <Group justify="space-between" gap="sm" align="flex-start">
        <div className={classes.words}>
          <Title order={2} id="computed-columns">
            Calculated columns
          </Title>
          <MutedText>Calculated from other columns, e.g. quantity × price.</MutedText>
        </div>
        {editable && (
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setDialog({ what: 'add' })}
          >
            Add calculated column
          </Button>
        )}
      </Group>
      <CalculatedColumnList {...{ dataset, columns, editable, onAction: setDialog }} />
      {dialog?.what === 'remove' && (
        <DeleteCalculatedColumnDialog dataset={dataset} column={dialog.column} onClose={close} />
      )}
      {dialog !== null && dialog.what !== 'remove' && (
        <CalculatedColumnEditor
          dataset={dataset}
          column={dialog.what === 'edit' ? dialog.column : null}
          onClose={close}
        />
      )}
    </section>
  )
}

interface CalculatedColumnListProps {
  dataset: Dataset
  columns: CalculatedColumn[]
  editable: boolean
  onAction: (dialogState: DialogState) => void
}

function CalculatedColumnList({ dataset, columns, editable, onAction }: CalculatedColumnListProps) {
  if (columns.length === 0) return null
  return (
    <ul className={classes.list}>
      {columns.map((column) => (
        <li key={column.key} className={classes.line}>
          <IconMathFunction size={18} color="var(--accent)" aria-hidden style={{ flex: 'none', marginTop: 2 }} />
          <Stack gap={0} className={classes.words}>
            <Text size="sm" fw={550}>
              {column.label}
            </Text>
            <MutedText>{describeFormula(column.computed, dataset.columns)}</MutedText>
          </Stack>
          {editable && (
            <Group gap="xs">
              {storedFormulaDraft(column.computed, dataset) && (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => onAction({ what: 'edit', column })}
                  aria-label={`Edit ${column.label}`}
                >
                  Edit
                </Button>
              )}
              <Button
                size="xs"
                variant="subtle"
                color="red"
                onClick={() => onAction({ what: 'remove', column })}
                aria-label={`Delete ${column.label}`}
              >
                Delete
              </Button>
            </Group>
          )}
        </li>
      ))}
    </ul>
  )
}

const FORMULA_KINDS: readonly { value: FormulaDraft['kind']; label: string }[] = [
  { value: 'calculation', label: 'Calculation' },
  { value: 'text', label: 'Text' },
  { value: 'days', label: 'Days between' },
  { value: 'formula', label: TERMS.customFormula },
]
const PLAIN_FORMAT: ColumnFormat = { style: 'plain' }
const NO_COLUMNS_TEXT: Record<FormulaDraft['kind'], string> = {
  calculation: 'No number columns in this table',
  text: 'No text columns in this table',
  days: 'No date columns in this table',
  formula: 'No columns in this table',
}

interface CalculatedColumnEditorProps {
  dataset: Dataset
  /** Null: a new one. */
  column: CalculatedColumn | null
  onClose: () => void
}

/** What is being written, and its way to the server. */
function useCalculatedColumnForm({ dataset, column, onClose }: CalculatedColumnEditorProps) {
  const first = column && storedFormulaDraft(column.computed, dataset)
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
      format: producesNumber(expr, dataset.columns) && draft.kind !== 'days' ? format : PLAIN_FORMAT,
    }
    // What it is used as was chosen for this kind of value.
    if (column && first?.kind === draft.kind) input.role = column.role
    save.mutate({ dataset, key: column?.key ?? null, input }, { onSuccess: onClose })
  }
  return { label, setLabel, draft, setDraft, format, setFormat, expr, save, send }
}

/** A calculated column: its name, its formula and what comes out for the first rows. */
function CalculatedColumnEditor(props: CalculatedColumnEditorProps) {
  const { dataset, column, onClose } = props
  const { label, setLabel, draft, setDraft, format, setFormat, expr, save, send } = useCalculatedColumnForm(props)
  const name = label.trim()
  const isTyped = draft.kind === 'formula' && expr !== null && producesNumber(expr, dataset.columns)
  const showsFormat = draft.kind === 'calculation' || isTyped
  return (
    <Dialog opened onClose={onClose} title={column ? `Edit ${column.label}` : 'Add calculated column'} size="lg">
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
          dataset={dataset}
          columns={usableColumns(dataset.columns, draft.kind, column?.key)}
          onChange={setDraft}
        />
        {showsFormat && <ColumnFormatField label={TERMS.format} format={format} onChange={setFormat} />}
        {expr && (
          <Text size="sm" className={classes.formula}>
            {name || 'Column'} = {describeFormula(expr, dataset.columns)}
          </Text>
        )}
        {expr && <CalculatedColumnPreview dataset={dataset} expr={expr} label={name || 'Value'} format={format} />}
        <SaveError error={save.error} onRetry={send} />
        <DialogButtons
          submit={column ? 'Save column' : 'Add column'}
          pending={save.isPending}
          disabled={!expr || name === ''}
          onConfirm={send}
          onClose={onClose}
        />
      </Stack>
    </Dialog>
  )
}

/** The server's own sentence about the formula or the name where there is one. */
function SaveError({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const fields = fieldErrors(error)
  if (!fields) return error && <SourceErrorNotice error={error} onRetry={onRetry} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title="Couldn’t calculate the column">
      {[...new Set(Object.values(fields))].join(' ')}
    </Alert>
  )
}

interface FormulaFieldsProps {
  dataset: Dataset
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
      <SegmentedControl aria-label="Formula type" data={[...FORMULA_KINDS]} value={draft.kind} onChange={pick} />
      {columns.length === 0 ? <MutedText>{NO_COLUMNS_TEXT[draft.kind]}</MutedText> : <FormulaKindFields {...props} />}
    </>
  )
}

function FormulaKindFields({ draft, dataset, columns, onChange }: FormulaFieldsProps) {
  switch (draft.kind) {
    case 'calculation':
      return <CalculationFields {...{ draft, columns, onChange }} />
    case 'text':
      return <TextFields {...{ draft, columns, onChange }} />
    case 'days':
      return <DaysFields {...{ draft, columns, onChange }} />
    case 'formula':
      return <FormulaText {...{ draft, dataset, columns, onChange }} />
  }
}

interface DeleteCalculatedColumnDialogProps {
  dataset: Dataset
  column: CalculatedColumn
  onClose: () => void
}

/** Removes a calculated column. */
function DeleteCalculatedColumnDialog({ dataset, column, onClose }: DeleteCalculatedColumnDialogProps) {
  const remove = useDeleteCalculatedColumn()
  const go = (force: boolean) => remove.mutate({ dataset, key: column.key, force }, { onSuccess: onClose })
  return (
    <DeleteDialog
      title={`Delete calculated column “${column.label}”?`}
      deletion={remove}
      dependentsText={{ title: 'Insights or metrics use this column', after: 'They’ll need another column.' }}
      errorNotice={remove.error && <SourceErrorNotice error={remove.error} onRetry={() => go(false)} />}
      button={{ first: 'Delete column', again: 'Delete anyway' }}
      onDelete={go}
      onClose={onClose}
    >
      The columns it uses stay. You can add it again.
    </DeleteDialog>
  )
}
