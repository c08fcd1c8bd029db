import { Stack, Alert, Button, Checkbox, List, Text, Select, Table } from '@mantine/core'
import { MultiSelect } from '../../../ui/forms/multi-select'
import { COLUMN_TYPE_LABELS, LEDGER_TABLE_LABELS } from '../../../../src/shared/data-sources/files'
import { useMemo, useState, type ReactNode } from 'react'
import { ImportTablesPanel } from './import-tables'
import { ImportFooter } from './import-footer'
import { ExistingKeysAlert, ImportModeField } from './import-mode-field'
import { ComparisonYearsField, comparisonYearsOf } from './comparison-years'
import { previewCells, type ParsedTable } from './cell-parsing'
import { InvalidRowsAlert } from '../invalid-rows-alert'
import { useKeyMatch } from './key-match'
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
import { applyTargets, targetChoices } from './import-choices'
import { tableRowCount, toImportChoices, validateTable } from './import-request'
import type { DetectedTable } from './detected-tables'
import type { OpenedFile } from '../upload/upload-queue'
import { useImportTables } from './use-import-tables'
import { useStoredSettings } from './stored-settings'
import { nameKey } from '../../../../src/shared/field-schemas'
import type { Dataset, SyncRun, Column } from '../../../../src/shared/data-sources/data-sources'
import { dependentsOf } from '../../../lib/error-details'
import { SourceErrorNotice } from '../source-error-notice'
import { useCreateLoad } from '../queries'
import type { ImportChoices, ImportChoicesInput } from '../../../../src/shared/data-sources/import-choices'
import type { UploadInspection } from '../../../../src/shared/data-sources/inspection'
import type { CsvSettings, FileColumn, ColumnKey } from '../../../../src/shared/data-sources/files'
import { ScrollableTable } from '../../../ui/scrollable-table'

