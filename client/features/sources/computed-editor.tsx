import { Alert, Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { IconAlertCircle } from '@tabler/icons-react'
import { useState } from 'react'
import type { ComputedColumn } from './computed-columns'
import { draftOfExpr, emptyDraft, exprOf, usableColumns } from './computed-draft'
import type { ComputedDraft } from './computed-draft'
import { CalculationFields, DaysFields, TextFields } from './computed-fields'
import classes from './computed.module.css'
import { ComputedPreview } from './computed-preview'
import { formulaWords } from './computed-words'
import { FaultNotice } from './fault-notice'
import { FormatField } from './format-field'
import { useSaveComputed } from './computed-queries'
import type { ComputedInput } from './computed-queries'
import { fieldErrors } from '../../ui/form-error'
import { HEADER_MAX_CHARS } from '../../../src/shared/limits'
import type { ColumnFormat } from '../../../src/shared/files'
import type { Column, Dataset } from '../../../src/shared/sources'

const KINDS: readonly { value: ComputedDraft['kind']; label: string }[] = [
  { value: 'calculation', label: 'Calculation' },
  { value: 'text', label: 'Text' },
  { value: 'days', label: 'Days between' },
]
const PLAIN: ColumnFormat = { style: 'plain' }
const NEEDS: Record<ComputedDraft['kind'], string> = {
  calculation: 'This table has no column of numbers.',
  text: 'This table has no column of text.',
  days: 'This table has no column of dates.',
}

export interface ComputedEditorProps {
  dataset: Dataset
  /** Null: a new one. */
  column: ComputedColumn | null
  onClose: () => void
}

/** What is being written, and its way to the server. */
function useComputedForm({ dataset, column, onClose }: ComputedEditorProps) {
  const first = column && draftOfExpr(column.computed)
  const [label, setLabel] = useState(column?.label ?? '')
  const [draft, setDraft] = useState(first ?? emptyDraft('calculation'))
  const [format, setFormat] = useState<ColumnFormat>(column?.format ?? PLAIN)
  const save = useSaveComputed()
  const expr = exprOf(dataset.id, draft)
  const send = () => {
    if (!expr) return
    const input: ComputedInput = { label: label.trim(), expr, format: draft.kind === 'calculation' ? format : PLAIN }
    // What it is used as was chosen for this kind of value.
    if (column && first?.kind === draft.kind) input.role = column.role
    save.mutate({ dataset, key: column?.key ?? null, input }, { onSuccess: onClose })
  }
  return { label, setLabel, draft, setDraft, format, setFormat, expr, save, send }
}

/** A computed column: its name, its formula and what comes out for the first rows. */
export function ComputedEditor(props: ComputedEditorProps) {
  const { dataset, column, onClose } = props
  const { label, setLabel, draft, setDraft, format, setFormat, expr, save, send } = useComputedForm(props)
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
        <DraftFields
          draft={draft}
          columns={usableColumns(dataset.columns, draft.kind, column?.key)}
          onChange={setDraft}
        />
        {draft.kind === 'calculation' && <FormatField label="Shown as" format={format} onChange={setFormat} />}
        {expr && (
          <Text size="sm" className={classes.formula}>
            {name || 'The column'} = {formulaWords(expr, dataset.columns)}
          </Text>
        )}
        {expr && <ComputedPreview dataset={dataset} expr={expr} label={name || 'Result'} format={format} />}
        <SaveFault error={save.error} onRetry={send} />
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
function SaveFault({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const fields = fieldErrors(error)
  if (!fields) return error && <FaultNotice error={error} onRetry={onRetry} />
  return (
    <Alert color="red" icon={<IconAlertCircle aria-hidden />} role="alert" title="This cannot be worked out">
      {[...new Set(Object.values(fields))].join(' ')}
    </Alert>
  )
}

interface DraftFieldsProps {
  draft: ComputedDraft
  columns: readonly Column[]
  onChange: (draft: ComputedDraft) => void
}

/** Which kind of formula, and what it is made of. */
function DraftFields(props: DraftFieldsProps) {
  const { draft, columns, onChange } = props
  const pick = (text: string) => {
    const kind = KINDS.find(({ value }) => value === text)?.value
    if (kind && kind !== draft.kind) onChange(emptyDraft(kind))
  }
  return (
    <>
      <SegmentedControl aria-label="Kind of formula" data={[...KINDS]} value={draft.kind} onChange={pick} />
      {columns.length === 0 ? (
        <Text size="sm" c="dimmed">
          {NEEDS[draft.kind]}
        </Text>
      ) : (
        <KindFields {...props} />
      )}
    </>
  )
}

function KindFields({ draft, columns, onChange }: DraftFieldsProps) {
  switch (draft.kind) {
    case 'calculation':
      return <CalculationFields {...{ draft, columns, onChange }} />
    case 'text':
      return <TextFields {...{ draft, columns, onChange }} />
    case 'days':
      return <DaysFields {...{ draft, columns, onChange }} />
  }
}
