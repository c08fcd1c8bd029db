import { QueryError } from '../../../ui/query-view'
import { SearchField } from '../../../ui/forms/search-field'
import { ShowMore } from '../../../ui/buttons/show-more'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { Box, Group, SimpleGrid, Text } from '@mantine/core'
import { useIsFetching, useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { oldestLoadedAt, sourcesFreshnessQuery, useSourceStatus } from '../../../lib/queries/data-source-queries'
import { FreshnessStrip } from '../../../ui/freshness'
import type { Insight } from '../../../../src/shared/insights'
import { Gate, useMayWrite } from '../../../lib/gate'
import { useFormat } from '../../../lib/format'
import { useSession } from '../../../lib/session'
import { EmptyState } from '../../../ui/empty-state'
import { LinkAnchor, LinkButton } from '../../../ui/buttons/links'
import { PageHeader } from '../../../ui/page-header'
import { CategoryFilter } from '../curation/categories'
import { countLimitedInsights, insightsQuery } from '../queries'
import { CardSkeleton, InsightCard } from './insight-card'
import classes from '../insights.module.css'
import { InsightsEmptyState } from './insights-empty-state'
import { Suggestions } from './suggestions'

/** What is typed into the list's search: at once on screen, a moment later in the address. */
function useSearchText(initial: string) {
  const navigate = useNavigate()
  const [text, setTyped] = useState(initial)
  const updateUrl = useDebouncedCallback((next: string) => {
    void navigate({ to: '/insights', search: (old) => ({ ...old, q: next || undefined }), replace: true })
  }, 250)
  const setText = (next: string): void => {
    setTyped(next)
    updateUrl(next)
  }
  return { text, setText }
}

function ListFreshness() {
  const { data, error } = useQuery(sourcesFreshnessQuery())
  const sources = useSourceStatus()
  const newer = useIsFetching({ queryKey: ['figures'], predicate: ({ state }) => state.isInvalidated }) > 0
  if (!data && error) return null
  return (
    <Box mb="md" mih="1lh">
      {data && (
        <FreshnessStrip asOf={oldestLoadedAt(data.items)} loading={newer} failed={error !== null} sources={sources} />
      )}
    </Box>
  )
}

/** "4 of 10 insights": how much of the plan's limit is used. "6 insights, 4 of 10 used": suggested ones don't count. */
function describeLimitUsage(items: readonly Insight[], max: number | null): string {
  const count = items.length === 1 ? '1 insight' : `${items.length} insights`
  if (max === null) return count
  const used = countLimitedInsights([{ items }])
  return used === items.length ? `${used} of ${max} insights` : `${count}, ${used} of ${max} used`
}

export interface InsightsScreenProps {
  /** The notice is not known yet. */
  isWaiting?: boolean
  /** Above the list, whatever is in it. */
  notice?: ReactNode
  /** Above all insights: what changed in them. */
  findings?: ReactNode
  /** The list waits for them, and stands still from then on. */
  findingsPending?: boolean
  /** Below what an empty page says. */
  emptyStateExtra?: ReactNode
}

export function InsightsScreen(props: InsightsScreenProps) {
  const { isWaiting = false, notice, findings, findingsPending = false, emptyStateExtra } = props
  const { q = '', category } = useSearch({ strict: false })
  const { workspace } = useSession()
  const may = useMayWrite('create:insight')
  const list = useInfiniteQuery(insightsQuery({ q, deleted: false, category }))
  const all = q === '' && category === undefined
  const pending = list.isPending || isWaiting || (all && findingsPending)
  const [isDrawn, setIsDrawn] = useState(false)
  if (!pending && !isDrawn) setIsDrawn(true)
  const items = pending ? [] : (list.data?.pages.flatMap((page) => page.items) ?? [])
  const max = workspace?.entitlements.features.customInsights ?? null
  const isFullList = all && !pending && list.data !== undefined && !list.hasNextPage
  const isAtLimit = all && max !== null && countLimitedInsights([{ items }]) >= max
  return (
    <>
      <PageHeader
        title="Insights"
        description={isFullList ? describeLimitUsage(items, max) : 'What your figures say.'}
        actions={may && <NewButton full={isAtLimit ? max : null} />}
      />
      {/* Comes with the list, and stays while another list is on its way. */}
      {isDrawn && notice}
      {all && items.length > 0 && findings}
      {items.length > 0 && <ListFreshness />}
      {(items.length > 0 || !all) && <SearchBar q={q} category={category} />}
      {isFullList && items.length === 0 && <RecentlyDeletedHint />}
      {list.error && <QueryError query={list} />}
      {pending && <ListSkeleton />}
      {items.length > 0 && <InsightGrid items={items} />}
      {list.data &&
        !pending &&
        items.length === 0 &&
        (all ? <InsightsEmptyState offer={emptyStateExtra} /> : <NoMatchingInsights q={q} />)}
      {list.data && !pending && all && items.every(({ origin }) => origin !== 'person') && <Suggestions />}
      {!pending && <ShowMore query={list} mt="lg" />}
    </>
  )
}

/** At the limit (`full`) the button says so and leads to what can be done. */
function NewButton({ full }: { full: number | null }) {
  const format = useFormat()
  if (full !== null)
    return (
      <LinkButton to="/insights/new" variant="default">
        All {format.count(full)} insights in use
      </LinkButton>
    )
  return (
    <LinkButton to="/insights/new" leftSection={<IconPlus size={16} aria-hidden />}>
      New insight
    </LinkButton>
  )
}

function SearchBar({ q, category }: { q: string; category: string | undefined }) {
  const { text, setText } = useSearchText(q)
  return (
    <Group mb="md" gap="sm">
      <SearchField
        label="Search insights"
        value={text}
        onChange={setText}
        style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
      />
      <CategoryFilter category={category} />
      <span style={{ flex: '1 0 0' }} />
      <DeletedLink />
    </Group>
  )
}

/** Whoever deleted the only insight still finds it. */
function RecentlyDeletedHint() {
  const gone = useInfiniteQuery(insightsQuery({ q: '', deleted: true }))
  if (!gone.data?.pages.some(({ items }) => items.length > 0)) return null
  return (
    <Group justify="flex-end" mb="md">
      <DeletedLink />
    </Group>
  )
}

function DeletedLink() {
  return (
    <Gate may="delete:insight">
      <LinkAnchor to="/settings/workspace/deleted" size="sm">
        Recently deleted
      </LinkAnchor>
    </Gate>
  )
}

function InsightGrid({ items }: { items: readonly Insight[] }) {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="md">
      {items.map((insight) => (
        <InsightCard key={insight.id} insight={insight} />
      ))}
    </SimpleGrid>
  )
}

function NoMatchingInsights({ q }: { q: string }) {
  if (q === '')
    return (
      <EmptyState
        picture="search"
        title="No insights in this category"
        sentence="Add insights from their menu: Category and findings."
        action={
          <LinkButton to="/insights" variant="default">
            See all insights
          </LinkButton>
        }
      />
    )
  return <EmptyState picture="search" title={`No insights match “${q}”`} sentence="Try a shorter word." />
}

function ListSkeleton() {
  return (
    <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} role="status" aria-label="Loading">
      {[1, 2, 3].map((card) => (
        <div key={card} className={`surface ${classes.card}`} aria-hidden="true">
          <Text c="transparent">.</Text>
          <CardSkeleton />
        </div>
      ))}
    </SimpleGrid>
  )
}
