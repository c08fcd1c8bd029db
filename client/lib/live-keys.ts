import type { LiveEvent, LiveNoun } from '../../src/shared/live'
import { datasetsOf, groupingsOf, metricsOf } from '../../src/shared/plan-fields'
import type { QueryPlan } from '../../src/shared/query'
import type { QueryResult } from '../../src/shared/query-result'

/** What of the query cache an event makes stale. */
interface Cached {
  queryKey: readonly unknown[]
  state: { data?: unknown }
}

const OF_SOURCES = ['sources', 'datasets', 'runs', 'relations']
/** First words of the keys under which each noun is kept. */
const KEPT_UNDER: Record<LiveNoun, readonly string[]> = {
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
  source: OF_SOURCES,
  dataset: OF_SOURCES,
  relation: ['relations'],
  group: ['groups'],
  member: ['members'],
}
/** Whatever is worked out from rows on the server and kept under a key of its own. */
const FROM_ROWS = [...OF_SOURCES, 'targets', 'alerts', 'groupings']

const isPlan = (part: unknown): part is QueryPlan =>
  typeof part === 'object' && part !== null && 'measures' in part && 'dimensions' in part && 'filters' in part
const isAnswer = (data: unknown): data is QueryResult =>
  typeof data === 'object' && data !== null && 'datasets' in data && Array.isArray(data.datasets)

/** Whether a kept answer is one to a plan; every such answer stands under `figures`. */
const isFigures = ({ queryKey }: Cached): boolean => queryKey[0] === 'figures'

/**
 * Whether figures read a dataset: as their answer says, or their plan where no answer came yet. Under `version`: only
 * if the answer is older than that.
 */
function reads({ queryKey, state }: Cached, datasetId: string, version = Infinity): boolean {
  const read = isAnswer(state.data) ? state.data.datasets.find(({ id }) => id === datasetId) : undefined
  if (read) return read.dataVersion < version
  const plan = queryKey.find(isPlan)
  if (!plan) return true
  // What a metric or a grouping stands for is known to the answer alone.
  const named = isAnswer(state.data) ? [] : [...metricsOf(plan.measures), ...groupingsOf(plan)]
  return named.length > 0 || datasetsOf(plan).includes(datasetId)
}

const has = (ids: readonly string[], id: string | null): boolean => (id === null ? ids.length > 0 : ids.includes(id))

/** Whether figures depend on what changed. */
function dependsOn(query: Cached, { noun, id }: Extract<LiveEvent, { kind: 'changed' }>): boolean {
  const plan = query.queryKey.find(isPlan)
  const answer = isAnswer(query.state.data) ? query.state.data : null
  switch (noun) {
    case 'metric':
      return plan === undefined || has(metricsOf(plan.measures), id)
    // What accounts of a ledger mean is asked by metrics.
    case 'accounts':
      return plan === undefined || metricsOf(plan.measures).length > 0
    case 'grouping':
      return plan === undefined || has(groupingsOf(plan), id)
    case 'rates':
      return plan === undefined || plan.currency !== undefined || answer?.conversion !== undefined
    case 'dataset':
      return id === null || reads(query, id)
    case 'relation':
      return plan === undefined || (answer?.datasets.length ?? datasetsOf(plan).length) > 1
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

function isStaleBy(event: LiveEvent, query: Cached): boolean {
  const kept = query.queryKey[0]
  // What accounts for a change is worked out from rows when it is asked, unlike what was found.
  if (kept === 'findings' && query.queryKey[1] === 'drivers') return event.kind === 'data'
  if (event.kind === 'data')
    return isFigures(query) ? reads(query, event.datasetId, event.dataVersion) : FROM_ROWS.some((root) => root === kept)
  return isFigures(query) ? dependsOn(query, event) : KEPT_UNDER[event.noun].some((root) => root === kept)
}

/** Says of a kept query whether any of these events made it stale. */
export const staleBy =
  (events: readonly LiveEvent[]) =>
  (query: Cached): boolean =>
    events.some((event) => isStaleBy(event, query))

/**
 * What a page that missed some events asks again: all that they speak of, and figures that rest on what people define.
 * Other figures are known to be old by the versions of the data.
 */
export function isTold({ queryKey }: Cached): boolean {
  const plan = queryKey.find(isPlan)
  if (queryKey[0] === 'figures')
    return (
      plan !== undefined &&
      (metricsOf(plan.measures).length > 0 || groupingsOf(plan).length > 0 || plan.currency !== undefined)
    )
  return Object.values(KEPT_UNDER).some((roots) => roots.some((root) => root === queryKey[0]))
}

/** Whether kept figures are older than the rows that stand. */
export const isOutdated =
  (datasets: readonly { id: string; dataVersion: number }[]) =>
  (query: Cached): boolean => {
    if (!isFigures(query) || !isAnswer(query.state.data)) return false
    const stands = new Map(datasets.map(({ id, dataVersion }) => [id, dataVersion]))
    return query.state.data.datasets.some(({ id, dataVersion }) => dataVersion < (stands.get(id) ?? 0))
  }
