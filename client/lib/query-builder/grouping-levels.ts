import { allGroups, groupAtLevel, groupPaths, GROUP_DEPTH_MAX } from '../../../src/shared/groupings/groupings'
import type { ValidityPeriod, GroupNode } from '../../../src/shared/groupings/groupings'

/** Levels of groups within groups; 1 for a plain list. */
export const groupingDepth = ({ eras }: { eras: readonly ValidityPeriod[] }): number =>
  Math.max(1, ...eras.flatMap(({ groups }) => [...groupPaths(groups).values()].map((path) => path.length)))

export interface GroupOption {
  id: string
  /** With the groups around it: "Costs › Staff". */
  label: string
}

/** The groups that values can show as at a level; absent: the innermost. */
export function groupOptionsAtLevel(grouping: { eras: ValidityPeriod[] }, level: number | undefined): GroupOption[] {
  const paths = new Map<string, GroupNode[]>()
  for (const { groups } of grouping.eras) for (const [id, path] of groupPaths(groups)) paths.set(id, path)
  const seen = new Set([...paths.values()].flatMap((path) => groupAtLevel(path, level ?? GROUP_DEPTH_MAX)?.id ?? []))
  return allGroups(grouping)
    .filter(({ id }) => seen.has(id))
    .map(({ id, name }) => ({
      id,
      label:
        paths
          .get(id)
          ?.map((one) => one.name)
          .join(' › ') ?? name,
    }))
}
