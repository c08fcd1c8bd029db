import type { RowSource } from './column-vectors'
import { eachKey, keyValues } from './relation-keys'
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
  const keys = new Set<string | number>()
  eachKey(
    { table: there.table, rule: () => passing },
    { from: theirs, other: ours.column },
    (key) => void keys.add(key),
  )
  const valueOf = (key: string | number): number => Number(keys.has(key))
  const found = keyValues(ours, theirs.column, { valueOf, missing: 0 })
  const mask = maskOf((place, to) => to.set(found(place).subarray(0, place.rows)))
  return filter.kind === 'exists' ? mask : noneOf(mask)
}
