import { makeMonthly, MONTHLY_MAX } from './monthly'
import { isPlain, needsOf } from './needs'
import type { Needs } from './needs'
import { isCurrent, isSame, isZoned, ROWS_MIN, rollupFor } from './rollups'
import { holds, rollupsOf } from './store'
import type { Shape } from './store'
import type { Calendar } from '../contract'
import type { LiveDataset } from '../physical'
import { queryCatalogue } from '../query-catalogue'
import { checkPlan } from '../query/check'
import { graphOf } from '../query/graph-of'
import { resolvePeriod } from '../query/period'
import type { Room } from '../room'
import type { ScopeWire } from '../../access/scope'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query'

/** Columns that one rollup by month tells rows apart by. */
const DIMS_MAX = 4
const SHAPES_MAX = 24

/** Everything may be read: rollups are kept for all, and each question adds its own rules to what it reads of them. */
const everything = (scope: ScopeWire): ScopeWire => ({
  ...scope,
  client: 'job',
  datasets: 'all',
  rowFilters: [],
  hidden: [],
})

interface Wanted {
  dataset: LiveDataset | null
  needs: Needs | null
}

/**
 * Makes what questions by month are answered from, for all of them in one reading of each dataset's rows. True for each
 * question over few rows, or for which that now stands.
 */
export async function prepareQuestions(
  room: Room,
  scope: ScopeWire,
  { plans, calendar }: { plans: readonly QueryPlan[]; calendar: Calendar },
): Promise<boolean[]> {
  const wanted = plans.map((plan) => wantedBy(room, { scope, plan, calendar }))
  const lacking = new Map<string, Shape[]>()
  for (const { dataset, needs } of wanted) {
    const shape = dataset && needs && lackingShape(room, { dataset, needs, calendar })
    if (!dataset || !shape) continue
    const known = lacking.get(dataset.id) ?? []
    if (known.length < SHAPES_MAX) lacking.set(dataset.id, merged(known, shape))
  }
  for (const [datasetId, shapes] of lacking)
    await makeMonthly(room, { scope: everything(scope), calendar, datasetId, shapes })
  return plans.map((plan) => isReady(room, { scope, plan, calendar }))
}

type Ask = { scope: ScopeWire; plan: QueryPlan; calendar: Calendar }

/** What a question would be answered from; no dataset when it cannot be asked at all. */
function wantedBy(room: Room, { scope, plan, calendar }: Ask): Wanted {
  const catalogue = queryCatalogue(room, scope)
  try {
    const find = (id: string): LiveDataset | null => catalogue.find(id)
    const facts = checkPlan(plan, { find, graph: graphOf(catalogue) })
    const dataset = find(facts.facts[0] ?? facts.home)
    const question = { plan, facts, period: resolvePeriod(plan, calendar) }
    return { dataset, needs: dataset && needsOf(question, dataset, scope) }
  } catch (error) {
    if (error instanceof ProductError) return { dataset: null, needs: null }
    throw error
  }
}

function isReady(room: Room, ask: Ask): boolean {
  const { dataset, needs } = wantedBy(room, ask)
  if (!dataset) return false
  if (dataset.rowCount < ROWS_MIN) return true
  return needs !== null && rollupFor(room, dataset, { needs, zone: ask.calendar.timeZone }) !== null
}

/** Null where it stands already, is not worth making, or cannot be made by month. */
function lackingShape(
  room: Room,
  { dataset, needs, calendar }: { dataset: LiveDataset; needs: Needs; calendar: Calendar },
): Shape | null {
  if (dataset.rowCount < ROWS_MIN || !needs.monthly || needs.dims.length === 0 || needs.dims.length > DIMS_MAX)
    return null
  if (rollupFor(room, dataset, { needs, zone: calendar.timeZone })) return null
  const columns = needs.measures.map((key) => dataset.columns.find((column) => column.key === key))
  if (!columns.every((column) => column && isPlain(dataset, column))) return null
  const zone = isZoned(dataset, needs.dims) ? calendar.timeZone : null
  const shape: Shape = { dims: needs.dims, measures: needs.measures, zone, monthly: true }
  const made = rollupsOf(room, dataset.id).filter((each) => each.shape.monthly === true && isCurrent(each, dataset))
  const isTried = made.some(
    (each) => isSame(each.shape, shape) || (each.state === 'ready' && holds(each, needs, zone ?? '')),
  )
  return isTried || made.length >= MONTHLY_MAX ? null : shape
}

/** Shapes that tell rows apart alike are one, which adds up what any of them does. */
function merged(shapes: readonly Shape[], more: Shape): Shape[] {
  const alike = shapes.find(({ dims, zone }) => dims.join() === more.dims.join() && zone === more.zone)
  if (!alike) return [...shapes, more]
  const measures = [...new Set([...alike.measures, ...more.measures])].toSorted((a, b) => a.localeCompare(b, 'en'))
  return shapes.map((each) => (each === alike ? { ...alike, measures } : each))
}
