import { viewMember } from './list'
import { auditOf, changeOf } from './rows'
import type { MemberRow } from './rows'
import { membersStore } from './store'
import type { Acting } from './store'
import type { Scope } from '../../access/scope'
import { noSeat, readSeats, seatsOf } from '../../access/seats'
import type { SeatKind, SeatLimits } from '../../access/seats'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { mailEntry } from '../../mail/order'
import type { OrderOf } from '../../mail/order'
import { ProductError } from '../../shared/errors'
import type { Belongings, Member, MemberStatus } from '../../shared/members'
import { mayRole } from '../../shared/permissions'
import type { Role } from '../../shared/permissions'

/** In which workspace somebody acts, and how far they may. */
export interface Here {
  workspaceName: string
  role: Role
  limits: SeatLimits
}
export interface UpdateAsk extends Asking, Acting, Here {
  next: { role: Role; status: MemberStatus }
}

async function memberOf(deps: Deps, scope: Scope, userId: string): Promise<MemberRow> {
  const row = await membersStore(deps.db, scope).get(userId)
  if (!row) throw new ProductError('not_found')
  return row
}

/** What somebody would leave behind, and to whom. */
export async function belongingsOf(deps: Deps, scope: Scope, userId: string): Promise<Belongings> {
  await memberOf(deps, scope, userId)
  const store = membersStore(deps.db, scope)
  const [own, heirs] = await Promise.all([store.belongings(userId), store.heirs(userId)])
  return { ...own, heirs }
}

/**
 * Another role or status, from the next request on.
 * @throws ProductError `version_conflict`, `limit_reached` without a seat, `in_use` when no owner would stay, `forbidden`
 */
export async function updateMember(deps: Deps, ask: UpdateAsk): Promise<Member> {
  const { scope, userId, version, heir, next } = ask
  const before = await memberOf(deps, scope, userId)
  if (before.role === 'owner' && ask.role !== 'owner') throw ownersOnly()
  if (next.role === 'owner' && before.role !== 'owner')
    throw new ProductError('invalid_input', { fields: { role: 'Ownership is handed over: offer it to this member.' } })
  await checkHeir(deps, ask)
  const store = membersStore(deps.db, scope)
  const after: MemberRow = { ...before, ...next, version: version + 1 }
  const takes = seatsHeld(after).filter((kind) => !seatsHeld(before).includes(kind))
  const looking = { scope, whole: true }
  const member = viewMember(after, looking, await store.groupsOf(userId))
  await commit(deps, {
    change: [
      store.update({ userId, version, heir, ...next, takes, limits: ask.limits, now: deps.clock.now() }),
      ...(heir === null ? [] : store.handOver(userId, heir)),
      ...(mayHoldOffer(before, after) ? [] : [store.dropOffers(userId)]),
      ...(after.status === 'suspended' ? [store.revokeInvitesTo(userId)] : []),
      ...(isActive(after) && mayRole(after.role, 'invite:member') ? [] : [store.revokeAdminInvitesBy(userId)]),
    ],
    audit: [{ ...auditOf(scope, 'member.update', userId), before: changeOf(before), after: changeOf(after) }],
    outbox: mailOf(deps, ask, { before, after }),
    reply: ask.reply(member),
    expect: { onMissed: () => refusal(deps, ask, { takes, keepsOwner: after.role === 'owner' && isActive(after) }) },
  })
  return member
}

/**
 * Takes somebody out of the workspace; of oneself it is leaving. What they sent stays, invitations of new administrators
 * excepted; what they own goes to the heir.
 * @throws ProductError as {@link updateMember}
 */
export async function removeMember(deps: Deps, ask: Asking & Acting & Here): Promise<Member> {
  const { scope, userId, version, heir } = ask
  const self = userId === scope.actorId
  const before = await memberOf(deps, scope, userId)
  if (!self && before.role === 'owner' && ask.role !== 'owner') throw ownersOnly()
  await checkHeir(deps, ask)
  const store = membersStore(deps.db, scope)
  const member = viewMember(before, { scope, whole: mayRole(ask.role, 'edit:member') })
  await commit(deps, {
    change: [
      store.remove({ userId, version, heir }),
      ...(heir === null ? [] : store.handOver(userId, heir)),
      ...store.leaveGroups(userId),
      ...store.dropPersonal(userId),
      store.dropOffers(userId),
      store.revokeInvitesTo(userId),
      store.revokeAdminInvitesBy(userId),
    ],
    audit: [{ ...auditOf(scope, self ? 'member.leave' : 'member.remove', userId), before: changeOf(before) }],
    outbox: mailOf(deps, ask, { before, after: null }),
    reply: ask.reply(member),
    expect: { onMissed: () => refusal(deps, ask, { takes: [], keepsOwner: false }) },
  })
  return member
}

