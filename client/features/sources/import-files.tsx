import { Alert, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { SourceErrorNotice } from './fault-notice'
import { DatasetImport } from './import-into'
import type { DatasetImportProps } from './import-into'
import { AddTablesImport } from './import-more'
import { NewSourceImport } from './import-new'
import type { ImportMode } from './mapping'
import { datasetQuery } from './queries'
import { additionalLedgerFiles } from './table-choice'
import type { OpenedFile } from './upload-queue'
import { TableSkeleton } from '../../ui/skeletons'
import type { DataSource } from '../../../src/shared/sources'

/** Where the files go: into a new source, beside the tables of one, or into one dataset. */
export type ImportTarget =
  { kind: 'new' } | { kind: 'source'; source: DataSource } | { kind: 'dataset'; datasetId: string; mode: ImportMode }

export interface ImportReviewProps {
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
export function ImportReview({ files, target, waiting, onStarted, onPickFile, back }: ImportReviewProps) {
  const common = { files, onPickFile, back }
  if (target.kind === 'dataset')
    return (
      <DatasetImportLoader
        {...common}
        datasetId={target.datasetId}
        mode={target.mode}
        onStarted={({ sourceId }) => onStarted(sourceId)}
      />
    )
  return (
    <>
      <AdditionalLedgersNotice names={additionalLedgerFiles(files)} />
      {target.kind === 'new' ? (
        <NewSourceImport {...common} waiting={waiting} onStarted={onStarted} />
      ) : (
        <AddTablesImport
          {...common}
          source={target.source}
          waiting={waiting}
          onStarted={() => onStarted(target.source.id)}
        />
      )}
    </>
  )
}

function AdditionalLedgersNotice({ names }: { names: string[] }) {
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

function DatasetImportLoader({ datasetId, ...rest }: Omit<DatasetImportProps, 'dataset'> & { datasetId: string }) {
  const { data, error, refetch } = useQuery(datasetQuery(datasetId))
  if (error) return <SourceErrorNotice error={error} onRetry={() => void refetch()} />
  if (!data) return <TableSkeleton />
  return <DatasetImport dataset={data} {...rest} />
}
