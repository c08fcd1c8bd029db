import { TERMS } from '../../../../src/shared/terms'
import { MutedText } from '../../../ui/muted-text'
import { DialogButtons } from '../../../ui/forms/form-dialog'
import { Button, Group, Stack, Text, Title, Alert, TextInput } from '@mantine/core'
import { IconMathFunction, IconPlus, IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './calculated-columns.module.css'
import { describeRowFormula } from '../../../../src/shared/formula/print'
import type { Expr } from '../../../../src/shared/query/expression'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import { FormulaText, formulaValueType, storedFormulaText, useCalculatedFormula } from './formula-text'
import { CalculatedColumnPreview } from './calculated-column-preview'
import { SourceErrorNotice } from '../source-error-notice'
import { ColumnFormatField } from '../columns/column-format-field'
import { useSaveCalculatedColumn, useDeleteCalculatedColumn, type CalculatedColumnContent } from './queries'
import { fieldErrors } from '../../../ui/forms/form-error'
import { HEADER_MAX_CHARS } from '../../../../src/shared/limits'
import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import { DeleteDialog } from '../../../ui/forms/confirm-dialog'
import { Dialog } from '../../../ui/dialog'
import { DraftNotice } from '../../../ui/forms/draft-notice'
import { useKeptDraft } from '../../../lib/writes/kept-draft'

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

/** The formula in its own language, without brackets; a column that is gone is told so. */
const formulaInWords = (expr: Expr, { columns }: Pick<Dataset, 'columns'>): string =>
  describeRowFormula(expr, ({ column }) => columns.find(({ key }) => key === column)?.label ?? 'deleted column')

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
            <MutedText>{formulaInWords(column.computed, dataset)}</MutedText>
          </Stack>
          {editable && (
            <Group gap="xs">
              {storedFormulaText(column.computed, dataset) !== null && (
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

const PLAIN_FORMAT: ColumnFormat = { style: 'plain' }

interface CalculatedColumnEditorProps {
  dataset: Dataset
  /** Null: a new one. */
  column: CalculatedColumn | null
  onClose: () => void
}

interface CalculatedColumnValues {
  label: string
  text: string
  format: ColumnFormat
}

/** What is being written, and its way to the server. */
function useCalculatedColumnForm({ dataset, column, onClose }: CalculatedColumnEditorProps) {
  const [begun] = useState<CalculatedColumnValues>(() => ({
    label: column?.label ?? '',
    text: (column && storedFormulaText(column.computed, dataset)) ?? '',
    format: column?.format ?? PLAIN_FORMAT,
  }))
  const [values, setValues] = useState(begun)
  const { label, text, format } = values
  const draft = useKeptDraft({
    ...{
      name: `calculated:${dataset.id}:${column?.key ?? 'new'}`,
      base: column && JSON.stringify(begun),
      value: values,
    },
    isDirty: JSON.stringify(values) !== JSON.stringify(begun),
    apply: setValues,
    reset: () => setValues(begun),
  })
  const change = (over: Partial<CalculatedColumnValues>): void => setValues((current) => ({ ...current, ...over }))
  const giveUp = (): void => {
    draft.clear()
    onClose()
  }
  const save = useSaveCalculatedColumn()
  const formula = useCalculatedFormula(text, dataset, column?.key ?? null)
  const { expr } = formula
  const type = expr && formulaValueType(expr, dataset)
  const send = () => {
    if (!expr) return
    const input: CalculatedColumnContent = {
      label: label.trim(),
      expr,
      format: type === 'number' ? format : PLAIN_FORMAT,
    }
    // What it is used as was chosen for this type of value.
    if (column && formulaValueType(column.computed, dataset) === type) input.role = column.role
    save.mutate({ dataset, key: column?.key ?? null, input }, { onSuccess: giveUp })
  }
  return { ...values, change, draft, giveUp, formula, type, save, send }
}

/** A calculated column: its name, its formula and what comes out for the first rows. */
function CalculatedColumnEditor(props: CalculatedColumnEditorProps) {
  const { dataset, column, onClose } = props
  const form = useCalculatedColumnForm(props)
  const { label, format, formula, save, send } = form
  const { expr } = formula
  const name = label.trim()
  return (
    <Dialog opened onClose={onClose} title={column ? `Edit ${column.label}` : 'Add calculated column'} size="lg">
      <Stack gap="md">
        <DraftNotice draft={form.draft} />
        <TextInput
          data-autofocus
          label="Name"
          placeholder="Line total"
          value={label}
          maxLength={HEADER_MAX_CHARS}
          onChange={(event) => form.change({ label: event.currentTarget.value })}
        />
        <FormulaText text={form.text} formula={formula} onChange={(text) => form.change({ text })} />
        {form.type === 'number' && (
          <ColumnFormatField label={TERMS.format} format={format} onChange={(next) => form.change({ format: next })} />
        )}
        {expr && <CalculatedColumnPreview dataset={dataset} expr={expr} label={name || 'Value'} format={format} />}
        <SaveError error={save.error} onRetry={send} />
        <DialogButtons
          submit={column ? 'Save column' : 'Add column'}
          pending={save.isPending}
          disabled={!expr || name === ''}
          onConfirm={send}
          onClose={form.giveUp}
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
