import { inviteLinkStore } from './invite-link-store'
import type { InviteAcceptance, LinkedInvite, InviteViewer } from './invite-link-store'
import { inviteAuditEntry, inviteStateAt, landingExists } from './store'
import { toIso } from '../../lib/iso'
import { inviteBusy, toProductError } from './errors'
import { memberAuditEntry } from '../../db/audit'
import { verifyLinkToken, linkIdOfToken } from '../../mail/email-links'
import { readEntitlements, seatLimitsOf, seatLimitError, readSeatUsage, seatsForRole } from '../../entitlements/seats'
import { commit, tryCommit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailOutboxEntry } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'
import type { AcceptedInvite, InvitePreview } from '../../shared/invites'
import { picturePath } from '../../shared/pictures'

/** Where newcomers go whose invitation names no page, or one that is gone. */
const DEFAULT_LANDING = '/data-sources'
const READ_ONLY = 'This workspace is read-only. Ask the person who invited you, then open the link again.'
const SUSPENDED = 'Your membership is suspended. Ask an admin to reactivate it.'

// Forged, replaced, used, revoked, of a deleted workspace: to the holder of a link all these are one.
const invalidInvite = (): ProductError =>
  new ProductError('expired', { what: 'invite' }, 'Invitation no longer valid. Ask for a new one.')

/** The invitation of a token, whatever its state. @throws ProductError `expired` */
async function requireInviteByToken(deps: Deps, token: string): Promise<LinkedInvite> {
  const invite = await inviteLinkStore(deps.db).get(linkIdOfToken(token))
  if (!invite || !(await verifyLinkToken(deps.settings, token, invite.serial))) throw invalidInvite()
  return invite
}

const isPending = (deps: Deps, invite: LinkedInvite): boolean => inviteStateAt(invite, deps.clock.now()) === 'pending'

/** What a link is, before anything is done. Reading consumes nothing. @throws ProductError `expired` */
export async function previewInvite(deps: Deps, token: string, opener: InviteViewer | null): Promise<InvitePreview> {
  const invite = await requireInviteByToken(deps, token)
  const viewerStatus = await resolveViewerStatus(deps, invite, opener)
  if (!isPending(deps, invite) && viewerStatus !== 'member') throw invalidInvite()
  return {
    workspace: { name: invite.workspaceName, logo: picturePath(invite.logoKey) },
    invitedBy: invite.inviter,
    email: invite.email,
    role: invite.role,
    expiresAt: toIso(invite.expiresAt),
    standing: viewerStatus,
  }
}

async function resolveViewerStatus(
  deps: Deps,
  invite: LinkedInvite,
  opener: InviteViewer | null,
): Promise<InvitePreview['standing']> {
  if (!opener) return 'signIn'
  const { status, taken } = await inviteLinkStore(deps.db).viewerStatus(invite, opener.userId)
  if (status === 'active') return 'member'
  return isAddressedTo(invite, opener, taken) ? 'ready' : 'otherAccount'
}

/** The invited address is the person's own, or they have none and it is nobody's. */
const isAddressedTo = (invite: LinkedInvite, { email }: InviteViewer, taken: boolean): boolean =>
  email === null ? !taken : email === invite.email

/**
 * Makes the invited person a member. Only with the invited address, which is proven by this.
 * @throws ProductError `expired`, `forbidden` for other addresses, `limit_reached` when the plan has become smaller, `read_only`
 */
export async function acceptInvite(deps: Deps, token: string, viewer: InviteViewer): Promise<AcceptedInvite> {
  const invite = await requireInviteByToken(deps, token)
  const { userId } = viewer
  const store = inviteLinkStore(deps.db)
  const { status, taken } = await store.viewerStatus(invite, userId)
  if (status === 'active') return acceptAsMember(deps, invite, viewer)
  if (!isPending(deps, invite)) throw invalidInvite()
  if (!isAddressedTo(invite, viewer, taken)) throw wrongEmail(invite)
  if (status === 'suspended') throw new ProductError('forbidden', {}, SUSPENDED)
  const now = deps.clock.now()
  const { features, readOnly } = await readEntitlements(deps.db, invite.workspaceId, now)
  if (readOnly) throw new ProductError('read_only', { reason: readOnly }, READ_ONLY)
  const acceptance: InviteAcceptance = {
    invite,
    userId,
    limits: seatLimitsOf(features),
    takes: seatsForRole(invite.role),
    now,
  }
  const { workspaceId, role } = invite
  const context = { scope: { workspaceId, actorId: userId } }
  const accepted = await tryCommit(deps, {
    change: [store.accept(acceptance), ...store.addMember(acceptance)],
    audit: [
      inviteAuditEntry(context, { action: 'invite.accept', id: invite.id, after: { role } }),
      memberAuditEntry(context, { action: 'member.join', id: userId, after: { role, status: 'active' } }),
    ],
    outbox: await inviterMail(deps, invite, userId),
  })
  // Twice at once, such as by a double click: both are members now.
  if (!accepted && (await store.viewerStatus(invite, userId)).status !== 'active')
    throw await acceptRefusal(deps, token, acceptance)
  return toInviteAccepted(deps, invite)
}

const wrongEmail = ({ email }: LinkedInvite): ProductError =>
  new ProductError('forbidden', {}, `This invitation is for ${email}. Sign in with that address.`)

/** The same link twice, or somebody who came in by another way: an invitation of somebody else stays as it is. */
async function acceptAsMember(
  deps: Deps,
  invite: LinkedInvite,
  { userId, email }: InviteViewer,
): Promise<AcceptedInvite> {
  if (invite.state === 'revoked' || (invite.state === 'accepted' && invite.acceptedBy !== userId)) throw invalidInvite()
  if (invite.state === 'pending' && email === invite.email) {
    const use = inviteLinkStore(deps.db).markAccepted({ invite, userId, now: deps.clock.now() })
    const scope = { workspaceId: invite.workspaceId, actorId: userId }
    await commit(deps, {
      change: [use],
      audit: [inviteAuditEntry({ scope }, { action: 'invite.accept', id: invite.id })],
    })
  }
  return toInviteAccepted(deps, invite)
}

async function toInviteAccepted(deps: Deps, { workspaceId, landing }: LinkedInvite): Promise<AcceptedInvite> {
  const there = landing !== null && (await landingExists(deps.db, workspaceId, landing))
  return { workspaceId, landing: there ? landing : DEFAULT_LANDING }
}

/** Why an invitation that could be accepted a moment ago cannot be now. */
async function acceptRefusal(
  deps: Deps,
  token: string,
  { userId, limits, takes, now }: InviteAcceptance,
): Promise<ProductError> {
  const invite = await requireInviteByToken(deps, token).catch(toProductError)
  if (invite instanceof ProductError) return invite
  if (!isPending(deps, invite)) return invalidInvite()
  const full = seatLimitError(await readSeatUsage(deps.db, { workspaceId: invite.workspaceId, limits, now }), takes)
  if (full) return full
  const { taken } = await inviteLinkStore(deps.db).viewerStatus(invite, userId)
  return taken ? wrongEmail(invite) : inviteBusy()
}

async function inviterMail(deps: Deps, invite: LinkedInvite, userId: string): Promise<OutboxEntry[]> {
  if (invite.tell === null) return []
  const person = await inviteLinkStore(deps.db).nameOf(userId)
  const { role, workspaceName: workspace, workspaceId } = invite
  return [
    mailOutboxEntry(
      { to: invite.tell, template: 'invitationAccepted', workspace, person: person ?? invite.email, role },
      { key: `inviteAccepted:${invite.id}:${invite.serial}`, workspaceId },
    ),
  ]
}
