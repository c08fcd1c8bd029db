import { Stack } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ImportTables } from './import-tables'
import { LoadFoot } from './load-foot'
import { isLedger } from './ledger-match'
import { MappingStep } from './mapping-step'
import type { IntoMode } from './mapping'
import { rowsOf, tableFault } from './table-facts'
import { LEDGER_WORDS } from './table-names'
import type { FoundTable } from './table-names'
import type { OpenedFile } from './upload-queue'
import { useTables } from './use-tables'
import { nameKey } from '../../../src/shared/names'
import type { Dataset, SyncRun } from '../../../src/shared/sources'

export interface ImportIntoProps {
  files: readonly OpenedFile[]
  dataset: Dataset
  mode: IntoMode
  onStarted: (run: SyncRun) => void
  onPickFile: () => void
  back: ReactNode
}

/** The table that is called like the dataset is looked at first. */
const isOf =
  ({ name }: Dataset) =>
  ({ table: { name: own, ledger } }: FoundTable): boolean =>
    nameKey(ledger ? LEDGER_WORDS[ledger] : own) === nameKey(name)

/** Another file into data that is there: first which table and how it was read, then where its columns go. */
export function ImportInto({ files, dataset, mode, onStarted, onPickFile, back }: ImportIntoProps) {
  const { tables, active, look } = useTables(files, { isChosen: isOf(dataset) })
  const [step, setStep] = useState<'read' | 'match'>('read')
  if (!active) return null
  const { inspection, columns, reading } = active.found
  if (step === 'match' && inspection)
    return (
      <MappingStep
        {...{ dataset, columns, inspection, onStarted, onPickFile }}
        uploadId={active.id}
        firstMode={isLedger(dataset) ? 'replacePart' : mode}
        onBack={() => setStep('read')}
      />
    )
  return (
    <Stack gap="md">
      <ImportTables {...{ tables, active, onPickFile }} onLook={look} pick="one" />
      {inspection && (
        <LoadFoot
          verb="Match columns of"
          rows={rowsOf(active)}
          fault={tableFault(active)}
          busy={false}
          waiting={reading}
          onLoad={() => setStep('match')}
          back={back}
        />
      )}
    </Stack>
  )
}
