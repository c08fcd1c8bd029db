import { Button, Stack } from '@mantine/core'
import { useState } from 'react'
import { columnsFault } from './column-edits'
import { ImportTable } from './import-table'
import { LoadFoot } from './load-foot'
import { MappingStep } from './mapping-step'
import type { IntoMode } from './mapping'
import { useImport } from './use-import'
import type { Upload } from '../../../src/shared/files'
import type { Dataset, SyncRun } from '../../../src/shared/sources'

export interface ImportIntoProps {
  upload: Upload
  dataset: Dataset
  mode: IntoMode
  onStarted: (run: SyncRun) => void
  onPickFile: () => void
}

/** Another file into data that is there: first how it was read, then where its columns go. */
export function ImportInto({ upload, dataset, mode, onStarted, onPickFile }: ImportIntoProps) {
  const found = useImport(upload.id)
  const [step, setStep] = useState<'read' | 'match'>('read')
  const { inspection, columns } = found
  if (step === 'match' && inspection)
    return (
      <MappingStep
        {...{ upload, dataset, columns, onStarted, onPickFile }}
        firstMode={mode}
        inspection={inspection}
        onBack={() => setStep('read')}
      />
    )
  return (
    <Stack gap="md">
      <ImportTable found={found} fileName={upload.fileName} onPickFile={onPickFile} />
      {inspection && (
        <LoadFoot
          verb="Match columns of"
          rows={inspection.rows}
          fault={columnsFault(columns, found.bad, found.cells.length)}
          busy={false}
          waiting={found.reading}
          onLoad={() => setStep('match')}
          back={
            <Button variant="default" onClick={onPickFile}>
              Another file
            </Button>
          }
        />
      )}
    </Stack>
  )
}
