import { hashKey, type QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shareSocket } from './live-socket'
import { queryClient } from './queries/query-client'
import { useSession } from './session'
import { sourcesFreshnessQuery } from './queries/data-source-queries'
import type { LiveEvent, LiveMessage, LiveNoun } from '../../src/shared/live'
import type { DataSource } from '../../src/shared/data-sources/data-sources'
import { datasetIdsOf, groupingIdsOf, metricIdsOf } from '../../src/shared/query/plan-fields'
import type { QueryPlan } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'

/** Pages in the background ask within this long after they were told. */
const BACKGROUND_MS = 2_000

interface LiveUpdatesDependencies {
  client: QueryClient
  random: () => number
  isVisible: () => boolean
}
const DEFAULT_DEPENDENCIES: LiveUpdatesDependencies = {
  client: queryClient,
  random: () => Math.random(),
  isVisible: () => document.visibilityState === 'visible',
}

/**
 * Turns what a page is told into what it asks again. What is stale is marked so at once and stays on screen until the
 * answer is there; pages in the background, and many at once, ask spread over time.
 */
export function liveUpdates({ client, random, isVisible }: LiveUpdatesDependencies = DEFAULT_DEPENDENCIES) {
  let waiting: LiveEvent[] = []
  // What was being asked when the page was told: the answer may be from before, though it comes after.
  let inFlightHashes = new Set<string>()
  let timer: number | null = null
  const refetchStale = (): void => {
    timer = null
    const [predicate, refetchHashes] = [isInvalidatedBy(waiting), inFlightHashes]
    waiting = []
    inFlightHashes = new Set()
    void client.refetchQueries({
      type: 'active',
      predicate: (query) => (query.state.isInvalidated || refetchHashes.has(query.queryHash)) && predicate(query),
    })
  }
  return {
    handleMessage: ({ events, spread }: LiveMessage): void => {
      const predicate = isInvalidatedBy(events)
      for (const { queryHash } of client.getQueryCache().findAll({ fetchStatus: 'fetching', predicate }))
        inFlightHashes.add(queryHash)
      void client.invalidateQueries({ refetchType: 'none', predicate })
      waiting.push(...events)
      timer ??= window.setTimeout(refetchStale, random() * (isVisible() ? spread : BACKGROUND_MS))
    },
    /** Something may have been missed: versions are asked once, and what they show to be old is asked again. */
    catchUp: (): void => {
      window.setTimeout(
        () => void client.invalidateQueries({ predicate: isEventDriven }),
        random() * (isVisible() ? 0 : BACKGROUND_MS),
      )
    },
    stop: (): void => {
      if (timer !== null) window.clearTimeout(timer)
      timer = null
    },
  }
}

/** Whenever the versions of the data come in, figures that are older than them are asked again. */
function refetchOnNewVersions(client: QueryClient): () => void {
  const versions = hashKey(sourcesFreshnessQuery().queryKey)
  return client.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated' || event.action.type !== 'success' || event.query.queryHash !== versions) return
    const sources: { items: DataSource[] } = event.query.state.data
    void client.invalidateQueries({
      predicate: (query) =>
        query.state.fetchStatus === 'idle' && isOutdated(sources.items.flatMap(({ datasets }) => datasets))(query),
    })
  })
}

/** Keeps what this page shows up to date while somebody is signed in and in a workspace. */
export function useLiveUpdates(): void {
  const { user, workspace } = useSession()
  const userId = user?.id
  const workspaceId = workspace?.id
  useEffect(() => {
    if (userId === undefined || workspaceId === undefined) return
    const updates = liveUpdates()
    const stopSocket = shareSocket({
      userId,
      workspaceId,
      onMessage: updates.handleMessage,
      onUp: (again) => again && updates.catchUp(),
      onDown: () => undefined,
    })
    const stopVersions = refetchOnNewVersions(queryClient)
    return () => {
      stopSocket()
      stopVersions()
      updates.stop()
    }
  }, [userId, workspaceId])
}

/** What of the query cache an event makes stale. */
interface CachedQuery {
  queryKey: readonly unknown[]
  state: { data?: unknown }
}

const SOURCE_KEYS = ['sources', 'datasets', 'runs', 'relations', 'statements']
/** First words of the keys under which each noun is kept. */
const KEYS_BY_NOUN: Record<LiveNoun, readonly string[]> = {
  // What a forecast is of, or is made through, decides whether it is still what it would be now.
  insight: ['insights', 'forecasts', 'briefing'],
  finding: ['findings', 'briefing'],
  metric: ['metrics', 'forecasts', 'briefing'],
  grouping: ['groupings', 'forecasts'],
  unmatched: ['groupings'],
  target: ['targets'],
  alert: ['alerts', 'briefing'],
  forecast: ['forecasts', 'briefing'],
  report: ['reports', 'briefing'],
  note: ['notes', 'briefing'],
  comment: ['comments', 'briefing'],
  rates: ['rates', 'currencies', 'forecasts'],
  category: ['categories', 'insights'],
  accounts: ['accounts', 'statements'],
  source: [...SOURCE_KEYS, 'briefing'],
  dataset: [...SOURCE_KEYS, 'briefing'],
  relation: ['relations'],
  group: ['groups'],
  member: ['members'],
}
/** Whatever is worked out from rows on the server and kept under a key of its own. */
const DATA_DEPENDENT_KEYS = [...SOURCE_KEYS, 'targets', 'alerts', 'groupings']

