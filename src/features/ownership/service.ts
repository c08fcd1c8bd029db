import { deleteOffersExpiredAt, ownershipStore, type OwnershipCandidate, type StoredOffer } from './store'
import type { Scope } from '../../scope'
import { seatLimitError, seatLimitsOf, readSeatUsage, seatsForRole } from '../../entitlements/seats'
import { workspaceAuditEntry } from '../../db/audit'
import { commit, type OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { mailOutboxEntry, type QueuedMailOf } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'
import { OWNERSHIP_OFFER_TTL_MS, type OwnershipOffer } from '../../shared/members'
import { roleMay } from '../../shared/permissions'

type OwnershipMailOrder = Omit<QueuedMailOf<'ownershipOffered'>, 'to'> | Omit<QueuedMailOf<'ownershipAccepted'>, 'to'>

const toOwnershipOffer = (storedOffer: StoredOffer, scope: Scope): OwnershipOffer => ({
  from: { userId: storedOffer.fromId, name: storedOffer.fromName },
  to: { userId: storedOffer.toId, name: storedOffer.toName },
  expiresAt: toIso(storedOffer.expiresAt),
  mine: storedOffer.toId === scope.actorId,
})

/** The open offer as far as somebody may know of it: administrators, who made it, whom it was made to. */
async function findVisibleOffer({ deps, scope, membership }: RequestContext): Promise<StoredOffer | null> {
  const offer = await ownershipStore(deps.db, scope).get(deps.clock.now())
  if (!offer) return null
  const mayKnow = roleMay(membership.role, 'edit:member') || [offer.fromId, offer.toId].includes(scope.actorId)
  return mayKnow ? offer : null
}

/** The open offer; null when there is none to be seen. */
export async function getOffer(context: RequestContext): Promise<OwnershipOffer | null> {
  const offer = await findVisibleOffer(context)
  return offer && toOwnershipOffer(offer, context.scope)
}

/** Offers ownership to a member, who accepts it within 7 days; an earlier offer is gone. @throws ProductError `not_found` */
export async function offerOwnership(context: RequestContext, toId: string): Promise<OwnershipOffer> {
  const { deps, scope, actor, membership } = context
  const store = ownershipStore(deps.db, scope)
  const to = await store.candidate(toId)
  if (!to) throw new ProductError('not_found')
  if (!canReceiveOwnership(to)) throw invalidRecipient()
  const now = deps.clock.now()
  const expiresAt = now + OWNERSHIP_OFFER_TTL_MS
  const storedOffer: StoredOffer = {
    fromId: scope.actorId,
    fromName: actor.name,
    fromEmail: null,
    toId,
    toName: to.name,
    expiresAt,
  }
  const order = {
    template: 'ownershipOffered',
    workspace: membership.workspaceName,
    from: actor.name,
    expiresAt,
  } as const
  await commit(deps, {
    change: [store.offer(toId, { now, expiresAt })],
    audit: [workspaceAuditEntry(scope, 'ownership.offer', { after: { to: toId, expiresAt }, otherId: toId })],
    outbox: ownershipMail(scope, { order, to: to.email, key: `ownershipOffered:${scope.workspaceId}:${toId}:${now}` }),
    expect: { onMissed: invalidRecipient },
  })
  return toOwnershipOffer(storedOffer, scope)
}

const canReceiveOwnership = ({ role, status }: OwnershipCandidate): boolean =>
  status === 'active' && role !== 'client' && role !== 'owner'
const invalidRecipient = (): ProductError =>
  new ProductError('invalid_input', { fields: { userId: 'Choose an active member who isn’t an owner.' } })

/** Takes an offer back, or declines it. @throws ProductError `not_found`, `forbidden` for everybody else */
export async function withdrawOffer(context: RequestContext): Promise<OwnershipOffer> {
  const { deps, scope } = context
  const offer = await findVisibleOffer(context)
  if (!offer) throw new ProductError('not_found')
  if (![offer.fromId, offer.toId].includes(scope.actorId))
    throw new ProductError('forbidden', {}, 'Only the person who made this offer can withdraw it.')
  const view = toOwnershipOffer(offer, scope)
  const action = offer.toId === scope.actorId ? 'ownership.decline' : 'ownership.withdraw'
  await commit(deps, {
    change: [ownershipStore(deps.db, scope).withdraw()],
    audit: [
      workspaceAuditEntry(scope, action, {
        before: { from: offer.fromId, to: offer.toId },
        otherId: offer.toId === scope.actorId ? offer.fromId : offer.toId,
      }),
    ],
    reply: context.reply(view),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return view
}

/**
 * The person it is offered to becomes the owner, and the old owner an administrator, in one batch.
 * @throws ProductError `not_found` without an offer to who asks, `limit_reached` when they had no analyst's seat and none is free
 */
export async function acceptOwnership({ deps, scope, actor, membership }: RequestContext): Promise<OwnershipOffer> {
  const { workspaceName, givenRole, entitlements } = membership
  const limits = seatLimitsOf(entitlements.features)
  const now = deps.clock.now()
  const store = ownershipStore(deps.db, scope)
  const offer = await store.get(now)
  if (!offer || offer.toId !== scope.actorId) throw new ProductError('not_found')
  // Whoever was given an analyst's seat takes no other, even while the plan has no room for it.
  const takes = seatsForRole('owner').filter((kind) => !seatsForRole(givenRole).includes(kind))
  const order = { template: 'ownershipAccepted', workspace: workspaceName, newOwner: actor.name } as const
  const owners = { before: { owner: offer.fromId }, after: { owner: offer.toId } }
  await commit(deps, {
    change: [store.acceptOffer(offer, { now, limits, takes }), store.swapOwner(offer)],
    audit: [workspaceAuditEntry(scope, 'ownership.accept', { ...owners, otherId: offer.fromId })],
    outbox: ownershipMail(scope, {
      order,
      to: offer.fromEmail,
      key: `ownershipAccepted:${scope.workspaceId}:${offer.toId}:${now}`,
    }),
    expect: {
      onMissed: async () => {
        const currentOffer = await store.get(now)
        const seats = await readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now })
        return (currentOffer && seatLimitError(seats, takes)) ?? new ProductError('not_found')
      },
    },
  })
  return toOwnershipOffer(offer, scope)
}

/** The scheduled round: offers that lapsed go. */
export const deleteExpiredOffers = ({ db, clock }: Deps): Promise<unknown> => deleteOffersExpiredAt(db, clock.now())

/** What concerns ownership is told always; nobody can be told without an address. */
const ownershipMail = (
  scope: Scope,
  { order, to, key }: { order: OwnershipMailOrder; to: string | null; key: string },
): OutboxEntry[] => (to === null ? [] : [mailOutboxEntry({ to, ...order }, { key, workspaceId: scope.workspaceId })])
