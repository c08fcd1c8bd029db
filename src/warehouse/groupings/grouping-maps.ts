import {
  createGroupingMap,
  dropGroupingMap,
  markMapReady,
  mapExists,
  groupNumbers,
  definitionsOf,
  dropExpiredDefinitions,
  dropExpiredMaps,
  findGroupingMap,
} from './store'
import type { GroupingMapSpec, GroupingMap } from './store'
import { filtersOfRules } from '../../identity/access/visible-dataset'
import { FULL_RIGHTS, type ScopeWire } from '../../scope'
import { cellOf, valueFrom } from '../query/aggregates/amount'
import { exactOf, pow10 } from '../query/expressions/decimal'
import { relationGraph } from '../query/plan/relation-graph'
import { notFromColumns, queryTooComplex } from '../query/plan/plan-errors'
import type { PlanContext, GroupingView } from '../query/query-context'
import { planContextOf } from '../query/make-context'
import { collectValues } from './different-values'
import { type ColumnSources } from '../columns/column-table'
import { ExceedsBounds } from '../columns/memory'
import { convertRows } from '../segments/convert-rows'
import { columnSources } from '../segments/stored-columns'
import { findTableSet } from '../tables'
import type { LiveDataset } from '../physical-layout'
import { oneRow, type WarehouseContext } from '../context'
import { createGroupLookup, matchableCell, numberRangeOf } from '../../shared/groupings/matching'
import {
  groupAtLevel,
  groupPaths,
  GROUP_DEPTH_MAX,
  GROUPED_VALUES_MAX,
  allGroups,
  validityPeriodAt,
} from '../../shared/groupings/groupings'
import type { GroupNode } from '../../shared/groupings/groupings'
import type { Column } from '../../shared/data-sources/data-sources'
import type { GroupingDefinition, GroupingVersion } from '../contract'
import { dayFromIso, type Calendar } from '../../shared/dates'
import { queryCatalogue } from '../query-catalogue'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { ProductError } from '../../shared/errors'
import { groupedFieldsOf } from '../../shared/query/plan-fields'
import type { QueryPlan } from '../../shared/query/plan'

/** Values sorted out in one go; between two, whatever waits for the object runs. */
const SLICE_VALUES = 5_000
/** Steps of rules in one go, about a tenth of a second at worst, and of all values together. */
const SLICE_STEPS = 2_000_000
const STEPS_MAX = 1_000_000_000

/** All values count, whoever asks: a question joins the map to the rows that it may read. */
const unrestrictedScope = (workspaceId: string): ScopeWire => ({
  ...{ workspaceId, actorId: 'groupings', epoch: '', client: 'job' },
  ...FULL_RIGHTS,
})
const BUILD_CALENDAR = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '1970-01-01' } as const

/**
 * Makes a map slice by slice; ends early when the rows were swapped meanwhile. One step is short enough to be done between
 * two answers.
 * @throws ProductError `query_too_complex` past 200,000 different values, when rules would take too long over them, and for
 *   computed values that columns do not tell
 */
function* buildGroupingMap(context: WarehouseContext, need: GroupingMapSpec): Generator<void, void> {
  if (isRangeOnly(need)) return buildRangeMap(context, need)
  const map = createGroupingMap(context, need, 'values')
  if (yield* writeValues(context, need, map)) yield* assignGroups(context, need, map)
}

/** Whether all different values are in the map: not when the rows were swapped meanwhile. What fails leaves no map. */
function* writeValues(context: WarehouseContext, need: GroupingMapSpec, map: GroupingMap): Generator<void, boolean> {
  try {
    for (const _slice of collectValues(context, need, {
      map,
      planContext: wholeWorld(context, need),
      sources: need.sources,
    })) {
      const { n } = oneRow<{ n: number }>(context.sql, `SELECT count(*) AS n FROM gm${map.n}`)
      if (n > GROUPED_VALUES_MAX) throw queryTooComplex('values', GROUPED_VALUES_MAX)
      yield
      if (!isStillCurrent(context, need, map)) return false
    }
    return true
  } catch (error) {
    context.transaction(() => dropGroupingMap(context, map.n))
    throw error instanceof ExceedsBounds ? notFromColumns(error.max) : error
  }
}

/** The rows and the map are still those that were begun with. */
function isStillCurrent(
  context: WarehouseContext,
  { dataset, catalogueFor }: GroupingMapSpec,
  map: GroupingMap,
): boolean {
  const now = catalogueFor(unrestrictedScope('')).find(dataset.id)
  return mapExists(context, map) && now?.tableSet === dataset.tableSet && now.dataVersion === dataset.dataVersion
}

/** The rows with all their columns, as they lie now. */
function wholeWorld(context: WarehouseContext, { catalogueFor }: GroupingMapSpec): PlanContext {
  const scope = unrestrictedScope('')
  const found = catalogueFor(scope)
  const catalogue = { find: found.find.bind(found), edges: [] }
  return planContextOf(
    { scope, calendar: BUILD_CALENDAR, catalogue },
    { graph: relationGraph(catalogue), period: null },
  )
}

