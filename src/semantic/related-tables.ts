import type { NamedRelatedTable } from '../shared/data-sources/date-fields'
import type { CatalogueDataset } from '../warehouse/contract'
import { forwardPaths, type FollowedRelation } from '../shared/query/relation-paths'

/** The datasets that rows of one point at along relations that plans may use, by how many relations lead there. */
export function relatedTables(
  home: string,
  { datasets, edges }: { datasets: readonly CatalogueDataset[]; edges: readonly FollowedRelation[] },
): NamedRelatedTable[][] {
  const levels: NamedRelatedTable[][] = []
  for (const { id, name, columns, rowCount } of datasets) {
    if (id === home) continue
    const [path, ...others] = forwardPaths(edges, { from: home, to: id, least: 1 })
    if (!path) continue
    const via = others.length === 0 ? [] : path.map((edge) => edge.id)
    levels[path.length - 1] = [...(levels[path.length - 1] ?? []), { id, name, columns, rowCount, via }]
  }
  return Array.from(levels, (level) => level ?? [])
}
