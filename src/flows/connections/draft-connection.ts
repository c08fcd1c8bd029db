import type { Connection } from '../../connectors/contract'
import type { Deps } from '../../deps'
import type { Scope } from '../../scope'
import { ProductError } from '../../shared/errors'
import { openCredentials } from '../../sync/credentials'
import { draftStore } from '../../sync/draft-store'

/** What a consent on its way is sealed for: itself. */
export const draftOwner = (of: { id: string; workspaceId: string }) => ({
  workspaceId: of.workspaceId,
  sourceId: of.id,
})

/** What consent gave, for the source that is being connected. @throws ProductError `expired` */
export async function draftConnection(
  deps: Deps,
  scope: Scope,
  of: { draftId: string; kind: string },
): Promise<Connection> {
  const draft = await draftStore(deps.db).get(of.draftId, { userId: scope.actorId, now: deps.clock.now() })
  if (!draft || draft.workspaceId !== scope.workspaceId || draft.kind !== of.kind || draft.state !== 'given')
    throw new ProductError('expired', { what: 'consent' }, 'Sign-in expired. Connect again.')
  return {
    settings: draft.settings,
    secrets: await openCredentials(deps, { ...draftOwner(draft), secrets: draft.sealed }),
  }
}
