import { Alert, Button, Checkbox, List, MultiSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { dependentsOf } from '../../lib/dependents'
import { SourceErrorNotice } from './fault-notice'
import { isLedgerDataset, datasetLedgerKeys } from './ledger-match'
import { ImportFooter } from './load-foot'
import {
  importedColumns,
  validateMapping,
  toMappingInput,
  missingColumns,
  requiresKeyColumns,
  suggestTargets,
  assignTarget,
} from './mapping'
import type { ImportMode } from './mapping'
import { MappingTable } from './mapping-table'
import { ImportModeField } from './mode-choice'
import { useCreateLoad } from './queries'
import type { FileColumn, FileInspection } from '../../../src/shared/files'
import type { Column, ColumnKey, Dataset, SyncRun } from '../../../src/shared/sources'

export interface ColumnMappingStepProps {
  uploadId: string
  dataset: Dataset
  inspection: FileInspection
  columns: readonly FileColumn[]
  initialMode: ImportMode
  onStarted: (run: SyncRun) => void
  onPickFile: () => void
  onBack: () => void
}

/** Where each column of the file goes, and what happens to the rows that are there. */
export function ColumnMappingStep(props: ColumnMappingStepProps) {
  const { uploadId, dataset, inspection, columns, onStarted, onPickFile, onBack } = props
  const existing = importedColumns(dataset)
  const [mode, setMode] = useState(props.initialMode)
  const [targets, setTargets] = useState(() => suggestTargets(columns, existing))
  const [keys, setKeys] = useState<ColumnKey[]>(() => initialKeyColumns(dataset))
  const [acceptRemoved, setAccept] = useState(false)
  const load = useCreateLoad()
  const dependents = dependentsOf(load.error)
  const missing = missingColumns(targets, existing)
  const start = () => {
    const { settings } = inspection
    const where = toMappingInput({ mode, targets, file: columns, existing })
    const keyColumns = requiresKeyColumns(mode) ? keys : []
    const input = { uploadId, mode, settings, ...where, keyColumns, acceptRemoved }
    load.mutate({ datasetId: dataset.id, input }, { onSuccess: onStarted })
  }
  const fault = validateMapping({ mode, targets, keyColumns: keys })
  return (
    <Stack gap="md">
      <ImportModeField mode={mode} onChange={setMode} rowCount={dataset.rowCount} ledger={isLedgerDataset(dataset)} />
      {requiresKeyColumns(mode) && <KeyColumnsField mode={mode} columns={existing} keys={keys} onChange={setKeys} />}
      <MappingTable
        columns={columns}
        existing={existing}
        targets={targets}
        onTarget={(index, target) => setTargets((before) => assignTarget(before, index, target))}
      />
      <MissingColumnsNotice columns={missing} mode={mode} />
      {dependents && (
        <Alert color="red" title="Insights use a column that this file does not have" role="alert">
          <List size="sm" mb="sm">
            {dependents.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
          <Checkbox
            label="Load anyway. These insights will need another column."
            checked={acceptRemoved}
            onChange={(event) => setAccept(event.currentTarget.checked)}
          />
        </Alert>
      )}
      {load.error && !dependents && <SourceErrorNotice error={load.error} onRetry={start} onPickFile={onPickFile} />}
      <ImportFooter
        rows={inspection.rows}
        fault={fault ?? (dependents && !acceptRemoved ? 'Match the missing column, or accept that it goes.' : null)}
        busy={load.isPending}
        waiting={false}
        onLoad={start}
        back={
          <Button variant="default" onClick={onBack}>
            Back to the file
          </Button>
        }
      />
    </Stack>
  )
}

/** What was chosen before; of books, whose year a row belongs to. */
const initialKeyColumns = (dataset: Dataset): ColumnKey[] => {
  if (dataset.keyColumns.length > 0) return dataset.keyColumns
  return isLedgerDataset(dataset) ? datasetLedgerKeys(dataset) : []
}

function MissingColumnsNotice({ columns, mode }: { columns: Column[]; mode: ImportMode }) {
  if (columns.length === 0) return null
  const names = columns.map(({ label }) => label).join(', ')
  return (
    <Alert
      color="yellow"
      title={columns.length === 1 ? 'A column is not in this file' : 'Columns are not in this file'}
    >
      <Text size="sm">
        {names}.{' '}
        {mode === 'replace' ? 'They go away with the rows that are replaced.' : 'They stay empty in the new rows.'}
      </Text>
    </Alert>
  )
}

interface KeyColumnsFieldProps {
  mode: ImportMode
  columns: Column[]
  keys: ColumnKey[]
  onChange: (keys: ColumnKey[]) => void
}

function KeyColumnsField({ mode, columns, keys, onChange }: KeyColumnsFieldProps) {
  const chosen = (texts: string[]) => columns.flatMap(({ key }) => (texts.includes(key) ? [key] : []))
  return (
    <MultiSelect
      label={mode === 'upsert' ? 'Columns that tell one row from another' : 'Columns that tell one part from another'}
      description={
        mode === 'upsert'
          ? 'A row with the same values here is updated; any other is added. An order number, for example.'
          : 'Every part that is in the file is replaced whole, the others stay. A year or a month, for example.'
      }
      data={columns.map(({ key, label }) => ({ value: key, label }))}
      value={keys}
      onChange={(texts) => onChange(chosen(texts))}
      maxValues={10}
      searchable
      maw={520}
    />
  )
}
