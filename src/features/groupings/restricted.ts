import { coveredColumns, isPartial, seenInPart } from '../../identity/access/visible-dataset'
import type { Scope } from '../../scope'
import type { Grouping, GroupingTarget } from '../../shared/groupings/groupings'

/** Whether a grouping exists for who asks: not that of a column which is hidden or masked. @param hidden as `hiddenThings` */
export function isVisibleTarget(scope: Scope, target: GroupingTarget, hidden: string): boolean {
  if (target.kind === 'account') return true
  const gone: string[] = JSON.parse(hidden)
  return !gone.includes(target.dataset) && !coveredColumns(scope.wire(), target.dataset).has(target.column)
}

const isOfPart = (scope: Scope, target: GroupingTarget): boolean =>
  target.kind === 'column' && isPartial(scope.wire(), { id: target.dataset })

/** Of data that are seen in part: the groups, without the values in them, which may be of rows that are not seen. */
export function withoutUnseenValues<T extends Pick<Grouping, 'target' | 'eras' | 'memberCount'>>(
  scope: Scope,
  grouping: T,
): T {
  if (!isOfPart(scope, grouping.target)) return grouping
  const eras = grouping.eras.map((era) => ({ ...era, groups: era.groups.map((group) => ({ ...group, rules: [] })) }))
  return { ...grouping, eras, memberCount: 0 }
}

/** @throws ProductError `forbidden` where who asks does not see every value that is put into groups */
export function assertWholeTarget(scope: Scope, { target }: Pick<Grouping, 'target'>): void {
  if (isOfPart(scope, target)) throw seenInPart()
}
