import { accessFingerprint } from '../../scope'
import { readMemberContext } from '../member-context-store'
import type { Database } from '../../db/database'
import type { Clock } from '../../shared/ids'

/** Figures that are kept under the rights of somebody. */
export interface KeptUnderAccess {
  id: string
  ownerId: string
  rights: string
}

/** Ids of those whose owner has other rights now; those of people who are gone stay as they are. */
export async function staleByAccess(
  deps: { db: Database; clock: Clock },
  workspaceId: string,
  kept: readonly KeptUnderAccess[],
): Promise<string[]> {
  const rightsOf = new Map<string, string | null>()
  for (const userId of new Set(kept.map(({ ownerId }) => ownerId))) {
    const owner = await readMemberContext(deps, { workspaceId, userId })
    rightsOf.set(userId, owner && accessFingerprint(owner.scope))
  }
  return kept.flatMap(({ id, ownerId, rights }) => {
    const now = rightsOf.get(ownerId) ?? null
    return now === null || now === rights ? [] : [id]
  })
}
