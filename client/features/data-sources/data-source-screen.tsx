import { Stack, Group, Text, UnstyledButton, Tabs } from '@mantine/core'
import { SubjectPage } from '../../ui/deleted/subject-page'
import { RefetchError } from '../../ui/query-view'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState, type ReactNode } from 'react'
import { AddDataPanel, SourceActions, type AddDataMode } from './data-source-actions'
import { sourceQuery } from './queries'
import { isActiveRun, latestLoadedAt, totalRowCount, isFailedRun, LOAD_STATE_LABELS, sourceStatus } from './load-status'
import { CurrentLoads } from './versions/load-results'
import classes from './table-list.module.css'
import { TableNav } from './table-nav'
import { SourceOverLimitNotice } from './data-source-limit'
import { useFormat } from '../../lib/format'
import { formatCountOf, formatRowCount } from '../../../src/shared/figures/formatter'
import { OverLimitScope } from '../../lib/gate'
import { LinkAnchor } from '../../ui/buttons/links'
import { useOwnFreshness } from '../../ui/freshness'
import { PageHeader } from '../../ui/page-header'
import { ScreenSkeleton } from '../../ui/skeletons'
import { TERMS } from '../../../src/shared/terms'
import { findLedgerTables } from '../../../src/shared/statements/ledger-tables'
import type { DataSource, Dataset, ReopenedFile } from '../../../src/shared/data-sources/data-sources'
import { StatusBadge } from './status-badge'
import { CleaningTab } from './cleaning/cleaning-tab'
import { ColumnsTab } from './columns/columns-tab'
import { RowsTab } from './rows-preview'
import { LoadHistoryTab } from './versions/load-history-tab'
import { VersionsTab } from './versions/versions-tab'

export interface SourceScreenProps {
  id: string
  /** Whether it is not known yet if that card is there: the page is first drawn with it, so that nothing moves down. */
  isAwaitingProposals?: boolean
  /** Of a connected source: what is wrong, its schedule and syncs. */
  connection?: (source: DataSource) => ReactNode
  /** What stands out in its rows: a card that the page opens with. */
  findings?: (source: DataSource) => ReactNode
  /** How its tables belong together, found by us: a card of the page. */
  proposals?: (source: DataSource) => ReactNode
  /** Its private columns that everyone sees: a card of the page. */
  sensitiveColumns?: (dataset: Dataset) => ReactNode
  /** The relations of one table: a tab of the page. */
  relations?: (dataset: Dataset) => ReactNode
  /** The statements of a source that holds a ledger: what its page opens with. */
  statements?: (source: DataSource) => ReactNode
}

/** One source: its state, tables, columns, relations, loads and versions. */
export function SourceScreen({ id, isAwaitingProposals = false, ...slots }: SourceScreenProps) {
  const source = useQuery(sourceQuery(id))
  const [isDrawn, setIsDrawn] = useState(false)
  if (source.data && !isAwaitingProposals && !isDrawn) setIsDrawn(true)
  return (
    <SubjectPage query={source} id={id}>
      {(data) =>
        isDrawn ? (
          <>
            <RefetchError query={source} />
            <OverLimitScope frozen={data.frozen}>
              <LoadedSource source={data} now={source.dataUpdatedAt} {...slots} />
            </OverLimitScope>
          </>
        ) : (
          <ScreenSkeleton />
        )
      }
    </SubjectPage>
  )
}

const isLoadingDataset = ({ lastRuns }: DataSource, { id }: Dataset): boolean =>
  lastRuns.some(({ datasetId, state }) => datasetId === id && isActiveRun(state))

type LoadedSourceProps = Omit<SourceScreenProps, 'id' | 'isAwaitingProposals'> & { source: DataSource; now: number }

