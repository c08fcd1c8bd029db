import { buildGroupingMap } from './build'
import { definitionsOf, dropExpiredDefinitions } from './definitions'
import { dropExpiredMaps, findGroupingMap, groupNumbers } from './maps'
import type { GroupingMapSpec } from './maps'
import type { ScopeWire } from '../../access/scope'
import type { Calendar, GroupingDefinition, GroupingVersion } from '../contract'
import type { LiveDataset } from '../physical'
import { sqlExecutor } from '../query/execute'
import { dayFromIso } from '../query/days'
import { relationGraph } from '../query/graph-of'
import type { GroupingView } from '../query/grouped'
import { compileContextOf } from '../query/world'
import { queryCatalogue } from '../query-catalogue'
import type { WarehouseContext } from '../room'
import { ProductError } from '../../shared/errors'
import { allGroups, validityPeriodAt } from '../../shared/grouping-tree'
import { groupedFieldsOf } from '../../shared/plan-fields'
import type { QueryPlan } from '../../shared/query'

/** How often maps are made anew for one question because rows keep changing under them. */
const BUILD_ATTEMPTS_MAX = 5

/** What a question asks through groupings. */
export interface GroupedQuery {
  scope: ScopeWire
  plan: QueryPlan
  calendar: Calendar
  groupings?: readonly GroupingVersion[] | undefined
  /** Absent: the object's own. */
  catalogueFor?: GroupingMapSpec['catalogueFor']
}
export type GroupingViews = (id: string) => GroupingView | null

/** Being made right now, by object: who asks for the same one waits for it. */
const runningBuilds = new WeakMap<WarehouseContext, Map<string, Promise<void>>>()

/**
 * Answers with every map at hand that the plan sees columns through; those that are missing are made first, in slices.
 * @throws ProductError `expired` for a definition that is not here, `busy` when rows change faster than maps are made
 */
export async function withGroupingMaps<T>(
  context: WarehouseContext,
  ask: GroupedQuery,
  answer: (groupingViews: GroupingViews) => T,
): Promise<T> {
  if (groupedFieldsOf(ask.plan).length === 0) return answer(() => null)
  for (let round = 0; round < BUILD_ATTEMPTS_MAX; round += 1) {
    const { needs, views } = resolveMaps(context, ask)
    const missing = needs.filter((need) => !findGroupingMap(context, need))
    // Nothing runs between this look and the answer.
    if (missing.length === 0) return answer(views)
    for (const need of missing) await ensureMap(context, need)
  }
  throw new ProductError('busy', { retryAfter: 5 })
}

function ensureMap(context: WarehouseContext, need: GroupingMapSpec): Promise<void> {
  const known = runningBuilds.get(context) ?? new Map<string, Promise<void>>()
  runningBuilds.set(context, known)
  const { definition, dataset, column, era } = need
  const key = [definition.id, definition.version, dataset.id, dataset.dataVersion, column.key, era].join()
  const work = known.get(key) ?? buildInSlices(context, need).finally(() => known.delete(key))
  known.set(key, work)
  return work
}

async function buildInSlices(context: WarehouseContext, need: GroupingMapSpec): Promise<void> {
  for (const _slice of buildGroupingMap(context, need)) await context.pause()
}

/** The same at once: for tests, which have the object to themselves. */
export function buildMapsNow(context: WarehouseContext, ask: GroupedQuery): GroupingViews {
  const { needs, views } = resolveMaps(context, ask)
  for (const need of needs) if (!findGroupingMap(context, need)) for (const _slice of buildGroupingMap(context, need));
  return views
}

function resolveMaps(context: WarehouseContext, ask: GroupedQuery): { needs: GroupingMapSpec[]; views: GroupingViews } {
  const definitions = definitionsOf(context, ask.groupings ?? [])
  const { scope, plan, calendar } = ask
  const catalogueFor = ask.catalogueFor ?? ((of: ScopeWire) => queryCatalogue(context, of))
  const catalogue = catalogueFor(scope)
  const alone = { find: catalogue.find.bind(catalogue), edges: [] }
  const world = compileContextOf(
    { scope, calendar, catalogue: alone },
    { graph: relationGraph(alone), period: null, execute: sqlExecutor(context.sql) },
  )
  const whole = catalogueFor({ ...scope, datasets: 'all', hidden: [], rowFilters: [] })
  const needs = groupedFieldsOf(plan).flatMap(({ field, grouping }): GroupingMapSpec[] => {
    const definition = definitions.get(grouping.id)
    const column = world.find(field.dataset)?.columns.find(({ key, hidden }) => key === field.column && !hidden)
    const dataset = whole.find(field.dataset)
    // The check says what is wrong with it.
    if (!definition || !column || !dataset || column.type === 'datetime') return []
    const current = validityPeriodAt(definition.eras, calendar.today)
    const eras = grouping.as === 'then' ? definition.eras.map((_, era) => era) : [current]
    return eras.map((era) => ({ definition, dataset, column, era, catalogueFor }))
  })
  const views = new Map(
    [...definitions].map(([id, definition]) => [id, groupingViewOf(context, { definition, needs, calendar })]),
  )
  return { needs: distinctSpecs(needs), views: (id) => views.get(id) ?? null }
}

const mapKey = (at: { dataset: Pick<LiveDataset, 'id'>; column: { key: string }; era: number }, id: string): string =>
  [id, at.dataset.id, at.column.key, at.era].join()
function distinctSpecs(needs: readonly GroupingMapSpec[]): GroupingMapSpec[] {
  return [...new Map(needs.map((need) => [mapKey(need, need.definition.id), need])).values()]
}

function groupingViewOf(
  context: WarehouseContext,
  { definition, needs, calendar }: { definition: GroupingDefinition; needs: GroupingMapSpec[]; calendar: Calendar },
): GroupingView {
  const { id, version, name, fallback, eras } = definition
  return {
    ...{ id, version, name, fallback },
    groups: allGroups(definition),
    numbers: groupNumbers(definition),
    eras: eras.map(({ from, groups }) => ({ from: from === null ? null : dayFromIso(from), groups })),
    current: validityPeriodAt(eras, calendar.today),
    map({ dataset, column, era }) {
      const wanted = mapKey({ dataset: { id: dataset }, column: { key: column }, era }, id)
      const need = needs.find((each) => mapKey(each, each.definition.id) === wanted)
      return need ? findGroupingMap(context, need) : null
    },
  }
}

/** What has not been asked for in a long time goes. */
export function dropExpiredGroupings(context: WarehouseContext): void {
  dropExpiredMaps(context)
  dropExpiredDefinitions(context)
}
