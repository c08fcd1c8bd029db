import { MutedText } from '../../../ui/muted-text'
import {
  Stack,
  Alert,
  Button,
  Checkbox,
  List,
  MultiSelect,
  Text,
  Select,
  Table,
  Radio,
  SimpleGrid,
} from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { ImportTablesPanel } from './import-tables'
import { ImportFooter } from './import-footer'
import { isLedgerDataset, datasetLedgerKeys } from './ledger-match'
import {
  importedColumns,
  validateMapping,
  toMappingInput,
  missingColumns,
  requiresKeyColumns,
  suggestTargets,
  assignTarget,
} from './column-mapping'
import type { ImportMode, ColumnTarget, ColumnTargets } from './column-mapping'
import { tableRowCount, validateTable } from './import-request'
import { LEDGER_TABLE_LABELS, type DetectedTable } from './detected-tables'
import type { OpenedFile } from '../upload/upload-queue'
import { useImportTables } from './use-import-tables'
import { nameKey } from '../../../../src/shared/field-schemas'
import type { Dataset, SyncRun, Column } from '../../../../src/shared/data-sources/data-sources'
import { dependentsOf } from '../../../lib/error-details'
import { SourceErrorNotice } from '../source-error-notice'
import { useCreateLoad } from '../queries'
import type { FileColumn, FileInspection, ColumnKey } from '../../../../src/shared/data-sources/files'
import { COLUMN_TYPE_LABELS } from './import-settings'
import { ScrollableTable } from '../../../ui/scrollable-table'
import classes from './dataset-import.module.css'
import { formatRowCount, useFormat } from '../../../lib/format'

export interface DatasetImportProps {
  files: readonly OpenedFile[]
  dataset: Dataset
  mode: ImportMode
  onStarted: (run: SyncRun) => void
  onPickFile: () => void
  back: ReactNode
}

/** The table that is called like the dataset is looked at first. */
const matchesDataset =
  ({ name }: Dataset) =>
  ({ table: { name: own, ledger } }: DetectedTable): boolean =>
    nameKey(ledger ? LEDGER_TABLE_LABELS[ledger] : own) === nameKey(name)

/** Another file into data that is there: first which table and how it was read, then where its columns go. */
export function DatasetImport({ files, dataset, mode, onStarted, onPickFile, back }: DatasetImportProps) {
  const { tables, active, look } = useImportTables(files, { isChosen: matchesDataset(dataset) })
  const [step, setStep] = useState<'read' | 'match'>('read')
  if (!active) return null
  const { inspection, columns, reading } = active.found
  if (step === 'match' && inspection)
    return (
      <ColumnMappingStep
        {...{ dataset, columns, inspection, onStarted, onPickFile }}
        uploadId={active.id}
        initialMode={isLedgerDataset(dataset) ? 'replacePart' : mode}
        onBack={() => setStep('read')}
      />
    )
  return (
    <Stack gap="md">
      <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} pick="one" />
      {inspection && (
        <ImportFooter
          verb="Match columns of"
          rows={tableRowCount(active)}
          fault={validateTable(active)}
          busy={false}
          waiting={reading}
          onLoad={() => setStep('match')}
          back={back}
        />
      )}
    </Stack>
  )
}

interface ColumnMappingStepProps {
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
function ColumnMappingStep(props: ColumnMappingStepProps) {
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

const NEW_COLUMN_OPTION = 'new'
const SKIP_OPTION = 'skip'
const targetOption = (target: ColumnTarget | undefined): string =>
  target === undefined ? SKIP_OPTION : target.kind === 'column' ? target.key : target.kind

interface MappingTableProps {
  columns: readonly FileColumn[]
  existing: readonly Column[]
  targets: ColumnTargets
  onTarget: (index: number, target: ColumnTarget) => void
}

/** One line for each column of the file: where it goes. */
function MappingTable({ columns, existing, targets, onTarget }: MappingTableProps) {
  const choices = [
    ...existing.map(({ key, label, type }) => ({
      value: key,
      label: `${label} (${COLUMN_TYPE_LABELS[type].toLowerCase()})`,
    })),
    { value: NEW_COLUMN_OPTION, label: 'Add as a new column' },
    { value: SKIP_OPTION, label: 'Leave out' },
  ]
  const pick = (index: number, text: string | null) => {
    const held = existing.find(({ key }) => key === text)
    onTarget(index, held ? { kind: 'column', key: held.key } : { kind: text === NEW_COLUMN_OPTION ? 'new' : 'skip' })
  }
  return (
    <ScrollableTable label="Columns of the file" minWidth={460}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>In the file</Table.Th>
          <Table.Th>Goes into</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((column) => (
          <Table.Tr key={column.index}>
            <Table.Td>
              <Text size="sm" fw={550}>
                {column.label}
              </Text>
              <Text size="xs" c="dimmed">
                {mappingNote(column, targets.get(column.index), existing)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={`${column.label} goes into`}
                data={choices}
                value={targetOption(targets.get(column.index))}
                onChange={(text) => pick(column.index, text)}
                searchable={existing.length > 8}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  )
}

function mappingNote(column: FileColumn, target: ColumnTarget | undefined, existing: readonly Column[]): string {
  const type = COLUMN_TYPE_LABELS[column.type]
  const into = target?.kind === 'column' ? existing.find(({ key }) => key === target.key) : undefined
  if (!into || into.type === column.type) return type
  return `${type} here, ${COLUMN_TYPE_LABELS[into.type].toLowerCase()} there: read as what is there`
}

const IMPORT_MODES: readonly { value: ImportMode; label: string; note: string }[] = [
  { value: 'append', label: 'Add the rows', note: 'What is there stays. For a file with only the newest period.' },
  {
    value: 'replace',
    label: 'Replace all rows',
    note: 'For a file that holds everything. You can go back afterwards.',
  },
  { value: 'upsert', label: 'Update and add', note: 'Rows with the same key are updated, the others are added.' },
  {
    value: 'replacePart',
    label: 'Replace a part',
    note: 'Only the months or years that are in the file are replaced. The others stay.',
  },
]
const REPLACE_YEARS = {
  value: 'replacePart',
  label: 'Replace the years in this file',
  note: 'A year that is in the file takes the place of the same year here. Other years stay.',
} as const
/** Books are replaced by the year first of all. */
const LEDGER_IMPORT_MODES = [
  REPLACE_YEARS,
  ...IMPORT_MODES.filter(({ value }) => value === 'replace' || value === 'append'),
]

/** What happens to the rows that are there. */
function ImportModeField({
  mode,
  onChange,
  rowCount,
  ledger = false,
}: {
  mode: ImportMode
  onChange: (mode: ImportMode) => void
  rowCount: number
  /** The rows are books of fiscal years. */
  ledger?: boolean
}) {
  const modes = ledger ? LEDGER_IMPORT_MODES : IMPORT_MODES
  const format = useFormat()
  const pick = (text: string) => {
    const known = IMPORT_MODES.find(({ value }) => value === text)
    if (known) onChange(known.value)
  }
  return (
    <Radio.Group
      value={mode}
      onChange={pick}
      label={`What should happen to the ${formatRowCount(format, rowCount)} that are there?`}
    >
      <SimpleGrid cols={{ base: 1, sm: 2, lg: modes.length }} mt="xs">
        {modes.map(({ value, label, note }) => (
          <Radio.Card key={value} value={value} className={classes.card}>
            <Stack gap={2}>
              <Text fw={600}>{label}</Text>
              <MutedText>{note}</MutedText>
            </Stack>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}
