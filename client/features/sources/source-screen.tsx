import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { AddDataPanel } from './add-data'
import type { AddDataMode } from './add-data'
import { DatasetList } from './dataset-list'
import { DatasetTabs } from './dataset-tabs'
import { sourceQuery } from './queries'
import { isActiveRun } from './run-words'
import { SourceActions } from './source-actions'
import { SourceSummary } from './source-facts'
import { CurrentLoads } from './source-loads'
import classes from './table-list.module.css'
import { SourceOverLimitNotice } from './frozen-source'
import { useFormat } from '../../lib/format'
import { OverLimitScope } from '../../lib/gate'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import type { DataSource, Dataset } from '../../../src/shared/sources'

export interface SourceScreenProps {
  id: string
  /** How its tables belong together, found by us: a card of the page. */
  proposals?: (source: DataSource) => ReactNode
  /** The relations of one table: a tab of the page. */
  relations?: (dataset: Dataset) => ReactNode
}

/** One source: its state, tables, columns, relations, loads and versions. */
export function SourceScreen({ id, ...slots }: SourceScreenProps) {
  const { data, error, refetch, dataUpdatedAt } = useQuery(sourceQuery(id))
  const format = useFormat()
  const retry = () => void refetch()
  if (error && !data) return <ErrorState error={error} onRetry={retry} />
  if (!data) return <ScreenSkeleton />
  return (
    <>
      {error && (
        <ErrorState error={error} onRetry={retry} lastGoodAt={format.dateTime(new Date(dataUpdatedAt).toISOString())} />
      )}
      <OverLimitScope frozen={data.frozen}>
        <LoadedSource source={data} now={dataUpdatedAt} {...slots} />
      </OverLimitScope>
    </>
  )
}

type LoadedSourceProps = Omit<SourceScreenProps, 'id'> & { source: DataSource; now: number }

function LoadedSource({ source, now, proposals, relations }: LoadedSourceProps) {
  const [adding, setAdding] = useState<AddDataMode | null>(null)
  const { dataset: requestedId, tab } = useSearch({ strict: false })
  const dataset = source.datasets.find(({ id }) => id === requestedId) ?? source.datasets[0]
  const loading = source.lastRuns.some(({ datasetId, state }) => datasetId === dataset?.id && isActiveRun(state))
  return (
    <>
      <PageHeader
        title={source.name}
        description={<SourceSummary source={source} now={now} />}
        breadcrumb={
          <LinkAnchor to="/data-sources" size="sm">
            Data sources
          </LinkAnchor>
        }
        actions={<SourceActions source={source} loading={loading} adding={adding !== null} onAdd={setAdding} />}
      />
      <Stack gap="md">
        {source.frozen && <SourceOverLimitNotice />}
        <CurrentLoads source={source} quiet={adding !== null} />
        {adding !== null && dataset ? (
          <AddDataPanel source={source} dataset={dataset} adding={adding} onClose={() => setAdding(null)} />
        ) : (
          <>
            {tab !== 'relations' && proposals?.(source)}
            {dataset && <DatasetView {...{ source, dataset, relations }} />}
          </>
        )}
      </Stack>
    </>
  )
}

interface DatasetViewProps {
  source: DataSource
  dataset: Dataset
  relations: SourceScreenProps['relations']
}

/** The table that is looked at; which one stands in the address, so that it can be sent to somebody. */
function DatasetView({ source, dataset, relations }: DatasetViewProps) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const several = source.datasets.length > 1
  const selectDataset = (id: string) =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source.id },
      search: { dataset: id, ...(tab === undefined ? {} : { tab }) },
      replace: true,
    })
  return (
    <div className={classes.layout} data-several={several || undefined}>
      {several && <DatasetList source={source} active={dataset} onSelect={selectDataset} />}
      <div style={{ minWidth: 0 }}>
        <DatasetTabs {...{ source, dataset, relations }} />
      </div>
    </div>
  )
}
