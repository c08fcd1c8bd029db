import { invalidPlan } from './plan-errors'
import type { PlanContext, GroupingView } from '../query-context'
import { groupAtLevel, groupPaths, GROUP_DEPTH_MAX } from '../../../shared/groupings/groupings'
import { groupingIdsOf } from '../../../shared/query/plan-fields'
import type { FieldFilter, GroupingReference, QueryPlan } from '../../../shared/query/plan'
import type { Cell, ResultColumn } from '../../../shared/query/result'

/** @throws ProductError `invalid_input` where a grouping is not here */
export function viewOf({ groupings }: Pick<PlanContext, 'groupings'>, { id }: GroupingReference): GroupingView {
  const view = groupings?.(id)
  if (!view) throw invalidPlan('grouping', 'This grouping can’t be used here.')
  return view
}

/** How a grouping and its groups are called. */
export const groupingNames = (
  view: GroupingView | null | undefined,
): { name: string; group(id: string): string } | null =>
  view ? { name: view.name, group: (id) => view.groups[view.numbers.get(id) ?? -1]?.name ?? 'a group' } : null

/** What an answer depends on of the groupings it is seen through: their versions, and which period is today's. */
export function groupingsIdentity(
  plan: Pick<QueryPlan, 'dimensions' | 'filters' | 'measures'>,
  views: ((id: string) => GroupingView | null) | undefined,
): { id: string; version: number; current: number }[] | undefined {
  const ids = groupingIdsOf(plan)
  if (ids.length === 0) return undefined
  return ids.flatMap((id) => {
    const view = views?.(id)
    return view ? [{ id, version: view.version, current: view.current }] : []
  })
}

/** How a split by groups is shown. */
export interface GroupedSplit {
  by: GroupingReference
  /** Values without a group are left out of the answer. */
  excludes: boolean
  name: string
  decode(cell: SqlStorageValue | undefined): Cell
  groups: NonNullable<ResultColumn['groups']>
}

/** What splits of a plan leave out, as filters: for questions that are asked without these splits. */
export const exclusionsOf = (
  planContext: Pick<PlanContext, 'groupings'>,
  { dimensions }: Pick<QueryPlan, 'dimensions'>,
): FieldFilter[] =>
  dimensions.flatMap(({ field, grouping }): FieldFilter[] => {
    const leavesOut = grouping && planContext.groupings?.(grouping.id)?.fallback.kind === 'exclude'
    return leavesOut === true ? [{ field, grouping, any: [{ op: 'notIn', values: [null] }] }] : []
  })

export function groupedSplit(view: GroupingView, by: GroupingReference): GroupedSplit {
  const { fallback } = view
  const { level, as } = by
  const rest = fallback.kind === 'ungrouped' ? fallback.name : null
  const seen = new Set<string>()
  for (const [era, { groups }] of view.eras.entries()) {
    if (as !== 'then' && era !== view.current) continue
    for (const path of groupPaths(groups).values()) {
      const shown = groupAtLevel(path, level ?? GROUP_DEPTH_MAX)
      if (shown) seen.add(shown.id)
    }
  }
  const groups: GroupedSplit['groups'] = view.groups
    .filter(({ id }) => seen.has(id))
    .map(({ id, name: title, color }) => ({ id, name: title, color }))
  return {
    by,
    excludes: fallback.kind === 'exclude',
    name: view.name,
    decode: (cell) => {
      if (typeof cell === 'number') return view.groups[cell]?.name ?? null
      return typeof cell === 'string' ? cell : rest
    },
    groups: rest === null ? groups : [...groups, { id: null, name: rest, color: null }],
  }
}
