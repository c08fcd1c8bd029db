import { findGroupedColumn } from './place'
import { groupingStore } from './store'
import { countUnmatched } from './values'
import type { ReadContext } from './values'
import { ProductError } from '../../shared/errors'
import type { GroupingSummary } from '../../shared/groupings'
import type { PlanLimit } from '../../shared/plans'
import { log } from '../../lib/log'

/** Keeps how much of the data belongs to no group, for the badge. Data that cannot be grouped is counted as unknown. */
export async function updateUnmatchedCount(
  context: ReadContext,
  grouping: Pick<GroupingSummary, 'id' | 'target' | 'version'>,
): Promise<void> {
  const { deps, scope } = context
  try {
    const found = await countUnmatched(context, grouping)
    if (!found) return
    const at = { version: grouping.version, ...found, now: deps.clock.now() }
    await groupingStore(deps.db, { scope, max: null }).saveUnmatched(grouping.id, at).run()
  } catch (error) {
    if (!(error instanceof ProductError)) throw error
    log('info', 'values without a group were not counted', { grouping: grouping.id, code: error.code })
  }
}

/**
 * After new rows: the groupings of that dataset are counted again, but those for which the plan (`max`) has no room.
 */
export async function updateUnmatchedCounts(
  looking: ReadContext & { swapped: { datasetId: string }; max: PlanLimit },
): Promise<void> {
  const { deps, scope, swapped, max } = looking
  for (const grouping of await groupingStore(deps.db, { scope, max }).list()) {
    if (grouping.frozen) continue
    const place = await findGroupedColumn(looking, grouping)
    if (place?.dataset.id === swapped.datasetId) await updateUnmatchedCount(looking, grouping)
  }
}

/** Values of each grouping that belong to no group, as they were counted last for these rights; none where there are none. */
export async function ungroupedValues({
  deps,
  scope,
}: ReadContext): Promise<{ groupingId: string; name: string; values: number; rows: number }[]> {
  const groupings = await groupingStore(deps.db, { scope, max: null }).list()
  return groupings.flatMap(({ id, name, unmatched }) =>
    unmatched && unmatched.values > 0 ? [{ groupingId: id, name, values: unmatched.values, rows: unmatched.rows }] : [],
  )
}
