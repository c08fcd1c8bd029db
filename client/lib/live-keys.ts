import type { LiveEvent, LiveNoun } from '../../src/shared/live'
import { datasetIdsOf, groupingIdsOf, metricIdsOf } from '../../src/shared/plan-fields'
import type { QueryPlan } from '../../src/shared/query'
import type { QueryResult } from '../../src/shared/query-result'

/** What of the query cache an event makes stale. */
interface CachedQuery {
  queryKey: readonly unknown[]
  state: { data?: unknown }
}

const SOURCE_KEYS = ['sources', 'datasets', 'runs', 'relations']
/** First words of the keys under which each noun is kept. */
const KEYS_BY_NOUN: Record<LiveNoun, readonly string[]> = {
  // What a forecast is of, or is made through, decides whether it is still what it would be now.
  insight: ['insights', 'forecasts'],
  finding: ['findings'],
  metric: ['metrics', 'forecasts'],
  grouping: ['groupings', 'forecasts'],
  unmatched: ['groupings'],
  target: ['targets'],
  alert: ['alerts'],
  forecast: ['forecasts'],
  note: ['notes'],
  rates: ['rates', 'currencies', 'forecasts'],
  category: ['categories', 'insights'],
  accounts: ['accounts'],
  source: SOURCE_KEYS,
  dataset: SOURCE_KEYS,
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
    case 'relation':
      return plan === undefined || (answer?.datasets.length ?? datasetIdsOf(plan).length) > 1
    case 'insight':
    case 'finding':
    case 'target':
    case 'alert':
    case 'forecast':
    case 'note':
    case 'category':
    case 'unmatched':
    case 'source':
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
export function isEventDriven({ queryKey }: CachedQuery): boolean {
  const plan = queryKey.find(isQueryPlan)
  if (queryKey[0] === 'figures')
    return (
      plan !== undefined &&
      (metricIdsOf(plan.measures).length > 0 || groupingIdsOf(plan).length > 0 || plan.currency !== undefined)
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
