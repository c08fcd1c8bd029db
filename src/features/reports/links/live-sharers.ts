import { readMemberContext, type MemberContext } from '../../../identity/member-context-store'
import type { Deps } from '../../../deps'
import { roleMay } from '../../../shared/permissions'

/** Whether links of a member open anything: they may still share, and their workspace's plan has it. */
export const maySharePublicly = ({ role, entitlements }: Pick<MemberContext, 'role' | 'entitlements'>): boolean =>
  roleMay(role, 'share:report') &&
  entitlements.readOnly === null &&
  entitlements.features.reporting &&
  entitlements.features.reportSharing

/** Of some members, those whose links open something. */
export async function liveSharers(
  deps: Pick<Deps, 'db' | 'clock'>,
  { workspaceId, users }: { workspaceId: string; users: readonly string[] },
): Promise<Set<string>> {
  const found = await Promise.all(
    [...new Set(users)].map(async (userId) => {
      const member = await readMemberContext(deps, { workspaceId, userId })
      return member && maySharePublicly(member) ? [userId] : []
    }),
  )
  return new Set(found.flat())
}
