import type { RowSource } from './column-vectors'
import { keyPlaces, keySet } from './related/relation-keys'
import { filtersMask } from './predicates'
import { allOf, maskOf, noneOf, type Mask } from './vectors'
import { existsJoinOf } from '../query/plan/relation-graph'
import { invalidPlan } from '../query/plan/plan-errors'
import type { ExistsFilter } from '../../shared/query/plan'

/** Rows of the dataset asked for are found once, as the keys they point at; a row without a key has none. */
export function existsMask(here: RowSource, filter: ExistsFilter, path: string): Mask {
  const { graph } = here.world
  const { inner, outer } = existsJoinOf(graph, here.dataset.id, { filter, at: path })
  const last = inner.at(-1)
  if (!last) throw invalidPlan(path, 'No relation leads here.')
  const there = here.other(filter.dataset)
  const theirs = there.along(inner.slice(0, -1), last.from.key, false)
  const ours = here.along(outer, last.to.key, false)
  const passing = allOf([there.rule(), filtersMask(there, filter.filters, `${path}.filters`)])
  const passingRows = { table: there.table, rule: () => passing, holdBytes: (bytes: number) => there.holdBytes(bytes) }
  const keys = keySet(passingRows, { from: theirs, other: ours.column })
  const places = keyPlaces(keys, { from: ours, other: theirs.column })
  const mask = maskOf((place, to) => {
    const own = places(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = own[i] === -1 ? 0 : 1
  })
  return filter.kind === 'exists' ? mask : noneOf(mask)
}
