import type { ColumnVectors, RowSource } from './column-vectors'
import type { KeyPlaces } from './related/key-places'
import { runToCompletion, keptKeys } from './related/kept-keys'
import { keyColumns, keyPlaces, keySet } from './related/relation-keys'
import { filtersMask } from './predicates'
import { allOf, maskOf, noneOf, type Mask } from './vectors'
import { existsJoinOf } from '../query/plan/relation-graph'
import { invalidPlan } from '../query/plan/plan-errors'
import type { QuerySteps } from '../scheduling/query-scheduler'
import { isExistsFilter } from '../../shared/query/plan'
import type { ExistsFilter, Filter } from '../../shared/query/plan'
import { keyPairsOf } from '../../shared/query/relation-paths'

/** Rows of the dataset asked for are found once, as the keys they point at; a row without a key has none. */
export function existsMask(here: RowSource, filter: ExistsFilter, path: string): Mask {
  const join = joinOf(here, filter, path)
  const keys = runToCompletion(pointedKeys(here, { filter, path, join }))
  const places = keyPlaces(keys, keyColumns(join.ours, join.theirs))
  const mask = maskOf((place, to) => {
    const own = places(place)
    for (let i = 0; i < place.rows; i += 1) to[i] = own[i] === -1 ? 0 : 1
  })
  return filter.kind === 'exists' ? mask : noneOf(mask)
}

/** Finds the keys that conditions of a question ask for in pieces, before its rows are read: then they stand ready. */
export function* prepareExists(here: RowSource, filters: readonly Filter[], path: string): QuerySteps<void> {
  for (const [i, filter] of filters.entries()) {
    if (!isExistsFilter(filter)) continue
    const at = `${path}.${i}`
    yield* pointedKeys(here, { filter, path: at, join: joinOf(here, filter, at) })
  }
}

interface ExistsJoin {
  there: RowSource
  /** Of the same key, column by column. */
  theirs: ColumnVectors[]
  ours: ColumnVectors[]
}
function joinOf(here: RowSource, filter: ExistsFilter, path: string): ExistsJoin {
  const { graph } = here.planContext
  const { inner, outer } = existsJoinOf(graph, here.dataset.id, { filter, at: path })
  const last = inner.at(-1)
  if (!last) throw invalidPlan(path, 'No relation leads here.')
  const there = here.other(filter.dataset)
  const pairs = keyPairsOf(last)
  return {
    there,
    theirs: pairs.map(({ from }) => there.along(inner.slice(0, -1), from, false)),
    ours: pairs.map(({ to }) => here.along(outer, to, false)),
  }
}

function* pointedKeys(
  here: RowSource,
  { filter, path, join }: { filter: ExistsFilter; path: string; join: ExistsJoin },
): QuerySteps<KeyPlaces> {
  const { there, theirs, ours } = join
  const passing = (): ReturnType<RowSource['rule']> =>
    allOf([there.rule(), filtersMask(there, filter.filters, `${path}.filters`)])
  const { kind: _kind, ...asked } = filter
  const at = { id: `exists ${here.dataset.id} ${JSON.stringify(asked)}`, there, rule: passing }
  return yield* keptKeys(here.planContext, at, (source) => keySet(source, keyColumns(theirs, ours)))
}
