import { openInvitesStore } from './open-store'
import type { Accepting, OpenInvite, Opener } from './open-store'
import { auditOf, stateAt } from './rows'
import { isPageOf } from './store'
import { isLinkToken, linkIdOf } from '../../access/links'
import { entitlementsOf, limitsOf, noSeat, readSeats, seatsOf } from '../../access/seats'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { mailEntry } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import type { InviteAccepted, InviteLook } from '../../shared/invites'
import { picturePath } from '../../shared/pictures'

/** Where newcomers go whose invitation names no page, or one that is gone. */
const LANDING = '/data-sources'
const READ_ONLY =
  'This workspace is read-only until it is subscribed. Ask whoever invited you, then open the link again.'
const SUSPENDED = 'Your membership of this workspace is suspended. Ask an administrator to restore it.'

// Forged, replaced, used, revoked, of a deleted workspace: to the holder of a link all these are one.
const gone = (): ProductError =>
  new ProductError('expired', { what: 'invite' }, 'This invitation does not work any more. Ask for a new one.')

/** The invitation of a token, whatever its state. @throws ProductError `expired` */
async function inviteOf(deps: Deps, token: string): Promise<OpenInvite> {
  const invite = await openInvitesStore(deps.db).get(linkIdOf(token))
  if (!invite || !(await isLinkToken(deps.settings, token, invite.serial))) throw gone()
  return invite
}

const isOpen = (deps: Deps, invite: OpenInvite): boolean => stateAt(invite, deps.clock.now()) === 'pending'

/** What a link is, before anything is done. Reading consumes nothing. @throws ProductError `expired` */
export async function lookAt(deps: Deps, token: string, opener: Opener | null): Promise<InviteLook> {
  const invite = await inviteOf(deps, token)
  const standing = await standingOf(deps, invite, opener)
  if (!isOpen(deps, invite) && standing !== 'member') throw gone()
  return {
    workspace: { name: invite.workspaceName, logo: picturePath(invite.logoKey) },
    invitedBy: invite.inviter,
    email: invite.email,
    role: invite.role,
    expiresAt: new Date(invite.expiresAt).toISOString(),
    standing,
  }
}

async function standingOf(deps: Deps, invite: OpenInvite, opener: Opener | null): Promise<InviteLook['standing']> {
  if (!opener) return 'signIn'
  const { status, taken } = await openInvitesStore(deps.db).opener(invite, opener.userId)
  if (status === 'active') return 'member'
  return isFor(invite, opener, taken) ? 'ready' : 'otherAccount'
}

/** The invited address is the person's own, or they have none and it is nobody's. */
const isFor = (invite: OpenInvite, { email }: Opener, taken: boolean): boolean =>
  email === null ? !taken : email === invite.email

/**
 * Makes the invited person a member. Only with the invited address, which is proven by this.
 * @throws ProductError `expired`, `forbidden` for other addresses, `limit_reached` when the plan has become smaller, `read_only`
 */
export async function acceptInvite(deps: Deps, token: string, opener: Opener): Promise<InviteAccepted> {
  const invite = await inviteOf(deps, token)
  const { userId } = opener
  const store = openInvitesStore(deps.db)
  const { status, taken } = await store.opener(invite, userId)
  if (status === 'active') return belongsAlready(deps, invite, opener)
  if (!isOpen(deps, invite)) throw gone()
  if (!isFor(invite, opener, taken)) throw forAnother(invite)
  if (status === 'suspended') throw new ProductError('forbidden', {}, SUSPENDED)
  const now = deps.clock.now()
  const { features, readOnly } = await entitlementsOf(deps.db, invite.workspaceId, now)
  if (readOnly) throw new ProductError('read_only', { reason: readOnly }, READ_ONLY)
  const accepting: Accepting = { invite, userId, limits: limitsOf(features), takes: seatsOf(invite.role), now }
  const of = { workspaceId: invite.workspaceId, actorId: userId }
  const missed = new ProductError('busy', { retryAfter: 1 })
  try {
    await commit(deps, {
      change: [store.accept(accepting), ...store.join(accepting)],
      audit: [
        { ...auditOf(of, 'invite.accept', invite.id), after: { role: invite.role } },
        { ...auditOf(of, 'member.join', userId), entity: 'member', after: { role: invite.role, status: 'active' } },
      ],
      outbox: await tellInviter(deps, invite, userId),
      expect: { onMissed: () => missed },
    })
  } catch (error) {
    if (error !== missed) throw error
    // Twice at once, such as by a double click: both are members now.
    if ((await store.opener(invite, userId)).status !== 'active') throw await refusal(deps, token, accepting)
  }
  return accepted(deps, invite)
}

const forAnother = ({ email }: OpenInvite): ProductError =>
  new ProductError('forbidden', {}, `This invitation is for ${email}. Sign in with that address to accept it.`)

/** The same link twice, or somebody who came in by another way: an invitation of somebody else stays as it is. */
async function belongsAlready(deps: Deps, invite: OpenInvite, { userId, email }: Opener): Promise<InviteAccepted> {
  if (invite.state === 'revoked' || (invite.state === 'accepted' && invite.acceptedBy !== userId)) throw gone()
  if (invite.state === 'pending' && email === invite.email) {
    const use = openInvitesStore(deps.db).useUp({ invite, userId, now: deps.clock.now() })
    const of = { workspaceId: invite.workspaceId, actorId: userId }
    await commit(deps, { change: [use], audit: [auditOf(of, 'invite.accept', invite.id)] })
  }
  return accepted(deps, invite)
}

async function accepted(deps: Deps, { workspaceId, landing }: OpenInvite): Promise<InviteAccepted> {
  const there = landing !== null && (await isPageOf(deps.db, workspaceId, landing))
  return { workspaceId, landing: there ? landing : LANDING }
}

/** Why an invitation that could be accepted a moment ago cannot be now. */
async function refusal(deps: Deps, token: string, { userId, limits, takes, now }: Accepting): Promise<ProductError> {
  const invite = await inviteOf(deps, token).catch(asRefusal)
  if (invite instanceof ProductError) return invite
  if (!isOpen(deps, invite)) return gone()
  const full = noSeat(await readSeats(deps.db, { workspaceId: invite.workspaceId, limits, now }), takes)
  if (full) return full
  const { taken } = await openInvitesStore(deps.db).opener(invite, userId)
  return taken ? forAnother(invite) : new ProductError('busy', { retryAfter: 1 })
}
const asRefusal = (error: unknown): ProductError => {
  if (error instanceof ProductError) return error
  throw error
}

async function tellInviter(deps: Deps, invite: OpenInvite, userId: string): Promise<OutboxEntry[]> {
  if (invite.tell === null) return []
  const person = await deps.db.d1.prepare('SELECT name FROM users WHERE id = ?').bind(userId).first<string>('name')
  const { role, workspaceName: workspace, workspaceId } = invite
  return [
    mailEntry(
      { to: invite.tell, template: 'invitationAccepted', workspace, person: person ?? invite.email, role },
      { key: `inviteAccepted:${invite.id}:${invite.serial}`, workspaceId },
    ),
  ]
}
