import { calendarOf } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import { FULL_RIGHTS, Scope, type DataRights } from '../../scope'
import type { RequestContext } from '../../http/request-context'
import { canonicalJson } from '../../lib/hash'
import { isTransient, ProductError } from '../../shared/errors'
import { AGGREGATES_MAX } from '../../shared/limits'
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

/** How many rows there are for somebody with these rights; null where a dataset is gone. */
export async function countRows(
  context: RequestContext,
  dataset: string,
  { rights }: { rights: DataRights },
): Promise<number | null> {
  const [count = null] = await countEach(context, dataset, { rights, conditions: [[]] })
  return count
}

/**
 * How many rows pass each of several lists of conditions, read together; null for those that cannot be asked: they name
 * what is gone, or do not fit it.
 */
export async function countEach(
  context: RequestContext,
  dataset: string,
  asked: CountRequest,
): Promise<(number | null)[]> {
  const counts: (number | null)[] = []
  const { conditions } = asked
  for (let at = 0; at < conditions.length; at += AGGREGATES_MAX)
    counts.push(
      ...(await countTogether(context, dataset, { ...asked, conditions: conditions.slice(at, at + AGGREGATES_MAX) })),
    )
  return counts
}

interface CountRequest {
  rights: DataRights
  /** What all of the rows counted pass. */
  filters?: Filter[]
  conditions: readonly Filter[][]
}

/** One that cannot be asked takes the others along: each is asked by itself then. */
async function countTogether(
  context: RequestContext,
  dataset: string,
  asked: CountRequest,
): Promise<(number | null)[]> {
  try {
    return await countsWithin(context, dataset, asked)
  } catch (error) {
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    if (asked.conditions.length <= 1) return asked.conditions.map(() => null)
    const counts: (number | null)[] = []
    for (const each of asked.conditions)
      counts.push(...(await countTogether(context, dataset, { ...asked, conditions: [each] })))
    return counts
  }
}

async function countsWithin(
  { deps, scope: asker, membership }: RequestContext,
  dataset: string,
  { rights, conditions, filters = [] }: CountRequest,
): Promise<number[]> {
  const scope = Scope.forReader({
    ...{ workspaceId: asker.workspaceId, userId: asker.actorId, epoch: asker.wire().epoch, rights },
  })
  const { rows } = await queryService(deps, { scope, calendar: calendarOf(membership, deps.clock) }).answer({
    ...{ v: 3, kind: 'aggregate', dataset, dimensions: [], filters },
    measures: conditions.map((filter) => ({
      ...{ kind: 'column', agg: 'count', dataset },
      ...(filter.length > 0 ? { filter } : {}),
    })),
  })
  return conditions.map((_, at) => {
    const count = rows[0]?.[at]
    return typeof count === 'number' ? count : 0
  })
}
