import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { countLimitedSources } from './frozen-source'
import { sourcesQuery } from './queries'
import { SourcesTable } from './sources-table'
import { UploadPanel } from './upload-panel'
import { describeRolesWith } from './fault-words'
import { useFormat } from '../../lib/format'
import { Gate, useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor, LinkButton } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

export interface SourcesScreenProps {
  /** Above the list, whatever is in it. */
  notice?: ReactNode
  /** Below the drop zone of an empty page. */
  offer?: ReactNode
}

/** The landing page: what is connected, how current it is, and the way to more. */
export function SourcesScreen({ notice, offer }: SourcesScreenProps) {
  const { q = '' } = useSearch({ strict: false })
  const all = useQuery(sourcesQuery({ search: '', deleted: false }))
  const used = all.data ? countLimitedSources(all.data.items) : null
  const none = all.data?.items.length === 0
  const deletedSources = useQuery({ ...sourcesQuery({ search: '', deleted: true }), enabled: none })
  // Whoever deleted the only source still finds it.
  const showsSearch = !none || (deletedSources.data?.items.length ?? 0) > 0
  return (
    <>
      <PageHeader
        title="Data sources"
        description="Where your figures come from, and how current they are."
        actions={<ConnectAction used={used} none={none} />}
      />
      {notice}
      {showsSearch && <SourceSearchBar q={q} />}
      <SourceList q={q} none={none} offer={offer} />
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
        {max === 1 ? 'Your one source is in use' : `All ${format.count(max)} sources in use`}
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
  const [text, setText] = useState(q)
  const applySearch = useDebouncedCallback(
    (words: string) => void navigate({ to: '/data-sources', search: words === '' ? {} : { q: words }, replace: true }),
    200,
  )
  return (
    <Group justify="space-between" gap="sm" mb="md">
      <TextInput
        aria-label="Search sources"
        placeholder="Search sources"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={80}
        onChange={(event) => {
          setText(event.currentTarget.value)
          applySearch(event.currentTarget.value.trim())
        }}
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
  const format = useFormat()
  const { data, error, refetch, dataUpdatedAt } = useQuery(sourcesQuery({ search: q, deleted: false }))
  const retry = () => void refetch()
  if (error && !data) return <ErrorState error={error} onRetry={retry} />
  if (!data) return <TableSkeleton />
  if (none) return <EmptySources offer={offer} />
  return (
    <Stack gap="sm">
      {error && (
        <ErrorState error={error} onRetry={retry} lastGoodAt={format.dateTime(new Date(dataUpdatedAt).toISOString())} />
      )}
      {data.items.length === 0 ? (
        <EmptyState
          picture="search"
          title="No source has that name"
          sentence="Try another word, or clear the search."
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
      sentence={`Figures appear here when ${describeRolesWith('create:source')} has added a file.`}
    />
  )
}
