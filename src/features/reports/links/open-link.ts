import { maySharePublicly } from './live-sharers'
import { isProof } from './passcode'
import { findLink, type FoundLink } from './store'
import { sharedRights } from '../../../identity/access/shared-rights'
import { readMemberContext, type MemberContext } from '../../../identity/member-context-store'
import { rightsFingerprint, Scope, type DataRights } from '../../../scope'
import type { Deps } from '../../../deps'
import { sha256Hex } from '../../../lib/hash'
import { LINK_TOKEN } from '../../../shared/reports/links'

/** What a token opens now. */
export interface OpenLink extends FoundLink {
  /** What its creator could see when it was made, and may see still. */
  scope: Scope
  /** The member who made it: by their workspace's plan, calendar and notation it is answered. */
  sharer: MemberContext
}

/** Null for whatever opens nothing: nobody outside learns why. */
export async function openLink(deps: Deps, token: string): Promise<OpenLink | null> {
  if (!LINK_TOKEN.test(token)) return null
  const link = await findLink(deps.db, { tokenHash: await sha256Hex(token), now: deps.clock.now() })
  if (!link) return null
  const { workspaceId, createdBy } = link
  const sharer = await readMemberContext(deps, { workspaceId, userId: createdBy })
  if (!sharer || !maySharePublicly(sharer)) return null
  const { workspaceId: _w, actorId: _a, epoch, client: _c, ...rights } = sharer.scope.wire()
  const scope = Scope.forShareLink({ workspaceId, linkId: link.id, epoch, rights: narrowed(link.rights, rights) })
  return { ...link, scope, sharer }
}

/** Rights that are still those of then stay as they are, so that what is kept for them is found. */
const narrowed = (then: DataRights, now: DataRights): DataRights =>
  rightsFingerprint(then) === rightsFingerprint(now) ? now : sharedRights(then, now)

/** Whether who asks may see what it shows. */
export async function isUnlocked({ settings, clock }: Deps, link: OpenLink, proof: string): Promise<boolean> {
  const { id, passcodeHash } = link
  if (passcodeHash === null) return true
  return isProof(settings.SESSION_SECRET, { link: id, passcodeHash }, { proof, now: clock.now() })
}
