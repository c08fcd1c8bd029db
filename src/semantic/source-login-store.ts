import { isLiveKind } from '../connectors/databases/open-database'
import type { Scope } from '../scope'
import type { Deps } from '../deps'
import { openCredentials } from '../sync/credentials'
import { connectionStore } from '../sync/connection-store'
import { ProductError } from '../shared/errors'
import type { SourceLogin } from '../warehouse/contract'

/** How sources of the workspace are asked. @throws ProductError `source_failed` for one that is paused or gone */
export async function readLogins(
  deps: Pick<Deps, 'db' | 'settings'>,
  scope: Scope,
  sourceIds: readonly string[],
): Promise<SourceLogin[]> {
  const store = connectionStore(deps.db, scope.workspaceId)
  return Promise.all(
    sourceIds.map(async (sourceId) => {
      const row = await store.get(sourceId)
      if (!row || row.paused || !isLiveKind(row.kind)) throw notAsked()
      return { sourceId, kind: row.kind, settings: row.settings, secrets: await openCredentials(deps, row) }
    }),
  )
}

const notAsked = (): ProductError =>
  new ProductError(
    'source_failed',
    { reason: 'down', mend: 'Resume the source.' },
    'This source is paused, so its live tables can’t be queried.',
  )
