import { sourceStore, type StoreContext } from '../../features/data-sources/store'
import type { Deps } from '../../deps'
import { readMemberContext } from '../../identity/member-context-store'
import { roleMay } from '../../shared/permissions'

/** As whom a sync writes: the source's owner as the database says now. Null where they may not any more. */
export async function planDeps(
  deps: Pick<Deps, 'db' | 'clock'>,
  of: { workspaceId: string; ownerId: string },
): Promise<{ ask: StoreContext; multiCurrency: boolean } | null> {
  const owner = await readMemberContext(deps, { workspaceId: of.workspaceId, userId: of.ownerId })
  if (!owner || owner.entitlements.readOnly !== null || !roleMay(owner.role, 'create:source')) return null
  const { dataSources, multiCurrency } = owner.entitlements.features
  return { ask: { scope: owner.scope, max: dataSources }, multiCurrency }
}

/** Whether a source may be synced now: its owner may, and the plan has room for it. A sync under way stops where it may not. */
export async function maySync(
  deps: Pick<Deps, 'db' | 'clock'>,
  of: { workspaceId: string; ownerId: string; sourceId: string },
): Promise<boolean> {
  const owner = await planDeps(deps, of)
  const source = owner && (await sourceStore(deps.db, owner.ask).get(of.sourceId))
  return source !== null && !source.frozen
}