function LoadedSource({
  source,
  now,
  connection,
  findings,
  proposals,
  sensitiveColumns,
  relations,
  statements,
}: LoadedSourceProps) {
  const [adding, setAdding] = useState<AddDataMode | null>(null)
  const { dataset: requestedId, tab } = useSearch({ strict: false })
  const dataset = source.datasets.find(({ id }) => id === requestedId) ?? source.datasets[0]
  const isLedger = useIsLedger(source) && statements !== undefined
  const showsStatements = isLedger && requestedId === undefined && (tab === undefined || tab === 'statements')
  const loading = dataset !== undefined && isLoadingDataset(source, dataset)
  return (
    <>
      <div className={showsStatements ? 'no-print' : undefined}>
        <PageHeader
          title={source.name}
          description={<SourceSummary source={source} now={now} />}
          breadcrumb={
            <LinkAnchor to="/data-sources" size="sm">
              Data sources
            </LinkAnchor>
          }
          actions={
            <SourceActions
              {...{ source, loading }}
              dataset={showsStatements ? undefined : dataset}
              adding={adding !== null}
              onAdd={setAdding}
            />
          }
        />
      </div>
      <Stack gap="md">
        {source.frozen && <SourceOverLimitNotice />}
        {!showsStatements && requestedId === undefined && tab === undefined && connection?.(source)}
        <div style={{ display: 'contents' }} className={showsStatements ? 'no-print' : undefined}>
          {source.connection === null && <CurrentLoads source={source} quiet={adding !== null} />}
        </div>
        {adding !== null && dataset ? (
          <AddDataPanel source={source} dataset={dataset} adding={adding} onClose={() => setAdding(null)} />
        ) : (
          <>
            {isLedger && <LedgerTabs source={source} shown={showsStatements ? 'statements' : 'tables'} />}
            {!isLedger && requestedId === undefined && tab === undefined && findings?.(source)}
            {!showsStatements && tab !== 'relations' && proposals?.(source)}
            {showsStatements
              ? statements(source)
              : dataset && <DatasetView {...{ source, dataset, relations }} onReopened={setAdding} />}
            {!showsStatements && dataset && dataset.dataVersion > 0 && sensitiveColumns?.(dataset)}
          </>
        )}
      </Stack>
    </>
  )
}

/** Whether its tables are those of a ledger, with rows in them. */
function useIsLedger({ datasets }: DataSource): boolean {
  return useMemo(() => findLedgerTables(datasets.filter(({ dataVersion }) => dataVersion > 0)) !== null, [datasets])
}

/** A ledger is looked at as statements or as tables. */
function LedgerTabs({ source, shown }: { source: DataSource; shown: 'statements' | 'tables' }) {
  const navigate = useNavigate()
  const first = source.datasets[0]?.id
  const go = (value: string | null): void =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source.id },
      search: value === 'tables' && first !== undefined ? { dataset: first } : {},
    })
  return (
    <Tabs value={shown} onChange={go} keepMounted={false} className="no-print">
      <Tabs.List>
        <Tabs.Tab value="statements">Statements</Tabs.Tab>
        <Tabs.Tab value="tables">Tables</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  )
}

interface DatasetViewProps {
  source: DataSource
  dataset: Dataset
  relations: SourceScreenProps['relations']
  /** The stored file of the table is to be looked at and imported again. */
  onReopened: (file: ReopenedFile) => void
}

/** The table that is looked at; which one stands in the address, so that it can be sent to somebody. */
function DatasetView({ source, dataset, relations, onReopened }: DatasetViewProps) {
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
        <DatasetTabs {...{ source, dataset, relations, onReopened }} />
      </div>
    </div>
  )
}