const isQueryPlan = (part: unknown): part is QueryPlan =>
  typeof part === 'object' && part !== null && 'measures' in part && 'dimensions' in part && 'filters' in part
const isQueryResult = (data: unknown): data is QueryResult =>
  typeof data === 'object' && data !== null && 'datasets' in data && Array.isArray(data.datasets)

/** The figures of a page of a report: of everything that the page shows. */
const isReportPage = ({ queryKey }: CachedQuery): boolean => queryKey[0] === 'figures' && queryKey[1] === 'report'

/** Whether a kept answer is one to a plan; every such answer stands under `figures`. */
const isPlanResult = ({ queryKey }: CachedQuery): boolean => queryKey[0] === 'figures'

/**
 * Whether figures read a dataset: as their answer says, or their plan where no answer came yet. Under `version`: only
 * if the answer is older than that.
 */
function readsDataset({ queryKey, state }: CachedQuery, datasetId: string, version = Infinity): boolean {
  const read = isQueryResult(state.data) ? state.data.datasets.find(({ id }) => id === datasetId) : undefined
  if (read) return read.dataVersion < version
  const plan = queryKey.find(isQueryPlan)
  if (!plan) return true
  // What a metric or a grouping stands for is known to the answer alone.
  const named = isQueryResult(state.data) ? [] : [...metricIdsOf(plan.measures), ...groupingIdsOf(plan)]
  return named.length > 0 || datasetIdsOf(plan).includes(datasetId)
}

const includesId = (ids: readonly string[], id: string | null): boolean =>
  id === null ? ids.length > 0 : ids.includes(id)

/** Whether figures depend on what changed. */
function dependsOn(query: CachedQuery, { noun, id }: Extract<LiveEvent, { kind: 'changed' }>): boolean {
  const plan = query.queryKey.find(isQueryPlan)
  const answer = isQueryResult(query.state.data) ? query.state.data : null
  switch (noun) {
    case 'metric':
      return plan === undefined || includesId(metricIdsOf(plan.measures), id)
    // What accounts of a ledger mean is asked by metrics.
    case 'accounts':
      return plan === undefined || metricIdsOf(plan.measures).length > 0
    case 'grouping':
      return plan === undefined || includesId(groupingIdsOf(plan), id)
    case 'rates':
      return plan === undefined || plan.currency !== undefined || answer?.conversion !== undefined
    case 'dataset':
      return id === null || readsDataset(query, id)
    // Its rows are gone, or here again; which rows are its, a page may not know any more.
    case 'source':
      return true
    case 'relation':
      return plan === undefined || (answer?.datasets.length ?? datasetIdsOf(plan).length) > 1
    case 'insight':
    case 'forecast':
      return isReportPage(query)
    case 'finding':
    case 'target':
    case 'alert':
    case 'report':
    case 'note':
    case 'comment':
    case 'category':
    case 'unmatched':
    case 'group':
    case 'member':
      return false
  }
}

function isInvalidatedByEvent(event: LiveEvent, query: CachedQuery): boolean {
  const rootKey = query.queryKey[0]
  // What accounts for a change is worked out from rows when it is asked, unlike what was found.
  if (rootKey === 'findings' && query.queryKey[1] === 'drivers') return event.kind === 'data'
  if (event.kind === 'data')
    return isPlanResult(query)
      ? readsDataset(query, event.datasetId, event.dataVersion)
      : DATA_DEPENDENT_KEYS.some((root) => root === rootKey)
  return isPlanResult(query) ? dependsOn(query, event) : KEYS_BY_NOUN[event.noun].some((root) => root === rootKey)
}

/** Says of a kept query whether any of these events made it stale. */
export const isInvalidatedBy =
  (events: readonly LiveEvent[]) =>
  (query: CachedQuery): boolean =>
    events.some((event) => isInvalidatedByEvent(event, query))

/**
 * What a page that missed some events asks again: all that they speak of, and figures that rest on what people define.
 * Other figures are known to be old by the versions of the data.
 */
export function isEventDriven({ queryKey, state }: CachedQuery): boolean {
  const plan = queryKey.find(isQueryPlan)
  if (queryKey[0] === 'figures')
    return (
      isReportPage({ queryKey, state }) ||
      (plan !== undefined &&
        (metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0 || plan.currency !== undefined))
    )
  return Object.values(KEYS_BY_NOUN).some((roots) => roots.some((root) => root === queryKey[0]))
}

/** Whether kept figures are older than the rows that stand. */
export const isOutdated =
  (datasets: readonly { id: string; dataVersion: number }[]) =>
  (query: CachedQuery): boolean => {
    if (!isPlanResult(query) || !isQueryResult(query.state.data)) return false
    const currentVersions = new Map(datasets.map(({ id, dataVersion }) => [id, dataVersion]))
    return query.state.data.datasets.some(({ id, dataVersion }) => dataVersion < (currentVersions.get(id) ?? 0))
  }
