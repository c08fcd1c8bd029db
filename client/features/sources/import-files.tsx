import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FaultNotice } from './fault-notice'
import { ImportInto } from './import-into'
import type { ImportIntoProps } from './import-into'
import { ImportMore } from './import-more'
import { ImportNew } from './import-new'
import type { IntoMode } from './mapping'
import { datasetQuery } from './queries'
import { laterLedgers } from './table-choice'
import type { OpenedFile } from './upload-queue'
import { TableSkeleton } from '../../ui/skeletons'
import type { DataSource } from '../../../src/shared/sources'

/** Where the files go: into a new source, beside the tables of one, or into one dataset. */
export type ImportTarget =
  { kind: 'new' } | { kind: 'source'; source: DataSource } | { kind: 'dataset'; datasetId: string; mode: IntoMode }

export interface ImportFilesProps {
  files: readonly OpenedFile[]
  target: ImportTarget
  /** Why nothing can be loaded yet, or null. */
  waiting: string | null
  onStarted: (sourceId: string) => void
  onPickFile: () => void
  /** The way to other or further files, beside the load. */
  back: ReactNode
}

/** Opened files on their last look before they are loaded. */
export function ImportFiles({ files, target, waiting, onStarted, onPickFile, back }: ImportFilesProps) {
  const common = { files, onPickFile, back }
  if (target.kind === 'dataset')
    return (
      <IntoDataset
        {...common}
        datasetId={target.datasetId}
        mode={target.mode}
        onStarted={({ sourceId }) => onStarted(sourceId)}
      />
    )
  return (
    <>
      <LaterLedgers names={laterLedgers(files)} />
      {target.kind === 'new' ? (
        <ImportNew {...common} waiting={waiting} onStarted={onStarted} />
      ) : (
        <ImportMore
          {...common}
          source={target.source}
          waiting={waiting}
          onStarted={() => onStarted(target.source.id)}
        />
      )}
    </>
  )
}

function LaterLedgers({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Alert color="accent" title="Several bookkeeping files">
      <Text size="sm">
        The years of {names.join(', ')} go into the same tables, one file after the other. A year that comes twice
        counts once.
      </Text>
    </Alert>
  )
}

function IntoDataset({ datasetId, ...rest }: Omit<ImportIntoProps, 'dataset'> & { datasetId: string }) {
  const { data, error, refetch } = useQuery(datasetQuery(datasetId))
  if (error) return <FaultNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  return <ImportInto dataset={data} {...rest} />
}