/** What each level's column of a map holds for a value. */
type GroupLevels = (number | string | null)[]

/** A text for itself that reads like a group would be taken for it. */
const ungroupedText = (text: string, names: ReadonlySet<string>): string => (names.has(text) ? `${text} (value)` : text)

/** Writes beside each value which groups stand for it. */
function* assignGroups(context: WarehouseContext, need: GroupingMapSpec, map: GroupingMap): Generator<void, void> {
  const { definition, column, era } = need
  const groups = definition.eras[era]?.groups ?? []
  const { groupOf, stepsFor } = createGroupLookup({ groups })
  const most = valuesPerSlice(context, map, stepsFor)
  const levels = levelsOf(need)
  const names = new Set(definition.eras.flatMap((each) => each.groups.map((group) => group.name)))
  const asIs = definition.fallback.kind === 'asIs'
  for (let after = 0; ;) {
    const page = context.sql
      .exec<{ r: number; gv: SqlStorageValue; chars: number }>(
        `SELECT r, gv, length(gv) AS chars FROM gm${map.n} WHERE r > ? ORDER BY r LIMIT ?`,
        after,
        most,
      )
      .toArray()
    const slice = takeWithinSteps(page, ({ chars }) => stepsFor(chars))
    const last = slice.at(-1)
    if (!last) break
    after = last.r
    const written = slice.flatMap(({ r, gv }) => {
      const seen = matchableCell(column, cellOf(valueFrom(column, gv)))
      const id = groupOf(seen)
      const own = asIs && seen ? ungroupedText(seen.text, names) : null
      const found: GroupLevels | undefined =
        id === null ? (own === null ? undefined : Array<string>(4).fill(own)) : levels.get(id)
      return found ? [[r, ...found]] : []
    })
    if (written.length > 0)
      context.sql.exec(
        `UPDATE gm${map.n} SET gl1 = j.value ->> 1, gl2 = j.value ->> 2, gl3 = j.value ->> 3, gl4 = j.value ->> 4
         FROM json_each(?) j WHERE gm${map.n}.r = j.value ->> 0`,
        JSON.stringify(written),
      )
    yield
    if (!mapExists(context, map)) return
  }
  markMapReady(context, map)
}

/** How many values are worth reading for one go. Where all would take minutes, nothing is begun. */
function valuesPerSlice(context: WarehouseContext, map: GroupingMap, stepsFor: (chars: number) => number): number {
  const { n, chars } = oneRow<{ n: number; chars: number }>(
    context.sql,
    `SELECT count(*) AS n, coalesce(avg(min(length(gv), 1000)), 0) AS chars FROM gm${map.n}`,
  )
  const steps = stepsFor(chars)
  if (n * steps <= STEPS_MAX) return Math.min(SLICE_VALUES, Math.ceil((2 * SLICE_STEPS) / steps))
  context.transaction(() => dropGroupingMap(context, map.n))
  throw queryTooComplex('steps of rules', STEPS_MAX)
}

/** As many of them, from the first on, as fit one go; at least one. */
function takeWithinSteps<T>(all: readonly T[], stepsOf: (each: T) => number): readonly T[] {
  let steps = 0
  const past = all.findIndex((each, i) => (steps += stepsOf(each)) > SLICE_STEPS && i > 0)
  return past === -1 ? all : all.slice(0, past)
}

/** By id of a group: what stands for it at each level. */
function levelsOf({ definition, era }: GroupingMapSpec): Map<string, GroupLevels> {
  const numbers = groupNumbers(definition)
  const numberOf = (group: GroupNode | undefined): number | null => (group ? (numbers.get(group.id) ?? null) : null)
  const paths = groupPaths(definition.eras[era]?.groups ?? [])
  return new Map(
    [...paths].map(([id, path]) => [
      id,
      Array.from({ length: GROUP_DEPTH_MAX }, (_, i) => numberOf(groupAtLevel(path, i + 1))),
    ]),
  )
}

/** Numbers sorted by ranges alone need no list of values. */
function isRangeOnly({ definition, column, era }: GroupingMapSpec): boolean {
  const rules = definition.eras[era]?.groups.flatMap((group) => group.rules) ?? []
  const isNumber = column.type === 'integer' || column.type === 'number'
  return (
    isNumber &&
    definition.fallback.kind !== 'asIs' &&
    rules.every(({ kind }) => kind === 'range' || (kind === 'accounts' && column.type === 'integer'))
  )
}

/** Where ranges begin: each line holds up to the next one; a gap is a line without groups. */
function buildRangeMap(context: WarehouseContext, need: GroupingMapSpec): void {
  const map = createGroupingMap(context, need, 'ranges')
  const levels = levelsOf(need)
  const spans = (need.definition.eras[need.era]?.groups ?? [])
    .flatMap(({ id, rules }) => rules.flatMap((rule) => ({ id, span: numberRangeOf(rule) })))
    .flatMap(({ id, span }) => (span ? [{ id, from: span.from, to: span.to }] : []))
    .toSorted((a, b) => a.from - b.from)
  const starts = new Map<string, GroupLevels>()
  for (const { id, from, to } of spans) {
    starts.set(storedBound(need.column, from), levels.get(id) ?? [])
    const end = storedBound(need.column, to)
    if (!starts.has(end)) starts.set(end, [])
  }
  const lines = [...starts].map(([from, found]) => [from, ...found])
  // As text: JSON has no infinity, and SQLite reads numbers of any length from texts.
  context.sql.exec(
    `INSERT INTO gm${map.n} (gv, gl1, gl2, gl3, gl4)
     SELECT CASE value ->> 0 WHEN '-' THEN -9e999 WHEN '+' THEN 9e999 ELSE CAST(value ->> 0 AS NUMERIC) END,
       value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM json_each(?)`,
    JSON.stringify(lines),
  )
  markMapReady(context, map)
}