export interface DatasetImportProps {
  files: readonly OpenedFile[]
  dataset: Dataset
  mode: ImportMode
  /** Of a file that was imported before: how it was read. */
  readAs?: CsvSettings | undefined
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
export function DatasetImport({ files, dataset, mode, readAs, onStarted, onPickFile, back }: DatasetImportProps) {
  const { tables, active, look } = useImportTables(files, { isChosen: matchesDataset(dataset), dataset })
  useStoredSettings(active, readAs)
  const [step, setStep] = useState<'read' | 'match'>('read')
  if (!active) return null
  const { inspection, columns, reading } = active.found
  if (step === 'match' && inspection)
    return (
      <ColumnMappingStep
        {...{ dataset, columns, inspection, onStarted, onPickFile }}
        uploadId={active.id}
        remembered={active.found.memory?.state === 'used' ? (active.found.memory.of.choices?.targets ?? []) : []}
        comparisonYears={comparisonYearsOf([active])}
        {...toImportChoices(active, tables)}
        initialMode={isLedgerDataset(dataset) ? 'replacePart' : mode}
        onBack={() => setStep('read')}
      />
    )
  return (
    <Stack gap="md">
      <ImportTablesPanel {...{ tables, active, onPickFile }} onSelect={look} pick="one" />
      {inspection && (
        <ImportFooter
          verb="Match columns for"
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
  inspection: UploadInspection
  columns: readonly FileColumn[]
  /** Where columns went at the last import, other than was proposed. */
  remembered: ImportChoices['targets']
  /** Of books: years that the file has no transactions of. */
  comparisonYears: readonly string[]
  /** What was decided about the file. */
  choices?: ImportChoicesInput
  initialMode: ImportMode
  onStarted: (run: SyncRun) => void
  onPickFile: () => void
  onBack: () => void
}

/** What is proposed for columns of the file, by their names and places, and with what was chosen at the last import. */
function useColumnTargets({ dataset, inspection, columns, remembered }: ColumnMappingStepProps) {
  const existing = importedColumns(dataset)
  const [proposed] = useState(() => {
    const byPosition = JSON.stringify(inspection.cleaning.steps) === JSON.stringify(dataset.cleaning)
    return suggestTargets(columns, existing, { byPosition })
  })
  const headings = new Map(inspection.columns.map(({ label, index }) => [label, index]))
  const [targets, setTargets] = useState(() => applyTargets(proposed, remembered, { headings, existing }))
  return { existing, targets, setTargets, chosen: targetChoices(inspection.columns, targets, proposed) }
}

/** The first rows of the file as they would be loaded: in the types of the columns that they go to. */
function useLoadedTable(
  mode: ImportMode,
  { dataset, inspection, columns, targets }: ColumnMappingStepProps & { targets: ColumnTargets },
): Pick<ParsedTable, 'columns' | 'cells'> {
  return useMemo(() => {
    const typed = toMappingInput({ mode, targets, file: columns, existing: importedColumns(dataset) }).columns
    return { columns: typed, cells: previewCells(inspection, typed) }
  }, [mode, dataset, inspection, columns, targets])
}

/** Where each column of the file goes, and what happens to the rows that are there. */
function ColumnMappingStep(props: ColumnMappingStepProps) {
  const { uploadId, dataset, inspection, columns, comparisonYears, onStarted, onPickFile, onBack } = props
  const { existing, targets, setTargets, chosen } = useColumnTargets(props)
  const match = useKeyMatch(dataset, { columns, targets, cells: useLoadedTable('append', { ...props, targets }).cells })
  const [chosenMode, setMode] = useState<ImportMode | null>(null)
  const [chosenKeys, setKeys] = useState<ColumnKey[] | null>(null)
  // With a key, rows that are there already are updated and none is doubled, unless the person says otherwise.
  const keyed = match.key !== null || dataset.keyColumns.length > 0
  const mode = chosenMode ?? (props.initialMode === 'append' && keyed ? 'upsert' : props.initialMode)
  const loaded = useLoadedTable(mode, { ...props, targets })
  const keys = chosenKeys ?? initialKeyColumns(dataset, match.key?.key)
  const [acceptRemoved, setAccept] = useState(false)
  const [replaceComparison, setReplaces] = useState(false)
  const load = useCreateLoad()
  const dependents = dependentsOf(load.error)
  const missing = missingColumns(targets, existing)
  const start = () => {
    const { settings } = inspection
    const where = toMappingInput({ mode, targets, file: columns, existing })
    const appended = match.key ? [match.key.key] : []
    const keyColumns = requiresKeyColumns(mode) ? keys : mode === 'append' ? appended : []
    const { steps, columns: between } = inspection.cleaning
    const cleaning = { header: between[0] ?? [], steps }
    const choices = props.choices ? { choices: { ...props.choices, targets: chosen } } : {}
    const input = {
      uploadId,
      mode,
      settings,
      ...where,
      keyColumns,
      acceptRemoved,
      cleaning,
      replaceComparison,
      ...choices,
    }
    load.mutate({ datasetId: dataset.id, input }, { onSuccess: onStarted })
  }
  const fault = validateMapping({ mode, targets, keyColumns: keys })
  return (
    <Stack gap="md">
      <ImportModeField mode={mode} onChange={setMode} rowCount={dataset.rowCount} ledger={isLedgerDataset(dataset)} />
      {mode === 'replacePart' && (
        <ComparisonYearsField years={comparisonYears} replaces={replaceComparison} onChange={setReplaces} />
      )}
      {mode === 'append' && <ExistingKeysAlert match={match} onUpsert={() => setMode('upsert')} />}
      <InvalidRowsAlert table={loaded} next="Correct the file or exclude the column." />
      {requiresKeyColumns(mode) && <KeyColumnsField mode={mode} columns={existing} keys={keys} onChange={setKeys} />}
      <MappingTable
        columns={columns}
        existing={existing}
        targets={targets}
        onTarget={(index, target) => setTargets((before) => assignTarget(before, index, target))}
      />
      <MissingColumnsNotice columns={missing} mode={mode} />
      {dependents && (
        <Alert color="red" title="Insights use a missing column" role="alert">
          <List size="sm" mb="sm">
            {dependents.map(({ id, name }) => (
              <List.Item key={id}>{name}</List.Item>
            ))}
          </List>
          <Checkbox
            label="Import anyway; these insights need another column"
            checked={acceptRemoved}
            onChange={(event) => setAccept(event.currentTarget.checked)}
          />
        </Alert>
      )}
      {load.error && !dependents && <SourceErrorNotice error={load.error} onRetry={start} onPickFile={onPickFile} />}
      <ImportFooter
        rows={inspection.rows}
        fault={fault ?? (dependents && !acceptRemoved ? 'Match the missing column or confirm its removal.' : null)}
        busy={load.isPending}
        waiting={match.pending}
        onLoad={start}
        back={
          <Button variant="default" onClick={onBack}>
            Back to preview
          </Button>
        }
      />
    </Stack>
  )
}

/** What was chosen before; of books, whose year a row belongs to; else the key that was found. */
const initialKeyColumns = (dataset: Dataset, found: ColumnKey | undefined): ColumnKey[] => {
  if (dataset.keyColumns.length > 0) return dataset.keyColumns
  if (isLedgerDataset(dataset)) return datasetLedgerKeys(dataset)
  return found === undefined ? [] : [found]
}

function MissingColumnsNotice({ columns, mode }: { columns: Column[]; mode: ImportMode }) {
  if (columns.length === 0) return null
  const names = columns.map(({ label }) => label).join(', ')
  return (
    <Alert color="yellow" title={columns.length === 1 ? 'Column missing from file' : 'Columns missing from file'}>
      <Text size="sm">
        {names}. {mode === 'replace' ? 'Removed with the replaced rows.' : 'Left empty in new rows.'}
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
      label={mode === 'upsert' ? 'Key columns' : 'Part columns'}
      description={mode === 'upsert' ? 'Identify a row, e.g. Order number' : 'Name the part to replace, e.g. Year'}
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
    { value: NEW_COLUMN_OPTION, label: 'Add as new column' },
    { value: SKIP_OPTION, label: 'Exclude' },
  ]
  const pick = (index: number, text: string | null) => {
    const held = existing.find(({ key }) => key === text)
    onTarget(index, held ? { kind: 'column', key: held.key } : { kind: text === NEW_COLUMN_OPTION ? 'new' : 'skip' })
  }
  return (
    <ScrollableTable label="Column mapping" minWidth={460}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>File column</Table.Th>
          <Table.Th>Dataset column</Table.Th>
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
                aria-label={`Dataset column for ${column.label}`}
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
  return `${type}, read as ${COLUMN_TYPE_LABELS[into.type].toLowerCase()}`
}
