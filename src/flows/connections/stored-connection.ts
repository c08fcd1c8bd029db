import type { Deps } from '../../deps'
import { requireWholeSource } from '../../features/data-sources/sources'
import { sourceStore, type SourceRow, type StoreContext } from '../../features/data-sources/store'
import { ProductError } from '../../shared/errors'
import { connectionStore, type ConnectionRow } from '../../sync/connection-store'

interface StoredConnection {
  source: SourceRow
  row: ConnectionRow
}

/** A connected source that who asks may see. @throws ProductError `not_found` */
export async function requireConnection(deps: Deps, ask: StoreContext, id: string): Promise<StoredConnection> {
  const [source, row] = await Promise.all([
    sourceStore(deps.db, ask).get(id),
    connectionStore(deps.db, ask.scope.workspaceId).get(id),
  ])
  if (!source || !row) throw new ProductError('not_found')
  return { source, row }
}

/** One that who asks sees whole: what is changed of it, or read by its credentials, is of all its data. @throws ProductError `forbidden` */
export async function requireWholeConnection(deps: Deps, ask: StoreContext, id: string): Promise<StoredConnection> {
  const found = await requireConnection(deps, ask, id)
  await requireWholeSource(deps, ask, id)
  return found
}

/** Ids of its tables that exist for who asks, and whether these are all of it, whole. */
export async function visibleTables(
  deps: Deps,
  ask: StoreContext,
  id: string,
): Promise<{ ids: Set<string>; isWhole: boolean }> {
  const store = sourceStore(deps.db, ask)
  const [seen, count] = await Promise.all([store.datasetsOf([id]), store.countDatasets(id)])
  const isWhole = seen.length === count && !seen.some(({ partial }) => partial)
  return { ids: new Set(seen.map((dataset) => dataset.id)), isWhole }
}