/** State, rows, columns and age in one line. `now` in epoch ms. */
function SourceSummary({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  useOwnFreshness()
  const at = latestLoadedAt(source)
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  return (
    <Group component="span" gap="4px 16px" mt={4}>
      <StatusBadge {...sourceStatus(source)} />
      {at !== null && (
        <Text span size="sm" className="figure">
          {source.datasets.length > 1 && `${formatCountOf(format, source.datasets.length, 'table')} · `}
          {formatRowCount(format, totalRowCount(source))} · {formatCountOf(format, columns, 'column')}
        </Text>
      )}
      {at !== null && (
        <Text span size="sm" title={format.dateTime(at)}>
          Updated {format.ago(at, now)}
        </Text>
      )}
    </Group>
  )
}

interface DatasetListProps {
  source: DataSource
  active: Dataset
  onSelect: (id: string) => void
}

/** The tables of a source. */
function DatasetList({ source, active, onSelect }: DatasetListProps) {
  const format = useFormat()
  const { datasets } = source
  return (
    <TableNav
      tables={datasets}
      activeId={active.id}
      onSelect={onSelect}
      rowCount={({ rowCount }) => rowCount}
      label="Tables"
      heading={formatCountOf(format, datasets.length, 'table')}
    >
      {(dataset) => (
        <DatasetItem
          source={source}
          dataset={dataset}
          active={dataset.id === active.id}
          onClick={() => onSelect(dataset.id)}
        />
      )}
    </TableNav>
  )
}

interface DatasetItemProps {
  source: DataSource
  dataset: Dataset
  active: boolean
  onClick: () => void
}

function DatasetItem({ source, dataset, active, onClick }: DatasetItemProps) {
  const format = useFormat()
  const run = source.lastRuns.find(({ datasetId }) => datasetId === dataset.id)
  return (
    <div className={classes.item} data-active={active || undefined}>
      <UnstyledButton className={classes.look} onClick={onClick} aria-current={active ? 'true' : undefined}>
        <span className={classes.name}>{dataset.name}</span>
        <span className={classes.facts}>
          {formatRowCount(format, dataset.rowCount)} · {formatCountOf(format, dataset.columns.length, 'column')}
        </span>
        {run && (isActiveRun(run.state) || isFailedRun(run.state)) && <StatusBadge {...LOAD_STATE_LABELS[run.state]} />}
      </UnstyledButton>
    </div>
  )
}

const TABS = [
  { value: 'overview', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
  { value: 'cleaning', label: 'Cleaning' },
  { value: 'relations', label: TERMS.relationships },
  { value: 'runs', label: TERMS.imports },
  { value: 'versions', label: 'Versions' },
] as const

/** What tells of all rows, and is refused to whoever sees part of them. */
const TOLD_OF_ALL: ReadonlySet<string> = new Set(['cleaning', 'runs', 'versions'])

/** One table from all sides. The tab stands in the address, so that it can be sent to somebody. */
function DatasetTabs({ source, dataset, relations, onReopened }: DatasetViewProps) {
  const { tab, dataset: wanted } = useSearch({ strict: false })
  const navigate = useNavigate()
  const tabs = TABS.filter(
    ({ value }) => (value !== 'relations' || relations !== undefined) && !(dataset.partial && TOLD_OF_ALL.has(value)),
  )
  const shown = tabs.find(({ value }) => value === tab)?.value ?? 'overview'
  const go = (value: string | null) =>
    void navigate({
      to: '/data-sources/$id',
      params: { id: source.id },
      search: {
        ...(wanted === undefined ? {} : { dataset: wanted }),
        ...(value === null || value === 'overview' ? {} : { tab: value }),
      },
      replace: true,
    })
  return (
    <Tabs value={shown} onChange={go} keepMounted={false}>
      <Tabs.List mb="md" className={classes.tabs}>
        {tabs.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">
        <RowsTab dataset={dataset} isAgeShown={source.datasets.length === 1} />
      </Tabs.Panel>
      <Tabs.Panel value="columns">
        <ColumnsTab key={dataset.id} dataset={dataset} />
      </Tabs.Panel>
      <Tabs.Panel value="cleaning">
        <CleaningTab
          dataset={dataset}
          sample={source.sample}
          loading={isLoadingDataset(source, dataset)}
          onReopened={onReopened}
        />
      </Tabs.Panel>
      {relations && <Tabs.Panel value="relations">{relations(dataset)}</Tabs.Panel>}
      <Tabs.Panel value="runs">
        <LoadHistoryTab source={source} />
      </Tabs.Panel>
      <Tabs.Panel value="versions">
        <VersionsTab dataset={dataset} />
      </Tabs.Panel>
    </Tabs>
  )
}