const isActive = ({ status }: Pick<MemberRow, 'status'>): boolean => status === 'active'
const seatsHeld = (row: MemberRow): SeatKind[] => (isActive(row) ? seatsOf(row.role) : [])
/** Ownership is offered by owners to active members who see the workspace. */
const mayHoldOffer = (before: MemberRow, after: MemberRow): boolean =>
  isActive(after) && after.role !== 'client' && (before.role !== 'owner' || after.role === 'owner')
const ownersOnly = (): ProductError =>
  new ProductError('forbidden', { permission: 'transfer:workspace' }, 'Only an owner can change an owner.')
const lastOwner = (): ProductError =>
  new ProductError('in_use', {}, 'A workspace needs an owner. Hand ownership over first.')

/** An heir of another workspace is nobody; one of this who may not hold it is a mistake in the form. */
async function checkHeir(deps: Deps, { scope, userId, heir }: Asking & Acting): Promise<void> {
  if (heir === null) return
  const row = await memberOf(deps, scope, heir)
  if (heir === userId || !isActive(row) || !mayRole(row.role, 'create:source')) throw noHeir()
}
const noHeir = (): ProductError =>
  new ProductError('invalid_input', { fields: { heir: 'Pick an owner, administrator or analyst.' } })

/** Why a write changed nothing, said by what is stored now. */
async function refusal(
  deps: Deps,
  ask: Asking & Acting & Here,
  wanted: { takes: readonly SeatKind[]; keepsOwner: boolean },
): Promise<ProductError> {
  const { scope, userId, version, limits } = ask
  const store = membersStore(deps.db, scope)
  const row = await store.get(userId)
  if (!row) return new ProductError('not_found')
  if (row.version !== version)
    return new ProductError('version_conflict', {
      current: viewMember(row, { scope, whole: mayRole(ask.role, 'edit:member') }),
    })
  if (row.role === 'owner' && !wanted.keepsOwner && !(await store.hasOtherOwner(userId))) return lastOwner()
  const seats = await readSeats(deps.db, { workspaceId: scope.workspaceId, limits, now: deps.clock.now() })
  const full = noSeat(seats, wanted.takes)
  if (full) return full
  const actor = await store.get(scope.actorId)
  const self = userId === scope.actorId
  if (!actor || !isActive(actor) || (!self && !mayRole(actor.role, 'edit:member'))) return new ProductError('forbidden')
  if (!self && row.role === 'owner' && actor.role !== 'owner') return ownersOnly()
  return ask.heir === null ? new ProductError('busy', { retryAfter: 1 }) : noHeir()
}

type Change = OrderOf<'membershipChanged'>['change']
/** Tells the member, unless they did it themselves; of a removal always, of the rest when they want to know. */
function mailOf(
  deps: Deps,
  { scope, workspaceName }: Asking & Here,
  { before, after }: { before: MemberRow; after: MemberRow | null },
): OutboxEntry[] {
  const change = wordOf(before, after)
  const { email: to, userId } = before
  if (change === null || to === null || userId === scope.actorId) return []
  if (change !== 'removed' && before.wantsMail === 0) return []
  const role = (after ?? before).role
  const key = `membership:${scope.workspaceId}:${userId}:${change}:${deps.clock.now()}`
  return [
    mailEntry(
      { to, template: 'membershipChanged', workspace: workspaceName, change, role },
      { key, workspaceId: scope.workspaceId },
    ),
  ]
}

function wordOf(before: MemberRow, after: MemberRow | null): Change | null {
  if (after === null) return 'removed'
  if (before.status !== after.status) return isActive(after) ? 'resumed' : 'suspended'
  return before.role === after.role ? null : 'role'
}
