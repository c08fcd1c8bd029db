import type { RowSource } from '../column-vectors'
import type { KeyPlaces } from './key-places'
import type { KeySource } from './relation-keys'
import type { PlanContext } from '../../query/query-context'
import type { QuerySteps } from '../../scheduling/query-scheduler'

interface KeptKeys {
  keys: KeyPlaces
  bytes: number
}
/** What a question's relations lead to: each of its readings of the same rows holds the same keys. */
const kept = new WeakMap<PlanContext, Map<string, KeptKeys>>()

/**
 * Keys of rows, read once a question.
 * @param id tells them from all others of the question
 * @param rule rows whose keys count
 */
export function* keptKeys(
  planContext: PlanContext,
  { id, there, rule }: { id: string; there: RowSource; rule: KeySource['rule'] },
  read: (source: KeySource) => QuerySteps<KeyPlaces>,
): QuerySteps<KeyPlaces> {
  const own = kept.get(planContext) ?? new Map<string, KeptKeys>()
  kept.set(planContext, own)
  const known = own.get(id)
  if (known) {
    there.holdBytes(known.bytes)
    return known.keys
  }
  let bytes = 0
  const holdBytes = (more: number): void => {
    bytes += more
    there.holdBytes(more)
  }
  const keys = yield* read({ table: there.table, rule, holdBytes })
  own.set(id, { keys, bytes })
  return keys
}

/** All pieces in one go: where a question cannot be left. */
export function runToCompletion<T>(steps: QuerySteps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
    if (value) throw new TypeError('It waits for something else than its turn.')
  }
}
