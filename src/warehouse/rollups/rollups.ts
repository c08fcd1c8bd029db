import { beginRollup, buildingCalendar, buildSlice, cellsOf, rolledDataset } from './build'
import { isExactlySummable, type RollupRequirements } from './requirements'
import { requestedShapes, dropRollup, satisfies, recordRequestedShape, rollupsOf } from './store'
import type { Rollup, RollupShape } from './store'
import type { LiveDataset } from '../physical-layout'
import { queryCatalogue } from '../query-catalogue'
import { sqlExecutor } from '../query/sources/sql'
import { relationGraph } from '../query/plan/relation-graph'
import { compileContextOf } from '../query/sources/compile-context'
import type { WarehouseContext } from '../context'
import type { ScopeWire } from '../../identity/scope'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Smaller tables are read as fast as anything made of them. */
export const ROWS_MIN = 50_000
/** Columns added up in one rollup; each takes four of its table's. */
const MEASURES_MAX = 12
const ROLLUPS_MAX = 24
/** Columns to tell rows apart by; rows that so many tell apart do not fold into few. */
const DIMS_MAX = 20
/** All rollups together may hold at most as many cells as the rows themselves. */
const CELLS_SHARE_MAX = 1

interface WantedRollup {
  needs: RollupRequirements
  zone: string
}

/** The rollup from which a question is answered soonest, as the compiler takes it; null when there is none. */
export function rollupFor(context: WarehouseContext, dataset: LiveDataset, ask: WantedRollup): LiveDataset | null {
  const found = findReadyRollup(context, dataset, ask)
  return found ? rolledDataset(dataset, found) : null
}

/** How many rows that rollup has; null when there is none. */
export const rollupRowsFor = (context: WarehouseContext, dataset: LiveDataset, ask: WantedRollup): number | null =>
  findReadyRollup(context, dataset, ask)?.rows ?? null

const findReadyRollup = (context: WarehouseContext, dataset: LiveDataset, ask: WantedRollup): Rollup | undefined =>
  rollupsOf(context, dataset.id).find((rollup) => isReady(rollup, dataset) && satisfies(rollup, ask.needs, ask.zone))

const isReady = (rollup: Rollup, dataset: LiveDataset): boolean =>
  rollup.state === 'ready' && isUpToDate(rollup, dataset)

export const isUpToDate = ({ tableSet, dataVersion }: Rollup, dataset: LiveDataset): boolean =>
  tableSet === dataset.tableSet && dataVersion === dataset.dataVersion

/** Notes what a question would have been answered from. True when it is worth making. */
export function requestRollup(
  context: WarehouseContext,
  dataset: LiveDataset,
  ask: { needs: RollupRequirements; zone: string },
): boolean {
  if (dataset.rowCount < ROWS_MIN) return false
  const shape = shapeFor(dataset, ask)
  if (!shape) return false
  // What is made by month for all who look that way is not made again for one of them.
  if (
    rollupsOf(context, dataset.id).some(
      (each) => each.shape.monthly === true && isReady(each, dataset) && satisfies(each, ask.needs, ask.zone),
    )
  )
    return false
  recordRequestedShape(context, dataset.id, shape)
  return !rollupsOf(context, dataset.id).some(
    (rollup) => isUpToDate(rollup, dataset) && isSameShape(rollup.shape, shape),
  )
}

export const isSameShape = (a: RollupShape, b: RollupShape): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Besides what the question adds up, everything that can be: the next one splits the same way and asks for another. */
export function shapeFor(
  dataset: LiveDataset,
  { needs, zone }: { needs: RollupRequirements; zone: string },
): RollupShape | null {
  if (needs.dims.length > DIMS_MAX) return null
  const others = dataset.columns
    .filter((column) => column.role === 'measure' && !column.hidden && isExactlySummable(dataset, column))
    .map(({ key }) => key)
  const wanted = new Set<ColumnKey>([...needs.measures, ...others].filter((key) => !needs.dims.includes(key)))
  const measures = [...wanted].slice(0, MEASURES_MAX).toSorted((a, b) => a.localeCompare(b, 'en'))
  if (!needs.measures.every((key) => measures.includes(key))) return null
  return { dims: needs.dims, measures, zone: isZoned(dataset, needs.dims) ? zone : null }
}

/** Whether the days that rows are told apart by depend on the zone. */
export const isZoned = (dataset: LiveDataset, dims: readonly ColumnKey[]): boolean =>
  dataset.columns.some(({ key, zoned }) => zoned === true && dims.includes(key))

/** Everything may be read: rollups are kept for all, and each question adds its own rules to what it reads of them. */
const unrestrictedScope = (workspaceId: string): ScopeWire => ({
  workspaceId,
  actorId: 'rollups',
  epoch: '',
  client: 'job',
  datasets: 'all',
  rowFilters: [],
  hidden: [],
})

/**
 * Makes what was asked for and is not there yet, in slices; waiting calls go between. A load that swaps the rows meanwhile
 * ends it: what was made of the old ones goes.
 */
export async function buildRequestedRollups(
  context: WarehouseContext,
  at: { workspaceId: string; datasetId: string },
): Promise<void> {
  const scope = unrestrictedScope(at.workspaceId)
  for (;;) {
    const catalogue = queryCatalogue(context, scope)
    const dataset = catalogue.find(at.datasetId)
    const next = context.transaction(() => nextRollup(context, at.datasetId, dataset))
    if (!next || !dataset) return
    const calendar = buildingCalendar(next.shape.zone)
    const world = compileContextOf(
      { scope, calendar, catalogue },
      { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) },
    )
    const others = rollupsOf(context, at.datasetId).filter(({ n }) => n !== next.n)
    buildSlice(context, { rollup: next, dataset, world, cellsLeft: cellsMax(dataset) - cells(others) })
    await context.pause()
  }
}

/** The rollup to go on with: outdated ones go, one half built is built on, else the next that was asked for is begun. */
function nextRollup(context: WarehouseContext, datasetId: string, dataset: LiveDataset | null): Rollup | null {
  const known = rollupsOf(context, datasetId)
  const current = dataset ? known.filter((rollup) => isUpToDate(rollup, dataset)) : []
  for (const old of known) if (!current.includes(old)) dropRollup(context, old)
  if (!dataset || dataset.rowCount < ROWS_MIN) return null
  const own = current.filter(({ shape }) => shape.monthly !== true)
  const begun = own.find(({ state }) => state === 'building')
  if (begun) return begun
  if (own.filter(({ state }) => state === 'ready').length >= ROLLUPS_MAX) return null
  if (cells(current) >= cellsMax(dataset)) return null
  const shape = requestedShapes(context, datasetId).find(
    (asked) => isPossible(dataset, asked) && !current.some((rollup) => isSameShape(rollup.shape, asked)),
  )
  return shape ? beginRollup(context, dataset, shape) : null
}

const cellsMax = ({ rowCount, columns }: LiveDataset): number => rowCount * columns.length * CELLS_SHARE_MAX
const cells = (rollups: readonly Rollup[]): number =>
  rollups.reduce((total, { rows, shape, state }) => total + (state === 'refused' ? 0 : cellsOf(shape, rows)), 0)

/** Columns may have gone, changed their type, or come to have a zone or lose it, since it was asked for. */
const isPossible = (dataset: LiveDataset, { dims, measures, zone }: RollupShape): boolean =>
  dims.every((key) => dataset.columns.some((column) => column.key === key && !column.computed)) &&
  measures.every((key) => dataset.columns.some((column) => column.key === key && isExactlySummable(dataset, column))) &&
  isZoned(dataset, dims) === (zone !== null)