/** The least stored value at or past a bound, as text. */
function storedBound({ type, scale }: Column, bound: number): string {
  if (bound === -Infinity) return '-'
  if (bound === Infinity) return '+'
  const exact = exactOf(bound)
  if (!exact || (type === 'number' && scale === undefined)) return String(bound)
  const digits = type === 'integer' ? 0 : (scale ?? 0)
  if (exact.scale <= digits) return String(exact.n * pow10(digits - exact.scale))
  const divisor = pow10(exact.scale - digits)
  const whole = exact.n / divisor
  return String(exact.n > 0n && exact.n % divisor !== 0n ? whole + 1n : whole)
}

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
  /** Absent: the object's own. */
  columns?: ColumnSources
}
export type GroupingViews = (id: string) => GroupingView | null

/** Being made right now, by object: who asks for the same one waits for it. */
const runningBuilds = new WeakMap<WarehouseContext, Map<string, Promise<void>>>()

/**
 * Waits until every map is at hand that the plan sees columns through; those that are missing are made, in slices. Nothing
 * runs between the last look and what comes after.
 * @throws ProductError `expired` for a definition that is not here, `busy` when rows change faster than maps are made
 */
export function* groupingViewSteps(context: WarehouseContext, ask: GroupedQuery): QuerySteps<GroupingViews> {
  if (groupedFieldsIn(ask).length === 0) return () => null
  for (let round = 0; round < BUILD_ATTEMPTS_MAX; round += 1) {
    const { needs, views } = resolveMaps(context, ask)
    const missing = needs.filter((need) => !findGroupingMap(context, need))
    if (missing.length === 0) return views
    for (const need of missing) yield ensureMap(context, need)
  }
  throw new ProductError('busy', { retryAfter: 5 })
}

/**
 * What the groupings of a plan say, whether or not their maps are at hand.
 * @throws ProductError `expired` for a definition that is not here
 */
export const groupingViewsOf = (context: WarehouseContext, ask: GroupedQuery): GroupingViews =>
  groupedFieldsIn(ask).length === 0 ? () => null : resolveMaps(context, ask).views

/** What the plan sees through groupings, and what rules of access do. */
const groupedFieldsIn = ({
  plan,
  scope,
}: Pick<GroupedQuery, 'plan' | 'scope'>): (GroupedField & { ofRule: boolean })[] => [
  ...groupedFieldsOf(plan).map((each) => ({ ...each, ofRule: false })),
  ...groupedFieldsOf({ measures: [], dimensions: [], filters: filtersOfRules(scope) }).map((each) => ({
    ...each,
    ofRule: true,
  })),
]
type GroupedField = ReturnType<typeof groupedFieldsOf>[number]

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
  const set = findTableSet(context, need.dataset.tableSet)
  // The map is made of the columns that are looked up next.
  if (set && !set.manifest) return convertRows(context, set)
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
  const { scope, calendar } = ask
  const catalogueFor = ask.catalogueFor ?? ((of: ScopeWire) => queryCatalogue(context, of))
  const sources = ask.columns ?? columnSources(context.sql)
  const planContextFor = (of: ScopeWire): PlanContext => {
    const catalogue = catalogueFor(of)
    const alone = { find: catalogue.find.bind(catalogue), edges: [] }
    return planContextOf({ scope: of, calendar, catalogue: alone }, { graph: relationGraph(alone), period: null })
  }
  const everything = { ...scope, ...FULL_RIGHTS }
  const [seen, all, whole] = [planContextFor(scope), planContextFor(everything), catalogueFor(everything)]
  const needs = groupedFieldsIn(ask).flatMap(({ field, grouping, ofRule }): GroupingMapSpec[] => {
    const definition = definitions.get(grouping.id)
    const planContext = ofRule ? all : seen
    // What is masked has no groups; as the text that is left of it, a map of it would be wrong for everybody.
    const column = planContext
      .find(field.dataset)
      ?.columns.find(({ key, hidden, mask }) => key === field.column && (ofRule || !hidden) && !mask)
    const dataset = whole.find(field.dataset)
    // The check says what is wrong with it.
    if (!definition || !column || !dataset || column.type === 'datetime') return []
    const current = validityPeriodAt(definition.eras, calendar.today)
    const eras = grouping.as === 'then' ? definition.eras.map((_, era) => era) : [current]
    return eras.map((era) => ({ definition, dataset, column, era, catalogueFor, sources }))
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
