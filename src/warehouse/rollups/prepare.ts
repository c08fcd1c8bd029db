import { buildMonthlyRollups, MONTHLY_MAX } from './monthly'
import { isSafelySummable, rollupRequirements, type RollupRequirements } from './requirements'
import { isUpToDate, isSameShape, isZoned, ROWS_MIN, rollupFor } from './rollups'
import { satisfies, rollupsOf, type RollupShape } from './store'
import type { LiveDataset } from '../physical-layout'
import { queryCatalogue } from '../query-catalogue'
import { checkPlan } from '../query/plan/check-plan'
import { relationGraph } from '../query/plan/relation-graph'
import { resolvePeriod } from '../query/time/resolve-period'
import type { WarehouseContext } from '../context'
import type { ScopeWire } from '../../identity/scope'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { Calendar } from '../../shared/dates'

/** Columns that one rollup by month tells rows apart by. */
const DIMS_MAX = 4
const SHAPES_MAX = 24

/** Everything may be read: rollups are kept for all, and each question adds its own rules to what it reads of them. */
const unrestrictedScope = (scope: ScopeWire): ScopeWire => ({
  ...scope,
  client: 'job',
  datasets: 'all',
  rowFilters: [],
  hidden: [],
})

interface RequiredRollup {
  dataset: LiveDataset | null
  needs: RollupRequirements | null
}

/**
 * Makes what questions by month are answered from, for all of them in one reading of each dataset's rows. True for each
 * question over few rows, or for which that now stands.
 */
export async function prepareQueries(
  context: WarehouseContext,
  scope: ScopeWire,
  { plans, calendar }: { plans: readonly QueryPlan[]; calendar: Calendar },
): Promise<boolean[]> {
  const wanted = plans.map((plan) => requiredRollup(context, { scope, plan, calendar }))
  const lacking = new Map<string, RollupShape[]>()
  for (const { dataset, needs } of wanted) {
    const shape = dataset && needs && missingShape(context, { dataset, needs, calendar })
    if (!dataset || !shape) continue
    const known = lacking.get(dataset.id) ?? []
    if (known.length < SHAPES_MAX) lacking.set(dataset.id, mergeShapes(known, shape))
  }
  for (const [datasetId, shapes] of lacking)
    await buildMonthlyRollups(context, { scope: unrestrictedScope(scope), calendar, datasetId, shapes })
  return plans.map((plan) => isReady(context, { scope, plan, calendar }))
}

type PreparedQuery = { scope: ScopeWire; plan: QueryPlan; calendar: Calendar }

/** What a question would be answered from; no dataset when it cannot be asked at all. */
function requiredRollup(context: WarehouseContext, { scope, plan, calendar }: PreparedQuery): RequiredRollup {
  const catalogue = queryCatalogue(context, scope)
  try {
    const find = (id: string): LiveDataset | null => catalogue.find(id)
    const facts = checkPlan(plan, { find, graph: relationGraph(catalogue) })
    const dataset = find(facts.facts[0] ?? facts.home)
    const question = { plan, facts, period: resolvePeriod(plan, calendar) }
    return { dataset, needs: dataset && rollupRequirements(question, dataset, scope) }
  } catch (error) {
    if (error instanceof ProductError) return { dataset: null, needs: null }
    throw error
  }
}

function isReady(context: WarehouseContext, query: PreparedQuery): boolean {
  const { dataset, needs } = requiredRollup(context, query)
  if (!dataset) return false
  if (dataset.rowCount < ROWS_MIN) return true
  return needs !== null && rollupFor(context, dataset, { needs, zone: query.calendar.timeZone }) !== null
}

/** Null where it stands already, is not worth making, or cannot be made by month. */
function missingShape(
  context: WarehouseContext,
  { dataset, needs, calendar }: { dataset: LiveDataset; needs: RollupRequirements; calendar: Calendar },
): RollupShape | null {
  if (dataset.rowCount < ROWS_MIN || !needs.monthly || needs.dims.length === 0 || needs.dims.length > DIMS_MAX)
    return null
  if (rollupFor(context, dataset, { needs, zone: calendar.timeZone })) return null
  const columns = needs.measures.map((key) => dataset.columns.find((column) => column.key === key))
  if (!columns.every((column) => column && isSafelySummable(dataset, column))) return null
  const zone = isZoned(dataset, needs.dims) ? calendar.timeZone : null
  const rollupShape: RollupShape = { dims: needs.dims, measures: needs.measures, zone, monthly: true }
  const made = rollupsOf(context, dataset.id).filter((each) => each.shape.monthly === true && isUpToDate(each, dataset))
  const isTried = made.some(
    (each) => isSameShape(each.shape, rollupShape) || (each.state === 'ready' && satisfies(each, needs, zone ?? '')),
  )
  return isTried || made.length >= MONTHLY_MAX ? null : rollupShape
}

/** Shapes that tell rows apart alike are one, which adds up what any of them does. */
function mergeShapes(shapes: readonly RollupShape[], more: RollupShape): RollupShape[] {
  const alike = shapes.find(({ dims, zone }) => dims.join() === more.dims.join() && zone === more.zone)
  if (!alike) return [...shapes, more]
  const measures = [...new Set([...alike.measures, ...more.measures])].toSorted((a, b) => a.localeCompare(b, 'en'))
  return shapes.map((each) => (each === alike ? { ...alike, measures } : each))
}
