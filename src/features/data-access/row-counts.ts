import { calendarOf } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { FULL_RIGHTS, Scope, type DataRights } from '../../identity/scope'
import type { RequestContext } from '../../http/request-context'
import { canonicalJson } from '../../lib/hash'
import { ProductError } from '../../shared/errors'
import type { Filter } from '../../shared/query/plan'

/** Questions that one look may ask; what is beyond is not counted. */
const COUNTS_MAX = 40

/** Counts rows of datasets as people would: each different rule is counted once. Null past {@link COUNTS_MAX} of them. */
export function rowCounter(context: RequestContext): (dataset: string, rights: DataRights) => Promise<number | null> {
  const known = new Map<string, Promise<number | null>>()
  return (dataset, rights) => {
    const rules = rights.rowFilters.filter((rule) => rule.dataset === dataset)
    const id = canonicalJson([dataset, rules])
    const asked = known.get(id)
    if (asked) return asked
    if (known.size >= COUNTS_MAX) return Promise.resolve(null)
    const counted = countRows(context, dataset, { rights: { ...FULL_RIGHTS, rowFilters: rules } })
    known.set(id, counted)
    return counted
  }
}

/** How many rows there are for somebody with these rights; null where a dataset is gone. @param filters of them */
export async function countRows(
  { deps, scope: asker, membership }: RequestContext,
  dataset: string,
  { rights, filters = [] }: { rights: DataRights; filters?: Filter[] },
): Promise<number | null> {
  const scope = Scope.forReader({
    ...{ workspaceId: asker.workspaceId, userId: asker.actorId, epoch: asker.wire().epoch, rights },
  })
  try {
    const { rows } = await queryService(deps, { scope, calendar: calendarOf(membership, deps.clock) }).answer({
      ...{ v: 3, kind: 'aggregate', dataset, dimensions: [] },
      measures: [{ kind: 'column', agg: 'count', dataset }],
      filters,
    })
    const count = rows[0]?.[0]
    return typeof count === 'number' ? count : 0
  } catch (error) {
    if (error instanceof ProductError && error.code === 'not_found') return null
    throw error
  }
}
