import { DebouncedSearchField } from '../../ui/forms/search-field'
import { QueryError, RefetchError } from '../../ui/query-view'
import { Group, Stack, Text, Table, Progress, Tooltip } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch, Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { countLimitedSources } from './data-source-limit'
import { sourcesQuery } from './queries'
import { UploadPanel } from './upload/upload-panel'
import { describeRolesWith } from '../../../src/shared/permissions'
import { useFormat } from '../../lib/format'
import { formatCountOf, formatRowCount } from '../../../src/shared/figures/formatter'
import { Gate, useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkAnchor, LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'
import classes from './data-sources-screen.module.css'
import cards from '../../ui/card-table.module.css'
import type { DataSource } from '../../../src/shared/data-sources/data-sources'
import { describeLoadProgress } from './versions/load-progress'
import {
  sourceFreshness,
  latestLoadedAt,
  combinedProgress,
  totalRowCount,
  readShare,
  runStatus,
  sourceStatus,
} from './load-status'
import { StatusBadge } from './status-badge'
import { FreshnessBadge } from '../../ui/freshness'
import { NeutralBadge } from '../../ui/neutral-badge'

export interface SourcesScreenProps {
  /** The notice is not known yet. */
  isWaiting?: boolean
  /** Above the list, whatever is in it. */
  notice?: ReactNode
  /** Below the drop zone of an empty page. */
  offer?: ReactNode
}

/** The landing page: what is connected, how current it is, and the way to more. */
export function SourcesScreen({ isWaiting = false, notice, offer }: SourcesScreenProps) {
  const { q = '' } = useSearch({ strict: false })
  const all = useQuery(sourcesQuery({ search: '', deleted: false }))
  const used = all.data ? countLimitedSources(all.data.items) : null
  const none = all.data?.items.length === 0
  const deletedSources = useQuery({ ...sourcesQuery({ search: '', deleted: true }), enabled: none })
  // Whoever deleted the only source still finds it.
  const showsSearch = !none || (deletedSources.data?.items.length ?? 0) > 0
  return (
    <>
      <PageHeader title="Data sources" actions={<ConnectAction used={used} none={none} />} />
      {isWaiting ? (
        <TableSkeleton />
      ) : (
        <>
          {notice}
          {showsSearch && <SourceSearchBar q={q} />}
          <SourceList q={q} none={none} offer={offer} />
        </>
      )}
    </>
  )
}

/** The primary action with the limit beside it; at the limit the button says so and leads to what can be done. */
function ConnectAction({ used, none }: { used: number | null; none: boolean }) {
  const format = useFormat()
  const workspace = useSession().workspace
  const may = useMay('create:source')
  const max = workspace?.entitlements.features.dataSources ?? null
  const full = used !== null && max !== null && used >= max
  const count =
    used === null ? null : max === null ? format.count(used) : `${format.count(used)} of ${format.count(max)}`
  const note = count !== null && (
    <Text size="sm" c="dimmed" className="figure">
      {count} sources
    </Text>
  )
  // With nothing connected yet the drop zone below is the one primary action.
  if (!may || workspace?.entitlements.readOnly || none) return note
  if (full)
    return (
      <LinkButton to="/data-sources/new" variant="default">
        {max === 1 ? 'Source limit reached (1)' : `Source limit reached (${format.count(max)})`}
      </LinkButton>
    )
  return (
    <>
      {note}
      <LinkButton to="/data-sources/new" leftSection={<IconPlus size={18} aria-hidden />}>
        Connect source
      </LinkButton>
    </>
  )
}

function SourceSearchBar({ q }: { q: string }) {
  const navigate = useNavigate()
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <DebouncedSearchField
        label="Search sources"
        initial={q}
        maxLength={80}
        delay={200}
        onSearch={(words) =>
          void navigate({ to: '/data-sources', search: words === '' ? {} : { q: words }, replace: true })
        }
        style={{ flex: '1 1 14rem', maxWidth: 320 }}
      />
      <Gate may="delete:source">
        <LinkAnchor to="/settings/workspace/deleted" size="sm">
          Recently deleted
        </LinkAnchor>
      </Gate>
    </Group>
  )
}

