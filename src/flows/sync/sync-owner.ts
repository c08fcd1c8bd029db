import type { StoreContext } from '../../features/data-sources/store'
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
