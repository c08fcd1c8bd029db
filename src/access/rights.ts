import type { Scope } from './scope'
import { canonicalJson, sha256HexSync } from '../warehouse/query/hash'

/**
 * Names what a scope may see of the rows, not who asks: equal rights have equal names. What is kept of a workspace's
 * figures is kept under this name and shown to nobody whose rights have another.
 */
export function accessFingerprint(scope: Scope): string {
  const { datasets, rowFilters, hidden } = scope.wire()
  return sha256HexSync(
    canonicalJson({
      datasets: datasets === 'all' ? datasets : canonicalSorted(datasets),
      rowFilters: canonicalSorted(rowFilters),
      hidden: canonicalSorted(hidden),
    }),
  )
}

/** In an order of their own: the same rules in another order are the same rights. */
const canonicalSorted = <T>(items: readonly T[]): string[] => items.map((item) => canonicalJson(item)).toSorted()

/** Whether a scope sees every row and column of its workspace. */
export function hasFullAccess(scope: Scope): boolean {
  const { datasets, rowFilters, hidden } = scope.wire()
  return datasets === 'all' && rowFilters.length === 0 && hidden.length === 0
}