function SourceList({ q, none, offer }: { q: string; none: boolean; offer: ReactNode }) {
  const sources = useQuery(sourcesQuery({ search: q, deleted: false }))
  const { data, error, dataUpdatedAt } = sources
  if (!data) return error ? <QueryError query={sources} /> : <TableSkeleton />
  if (none) return <EmptySources offer={offer} />
  return (
    <Stack gap="sm">
      <RefetchError query={sources} />
      {data.items.length === 0 ? (
        <EmptyState
          picture="search"
          title={`No sources match “${q}”`}
          sentence="Try another name or clear the search."
        />
      ) : (
        <SourcesTable sources={data.items} now={dataUpdatedAt} />
      )}
    </Stack>
  )
}

/** Nothing here yet: the drop zone itself, so that the first file needs no further click. */
function EmptySources({ offer }: { offer: ReactNode }) {
  const navigate = useNavigate()
  const may = useMay('create:source')
  if (may)
    return <UploadPanel offer={offer} onDone={(id) => void navigate({ to: '/data-sources/$id', params: { id } })} />
  return (
    <EmptyState
      picture="sources"
      title="No data yet"
      sentence={`Ask ${describeRolesWith('create:source')} to add a file.`}
    />
  )
}

/** The sources as dense rows; on a narrow screen each becomes a card. `now`: when they were read, epoch ms. */
function SourcesTable({ sources, now }: { sources: DataSource[]; now: number }) {
  return (
    <div className="surface" style={{ overflow: 'auto' }}>
      <Table className={cards.table} aria-label="Data sources">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th className="numeric">Rows</Table.Th>
            <Table.Th className="numeric">Columns</Table.Th>
            <Table.Th>Updated</Table.Th>
            <Table.Th>Last import</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} now={now} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const FRESHNESS_LABELS = {
  fresh: 'Up to date',
  stale: 'Over a month old',
  failed: 'Not updated',
  working: 'Updating',
} as const

/** One source at a glance. `now` in epoch ms. */
function SourceRow({ source, now }: { source: DataSource; now: number }) {
  const format = useFormat()
  const columns = source.datasets.reduce((sum, dataset) => sum + dataset.columns.length, 0)
  const freshness = sourceFreshness(source, now)
  const at = latestLoadedAt(source)
  const loading = combinedProgress(source.lastRuns)
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <Link to="/data-sources/$id" params={{ id: source.id }} className={classes.link}>
          {source.name}
        </Link>{' '}
        {source.sample && <NeutralBadge>Sample</NeutralBadge>}{' '}
        {source.datasets.length > 1 && (
          <Text span size="xs" c="dimmed">
            {formatCountOf(format, source.datasets.length, 'table')}
          </Text>
        )}
      </Table.Th>
      <Table.Td data-label="Status">
        {loading ? <LoadingCell run={loading} /> : <StatusBadge {...sourceStatus(source)} />}
      </Table.Td>
      <Table.Td data-label="Rows" className="numeric">
        {format.count(totalRowCount(source))}
      </Table.Td>
      <Table.Td data-label="Columns" className="numeric">
        {format.count(columns)}
      </Table.Td>
      <Table.Td data-label="Updated">
        <Group gap="sm" wrap="nowrap">
          {freshness && (
            <FreshnessBadge
              state={freshness}
              words={
                at === null ? FRESHNESS_LABELS[freshness] : `${FRESHNESS_LABELS[freshness]} · ${format.ago(at, now)}`
              }
            />
          )}
          {!freshness && <Text size="sm">–</Text>}
        </Group>
      </Table.Td>
      <Table.Td data-label="Last import">
        <LastLoadCell source={source} />
      </Table.Td>
    </Table.Tr>
  )
}

function LoadingCell({ run }: { run: NonNullable<DataSource['lastRun']> }) {
  const format = useFormat()
  return (
    <div style={{ minWidth: 150 }}>
      <Text size="sm" className="figure">
        {describeLoadProgress(run, format)}
      </Text>
      <Progress size="xs" mt={4} value={100 * readShare(run)} aria-label={`Importing ${run.fileName}`} />
    </div>
  )
}

function LastLoadCell({ source: { lastRun } }: { source: DataSource }) {
  const format = useFormat()
  if (!lastRun) return <Text size="sm">–</Text>
  const rejected = lastRun.rowsRejected === 0 ? '' : `: ${formatRowCount(format, lastRun.rowsRejected)} rejected`
  return (
    <Tooltip label={format.dateTime(lastRun.finishedAt ?? lastRun.startedAt)}>
      <Text size="sm">
        {runStatus(lastRun).words}
        {rejected}
      </Text>
    </Tooltip>
  )
}
