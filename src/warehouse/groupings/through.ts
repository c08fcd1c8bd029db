import { buildMap } from './build'
import { definitionsOf, dropOldDefinitions } from './definitions'
import { dropOldMaps, findMap, numbersOf } from './maps'
import type { MapNeed } from './maps'
import type { ScopeWire } from '../../access/scope'
import type { Calendar, GroupingDefinition, GroupingVersion } from '../contract'
import type { LiveDataset } from '../physical'
import { executor } from '../query/execute'
import { dayOfIso } from '../query/days'
import { graphOf } from '../query/graph-of'
import type { GroupingView } from '../query/grouped'
import { worldOf } from '../query/world'
import { queryCatalogue } from '../query-catalogue'
import type { Room } from '../room'
import { ProductError } from '../../shared/errors'
import { allGroups, eraAt } from '../../shared/grouping-tree'
import { groupedFieldsOf } from '../../shared/plan-fields'
import type { QueryPlan } from '../../shared/query'

/** How often maps are made anew for one question because rows keep changing under them. */
const ROUNDS = 5

/** What a question asks through groupings. */
export interface ThroughAsk {
  scope: ScopeWire
  plan: QueryPlan
  calendar: Calendar
  groupings?: readonly GroupingVersion[] | undefined
  /** Absent: the object's own. */
  catalogueFor?: MapNeed['catalogueFor']
}
export type Views = (id: string) => GroupingView | null

/** Being made right now, by object: who asks for the same one waits for it. */
const running = new WeakMap<Room, Map<string, Promise<void>>>()

/**
 * Answers with every map at hand that the plan sees columns through; those that are missing are made first, in slices.
 * @throws ProductError `expired` for a definition that is not here, `busy` when rows change faster than maps are made
 */
export async function throughMaps<T>(room: Room, ask: ThroughAsk, answer: (views: Views) => T): Promise<T> {
  if (groupedFieldsOf(ask.plan).length === 0) return answer(() => null)
  for (let round = 0; round < ROUNDS; round += 1) {
    const { needs, views } = lookedAt(room, ask)
    const missing = needs.filter((need) => !findMap(room, need))
    // Nothing runs between this look and the answer.
    if (missing.length === 0) return answer(views)
    for (const need of missing) await made(room, need)
  }
  throw new ProductError('busy', { retryAfter: 5 })
}

function made(room: Room, need: MapNeed): Promise<void> {
  const known = running.get(room) ?? new Map<string, Promise<void>>()
  running.set(room, known)
  const { definition, dataset, column, era } = need
  const key = [definition.id, definition.version, dataset.id, dataset.dataVersion, column.key, era].join()
  const work = known.get(key) ?? inSlices(room, need).finally(() => known.delete(key))
  known.set(key, work)
  return work
}

async function inSlices(room: Room, need: MapNeed): Promise<void> {
  for (const _slice of buildMap(room, need)) await room.pause()
}

/** The same at once: for tests, which have the object to themselves. */
export function mapsNow(room: Room, ask: ThroughAsk): Views {
  const { needs, views } = lookedAt(room, ask)
  for (const need of needs) if (!findMap(room, need)) for (const _slice of buildMap(room, need));
  return views
}

function lookedAt(room: Room, ask: ThroughAsk): { needs: MapNeed[]; views: Views } {
  const definitions = definitionsOf(room, ask.groupings ?? [])
  const { scope, plan, calendar } = ask
  const catalogueFor = ask.catalogueFor ?? ((of: ScopeWire) => queryCatalogue(room, of))
  const catalogue = catalogueFor(scope)
  const alone = { find: catalogue.find.bind(catalogue), edges: [] }
  const world = worldOf(
    { scope, calendar, catalogue: alone },
    { graph: graphOf(alone), period: null, execute: executor(room.sql) },
  )
  const whole = catalogueFor({ ...scope, datasets: 'all', hidden: [], rowFilters: [] })
  const needs = groupedFieldsOf(plan).flatMap(({ field, grouping }): MapNeed[] => {
    const definition = definitions.get(grouping.id)
    const column = world.find(field.dataset)?.columns.find(({ key, hidden }) => key === field.column && !hidden)
    const dataset = whole.find(field.dataset)
    // The check says what is wrong with it.
    if (!definition || !column || !dataset || column.type === 'datetime') return []
    const current = eraAt(definition.eras, calendar.today)
    const eras = grouping.as === 'then' ? definition.eras.map((_, era) => era) : [current]
    return eras.map((era) => ({ definition, dataset, column, era, catalogueFor }))
  })
  const views = new Map([...definitions].map(([id, definition]) => [id, viewOf(room, { definition, needs, calendar })]))
  return { needs: distinct(needs), views: (id) => views.get(id) ?? null }
}

const keyOf = (at: { dataset: Pick<LiveDataset, 'id'>; column: { key: string }; era: number }, id: string): string =>
  [id, at.dataset.id, at.column.key, at.era].join()
function distinct(needs: readonly MapNeed[]): MapNeed[] {
  return [...new Map(needs.map((need) => [keyOf(need, need.definition.id), need])).values()]
}

function viewOf(
  room: Room,
  { definition, needs, calendar }: { definition: GroupingDefinition; needs: MapNeed[]; calendar: Calendar },
): GroupingView {
  const { id, version, name, fallback, eras } = definition
  return {
    ...{ id, version, name, fallback },
    groups: allGroups(definition),
    numbers: numbersOf(definition),
    eras: eras.map(({ from, groups }) => ({ from: from === null ? null : dayOfIso(from), groups })),
    current: eraAt(eras, calendar.today),
    map({ dataset, column, era }) {
      const wanted = keyOf({ dataset: { id: dataset }, column: { key: column }, era }, id)
      const need = needs.find((each) => keyOf(each, each.definition.id) === wanted)
      return need ? findMap(room, need) : null
    },
  }
}

/** What has not been asked for in a long time goes. */
export function dropOldGroupings(room: Room): void {
  dropOldMaps(room)
  dropOldDefinitions(room)
}
