import { lapsedOffers, ownershipStore } from './store'
import type { Candidate, Offer } from './store'
import type { Scope } from '../../access/scope'
import { noSeat, readSeats, seatsOf } from '../../access/seats'
import type { SeatLimits } from '../../access/seats'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Reply } from '../../http/idempotency'
import { mailEntry } from '../../mail/order'
import type { OrderOf } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import { OFFER_TTL_MS } from '../../shared/members'
import type { OwnershipOffer } from '../../shared/members'
import { mayRole } from '../../shared/permissions'
import type { Role } from '../../shared/permissions'

type OwnershipOrder = Omit<OrderOf<'ownershipOffered'>, 'to'> | Omit<OrderOf<'ownershipAccepted'>, 'to'>

/** Who asks, and in which workspace. */
export interface Here {
  scope: Scope
  workspaceName: string
  name: string
  role: Role
}

const viewOffer = (offer: Offer, scope: Scope): OwnershipOffer => ({
  from: { userId: offer.fromId, name: offer.fromName },
  to: { userId: offer.toId, name: offer.toName },
  expiresAt: new Date(offer.expiresAt).toISOString(),
  mine: offer.toId === scope.actorId,
})

/** The open offer as far as somebody may know of it: administrators, who made it, whom it was made to. */
async function offerFor(deps: Deps, { scope, role }: Pick<Here, 'scope' | 'role'>): Promise<Offer | null> {
  const offer = await ownershipStore(deps.db, scope).get(deps.clock.now())
  if (!offer) return null
  const concerned = mayRole(role, 'edit:member') || [offer.fromId, offer.toId].includes(scope.actorId)
  return concerned ? offer : null
}

/** The open offer; null when there is none to be seen. */
export async function getOffer(deps: Deps, here: Here): Promise<OwnershipOffer | null> {
  const offer = await offerFor(deps, here)
  return offer && viewOffer(offer, here.scope)
}

/** Offers ownership to a member, who accepts it within 7 days; an earlier offer is gone. @throws ProductError `not_found` */
export async function offerOwnership(deps: Deps, here: Here, toId: string): Promise<OwnershipOffer> {
  const { scope, name, workspaceName } = here
  const store = ownershipStore(deps.db, scope)
  const to = await store.candidate(toId)
  if (!to) throw new ProductError('not_found')
  if (!mayReceive(to)) throw wrongPerson()
  const now = deps.clock.now()
  const expiresAt = now + OFFER_TTL_MS
  const offer: Offer = { fromId: scope.actorId, fromName: name, fromEmail: null, toId, toName: to.name, expiresAt }
  const order = { template: 'ownershipOffered', workspace: workspaceName, from: name, expiresAt } as const
  await commit(deps, {
    change: [store.offer(toId, { now, expiresAt })],
    audit: [{ ...auditOf(scope, 'ownership.offer'), after: { to: toId, expiresAt } }],
    outbox: mail(scope, { order, to: to.email, key: `ownershipOffered:${scope.workspaceId}:${toId}:${now}` }),
    expect: { onMissed: wrongPerson },
  })
  return viewOffer(offer, scope)
}

const mayReceive = ({ role, status }: Candidate): boolean =>
  status === 'active' && role !== 'client' && role !== 'owner'
const wrongPerson = (): ProductError =>
  new ProductError('invalid_input', { fields: { userId: 'Pick an active member who is no owner.' } })

/** Takes an offer back, or declines it. @throws ProductError `not_found`, `forbidden` for everybody else */
export async function withdrawOffer(deps: Deps, here: Here, reply: Reply): Promise<OwnershipOffer> {
  const { scope } = here
  const offer = await offerFor(deps, here)
  if (!offer) throw new ProductError('not_found')
  if (![offer.fromId, offer.toId].includes(scope.actorId))
    throw new ProductError('forbidden', {}, 'Only who made this offer can take it back.')
  const view = viewOffer(offer, scope)
  const action = offer.toId === scope.actorId ? 'ownership.decline' : 'ownership.withdraw'
  await commit(deps, {
    change: [ownershipStore(deps.db, scope).withdraw()],
    audit: [{ ...auditOf(scope, action), before: { from: offer.fromId, to: offer.toId } }],
    reply: reply(view),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return view
}

/**
 * The person it is offered to becomes the owner, and the old owner an administrator, in one batch.
 * @throws ProductError `not_found` without an offer to who asks, `limit_reached` when they had no analyst's seat and none is free
 */
export async function acceptOwnership(deps: Deps, here: Here, limits: SeatLimits): Promise<OwnershipOffer> {
  const { scope, name, role, workspaceName } = here
  const now = deps.clock.now()
  const store = ownershipStore(deps.db, scope)
  const offer = await store.get(now)
  if (!offer || offer.toId !== scope.actorId) throw new ProductError('not_found')
  const takes = seatsOf('owner').filter((kind) => !seatsOf(role).includes(kind))
  const order = { template: 'ownershipAccepted', workspace: workspaceName, newOwner: name } as const
  const owners = { before: { owner: offer.fromId }, after: { owner: offer.toId } }
  await commit(deps, {
    change: [store.take(offer, { now, limits, takes }), store.swap(offer)],
    audit: [{ ...auditOf(scope, 'ownership.accept'), ...owners }],
    outbox: mail(scope, {
      order,
      to: offer.fromEmail,
      key: `ownershipAccepted:${scope.workspaceId}:${offer.toId}:${now}`,
    }),
    expect: {
      onMissed: async () => {
        const standing = await store.get(now)
        const seats = await readSeats(deps.db, { workspaceId: scope.workspaceId, limits, now })
        return (standing && noSeat(seats, takes)) ?? new ProductError('not_found')
      },
    },
  })
  return viewOffer(offer, scope)
}

/** The scheduled round: offers that lapsed go. */
export const sweepOffers = (deps: Deps): Promise<unknown> => lapsedOffers(deps.db, deps.clock.now()).run()

const auditOf = ({ workspaceId, actorId }: Scope, action: string) => ({
  workspaceId,
  actorId,
  action,
  entity: 'workspace',
  entityId: workspaceId,
})

/** What concerns ownership is told always; nobody can be told without an address. */
const mail = (
  scope: Scope,
  { order, to, key }: { order: OwnershipOrder; to: string | null; key: string },
): OutboxEntry[] => (to === null ? [] : [mailEntry({ to, ...order }, { key, workspaceId: scope.workspaceId })])
