import { useEffect, useRef } from 'react'
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { DropArea } from './drop-area'
import { FaultNotice } from './fault-notice'
import { ImportInto } from './import-into'
import { ImportNew } from './import-new'
import type { IntoMode } from './mapping'
import { datasetQuery } from './queries'
import { UploadProgress } from './upload-progress'
import { useUpload } from './use-upload'
import { useMay } from '../../lib/gate'
import { whoMay } from './fault-words'
import { TableSkeleton } from '../../ui/skeletons'
import type { Upload } from '../../../src/shared/files'

export interface UploadPanelProps {
  /** The load has begun. Its progress and outcome stand on the page of this source. */
  onDone: (sourceId: string) => void
  /** Given: another file into this dataset instead of a new source. */
  datasetId?: string
  mode?: IntoMode
  /** A file that was dropped elsewhere on the page. */
  firstFile?: File | undefined
  /** Beside `firstFile`: back to where it was dropped. */
  onLeave?: () => void
}

/** From a file in the person's hand to a load that runs: send it, see how it was read, correct, load. */
export function UploadPanel({ onDone, datasetId, mode = 'append', firstFile, onLeave }: UploadPanelProps) {
  const { state, start, cancel, finish } = useUpload()
  const may = useMay(datasetId === undefined ? 'create:source' : 'edit:source')
  const taken = useRef<File | null>(null)
  useEffect(() => {
    if (!firstFile || taken.current === firstFile) return
    taken.current = firstFile
    start(firstFile)
  }, [firstFile, start])
  const leave = () => {
    cancel()
    onLeave?.()
  }
  const begun = (sourceId: string) => {
    finish()
    onDone(sourceId)
  }
  if (!may) return <Text c="dimmed">Ask {whoMay('create:source')} of this workspace to add files.</Text>
  switch (state.at) {
    case 'idle':
      return <FirstStep onFile={start} into={datasetId !== undefined} />
    case 'sending':
      return <UploadProgress fileName={state.file.name} progress={state.progress} onCancel={leave} />
    case 'failed':
      return (
        <Stack gap="md">
          <FaultNotice
            error={state.error}
            subject={state.file.name}
            onRetry={() => start(state.file)}
            onPickFile={leave}
          />
          <FirstStep onFile={start} into={datasetId !== undefined} />
        </Stack>
      )
    case 'complete':
      return datasetId === undefined ? (
        <ImportNew upload={state.upload} onStarted={begun} onPickFile={leave} />
      ) : (
        <IntoDataset {...{ datasetId, mode }} upload={state.upload} onStarted={begun} onPickFile={leave} />
      )
  }
}

function FirstStep({ onFile, into }: { onFile: (file: File) => void; into: boolean }) {
  return (
    <DropArea
      onFile={onFile}
      title={into ? 'Drop the newer file here' : 'Drop a file here'}
      sentence={
        into
          ? 'Its columns are matched with those that are there. You decide whether rows are added, replaced or updated.'
          : 'An export of orders, invoices or ledger entries. You see how dates and decimals were read before anything is loaded.'
      }
    />
  )
}

interface IntoDatasetProps {
  datasetId: string
  mode: IntoMode
  upload: Upload
  onStarted: (sourceId: string) => void
  onPickFile: () => void
}

function IntoDataset({ datasetId, onStarted, ...rest }: IntoDatasetProps) {
  const { data, error, refetch } = useQuery(datasetQuery(datasetId))
  if (error) return <FaultNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  return <ImportInto dataset={data} onStarted={({ sourceId }) => onStarted(sourceId)} {...rest} />
}
