import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ImportTablesPanel } from './import-tables'
import { ImportFooter } from './load-foot'
import { isLedgerDataset } from './ledger-match'
import { ColumnMappingStep } from './mapping-step'
import type { ImportMode } from './mapping'
import { tableRowCount, validateTable } from './table-facts'
import { LEDGER_TABLE_LABELS } from './table-names'
import type { DetectedTable } from './table-names'
import type { OpenedFile } from './upload-queue'
import { useImportTables } from './use-tables'
import { nameKey } from '../../../src/shared/names'
import type { Dataset, SyncRun } from '../../../src/shared/sources'

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
