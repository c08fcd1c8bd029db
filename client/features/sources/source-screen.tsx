import { Stack, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { AddData } from './add-data'
import { ColumnsTab } from './columns-tab'
import { LoadOutcome } from './load-outcome'
import { LoadProgress } from './load-progress'
import { PreviewTab } from './preview-tab'
import { sourceQuery } from './queries'
import { isActive } from './run-words'
import { RunsTab } from './runs-tab'
import { SourceActions } from './source-actions'
import { SourceFacts } from './source-facts'
import { VersionsTab } from './versions-tab'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { ReadOnlyBanner } from '../../ui/read-only-banner'
import { ScreenSkeleton } from '../../ui/skeletons'
import type { DataSource, Dataset } from '../../../src/shared/sources'

/** One source: its state, rows, columns, loads and versions. */
export function SourceScreen({ id }: { id: string }) {
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
      <LoadedSource source={data} now={dataUpdatedAt} />
    </>
  )
}

function LoadedSource({ source, now }: { source: DataSource; now: number }) {
  const [adding, setAdding] = useState(false)
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  const [dataset] = source.datasets
  const run = source.lastRun
  const active = run !== null && isActive(run.state)
  return (
    <>
      <PageHeader
        title={source.name}
        description={<SourceFacts source={source} now={now} />}
        above={
          <LinkAnchor to="/data-sources" size="sm">
            Data sources
          </LinkAnchor>
        }
        actions={
          <SourceActions source={source} active={active || adding || readOnly !== null} onAdd={() => setAdding(true)} />
        }
      />
      <ReadOnlyBanner reason={readOnly} />
      <Stack gap="md">
        {active && <LoadProgress run={run} />}
        {run && !active && !adding && (
          <LoadOutcome run={run} hasRows={dataset !== undefined && dataset.dataVersion > 0} />
        )}
        {adding && dataset ? (
          <AddData dataset={dataset} onClose={() => setAdding(false)} />
        ) : (
          dataset && <SourceTabs source={source} dataset={dataset} />
        )}
      </Stack>
    </>
  )
}

const TABS = [
  { value: 'overview', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
  { value: 'runs', label: 'Loads' },
  { value: 'versions', label: 'Versions' },
] as const

/** The tab stands in the address, so that it can be sent to somebody. */
function SourceTabs({ source, dataset }: { source: DataSource; dataset: Dataset }) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const shown = TABS.find(({ value }) => value === tab)?.value ?? 'overview'
  const go = (value: string | null) =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source.id },
      search: value === null || value === 'overview' ? {} : { tab: value },
      replace: true,
    })
  return (
    <Tabs value={shown} onChange={go} keepMounted={false}>
      <Tabs.List mb="md">
        {TABS.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <PreviewTab dataset={dataset} />
      </Tabs.Panel>
      <Tabs.Panel value="columns">
        <ColumnsTab key={dataset.id} dataset={dataset} />
      </Tabs.Panel>
      <Tabs.Panel value="runs">
        <RunsTab source={source} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <VersionsTab dataset={dataset} />
      </Tabs.Panel>
    </Tabs>
  )
}
