import { encodeMemberCursor, decodeMemberCursor, membersStore, auditedMembership } from './store'
import type { MemberPosition, MemberRow, GroupTag, MemberListRow, MembershipTarget } from './store'
import { endedMembershipStore } from '../../identity/ended-membership-store'
import { memberAuditEntry } from '../../db/audit'
import { toPage } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { nameKey } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import type { Member, MemberStatus, OwnedItems } from '../../shared/members'
import { roleMay } from '../../shared/permissions'
import type { Role } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'
import { seatLimitError, seatLimitsOf, readSeatUsage, seatsForRole } from '../../entitlements/seats'
import type { SeatKind } from '../../entitlements/seats'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { QueuedMailOf } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'
import type { ReadContext } from '../../deps'

/** Rows read at once while searching. */
const SEARCH_BATCH_SIZE = 200

export interface MemberListQuery {
  q?: string | undefined
  role?: Role | undefined
  status?: MemberStatus | undefined
  group?: string | undefined
  cursor?: string | undefined
  limit: number
}
/** People who may not edit members are told names, pictures and roles. */
const canSeeDetails = ({ membership }: RequestContext): boolean => roleMay(membership.role, 'edit:member')

/** A member as somebody may see them. */
function toMember(row: MemberRow, context: RequestContext, groups: GroupTag[] = []): Member {
  const { userId, name, avatarKey, role, status, version } = row
  const isDetailed = canSeeDetails(context)
  return {
    userId,
    name,
    avatar: picturePath(avatarKey),
    email: isDetailed ? row.email : null,
    role,
    status,
    joinedAt: isDetailed ? toIso(row.joinedAt) : null,
    lastSeenAt: isDetailed ? toIso(row.seenAt) : null,
    groups,
    soleOwner: isDetailed && row.soleOwner === 1,
    restored: isDetailed && status === 'suspended' && row.restored === 1,
    self: userId === context.scope.actorId,
    version,
  }
}

/** Members by name. Whoever may not edit them sees the active ones only. */
export async function listMembers(context: RequestContext, query: MemberListQuery): Promise<ListPage<Member>> {
  const isDetailed = canSeeDetails(context)
  const isEmpty = !isDetailed && query.status === 'suspended'
  const found = isEmpty ? [] : await findMatching(context, isDetailed ? query : { ...query, status: 'active' })
  return toPage(found, {
    limit: query.limit,
    item: (row) => toMember(row, context, isDetailed ? row.groups : []),
    cursor: encodeMemberCursor,
  })
}

/** One more than asked for, when there are more. Letters are compared here: the database folds only those of ASCII. */
async function findMatching(
  context: RequestContext,
  { q, cursor, limit, ...filters }: MemberListQuery,
): Promise<MemberListRow[]> {
  const store = membersStore(context.deps.db, context.scope)
  const isDetailed = canSeeDetails(context)
  const searchKey = q === undefined ? '' : nameKey(q)
  const size = searchKey === '' ? limit + 1 : SEARCH_BATCH_SIZE
  const matches = (row: MemberRow): boolean =>
    nameKey(row.name).includes(searchKey) || (isDetailed && (row.email ?? '').includes(searchKey))
  const found: MemberListRow[] = []
  let after: MemberPosition | null = decodeMemberCursor(cursor)
  for (;;) {
    const rows = await store.listPage({ ...filters, after, limit: size })
    found.push(...rows.filter(matches))
    const last = rows.at(-1)
    if (found.length > limit || rows.length < size || !last) return found
    after = last
  }
}

async function requireMember({ deps, scope }: ReadContext, userId: string): Promise<MemberRow> {
  const row = await membersStore(deps.db, scope).get(userId)
  if (!row) throw new ProductError('not_found')
  return row
}

/** What somebody would leave behind, and to whom. */
export async function getOwnedItems(context: ReadContext, userId: string): Promise<OwnedItems> {
  await requireMember(context, userId)
  const store = membersStore(context.deps.db, context.scope)
  const [own, heirs] = await Promise.all([store.countOwnedItems(userId), store.listHeirs(userId)])
  return { ...own, heirs }
}

/**
 * Another role or status, from the next request on.
 * @throws ProductError `version_conflict`, `limit_reached` without a seat, `in_use` when no owner would stay, `forbidden`
 */
export async function updateMember(
  context: RequestContext,
  target: MembershipTarget,
  next: { role: Role; status: MemberStatus },
): Promise<Member> {
  const { deps, scope, membership } = context
  const { userId, version, heir } = target
  const before = await requireMember(context, userId)
  if (before.role === 'owner' && membership.role !== 'owner') throw ownerRequired()
  if (next.role === 'owner' && before.role !== 'owner')
    throw new ProductError('invalid_input', { fields: { role: 'Offer ownership to this member instead.' } })
  await assertValidHeir(context, target)
  const store = membersStore(deps.db, scope)
  const after: MemberRow = { ...before, ...next, restored: 0, version: version + 1 }
  const takes = occupiedSeats(after).filter((kind) => !occupiedSeats(before).includes(kind))
  const limits = seatLimitsOf(membership.entitlements.features)
  const member = toMember(after, context, await store.groupsOf(userId))
  await commit(deps, {
    change: [
      store.update({ ...target, ...next, takes, limits, now: deps.clock.now() }),
      ...(heir === null ? [] : store.transferOwnedItems(userId, heir)),
      ...(canHoldOffer(before, after) ? [] : [store.deleteOffers(userId)]),
      ...(after.status === 'suspended' ? [store.revokeInvitesTo(userId)] : []),
      ...(isActive(after) && roleMay(after.role, 'invite:member') ? [] : [store.revokeAdminInvitesBy(userId)]),
    ],
    audit: [
      memberAuditEntry(context, {
        action: 'member.update',
        id: userId,
        before: auditedMembership(before),
        after: auditedMembership(after),
      }),
    ],
    outbox: membershipMail(context, { before, after }),
    reply: context.reply(member),
    expect: {
      onMissed: () => updateRefusal(context, target, { takes, keepsOwner: after.role === 'owner' && isActive(after) }),
    },
  })
  return member
}

/**
 * Takes somebody out of the workspace; of oneself it is leaving. What they sent stays, invitations of new administrators
 * excepted; what they own goes to the heir.
 * @throws ProductError as {@link updateMember}
 */
export async function removeMember(context: RequestContext, target: MembershipTarget): Promise<Member> {
  const { deps, scope } = context
  const { userId, heir } = target
  const self = userId === scope.actorId
  const before = await requireMember(context, userId)
  if (!self && before.role === 'owner' && context.membership.role !== 'owner') throw ownerRequired()
  await assertValidHeir(context, target)
  const store = membersStore(deps.db, scope)
  const member = toMember(before, context)
  await commit(deps, {
    change: [
      store.remove(target),
      endedMembershipStore(deps.db, userId).note({ ...before, ...endedHere(scope, self), now: deps.clock.now() }),
      ...(heir === null ? [] : store.transferOwnedItems(userId, heir)),
      ...store.leaveGroups(userId),
      ...store.deletePersonalData(userId),
      store.deleteOffers(userId),
      store.revokeInvitesTo(userId),
      store.revokeAdminInvitesBy(userId),
    ],
    audit: [
      memberAuditEntry(context, {
        action: self ? 'member.leave' : 'member.remove',
        id: userId,
        before: auditedMembership(before),
      }),
    ],
    outbox: membershipMail(context, { before, after: null }),
    reply: context.reply(member),
    expect: { onMissed: () => updateRefusal(context, target, { takes: [], keepsOwner: false }) },
  })
  return member
}

const endedHere = ({ workspaceId }: RequestContext['scope'], self: boolean) => ({
  workspaceId,
  reason: self ? ('left' as const) : ('removed' as const),
})

const isActive = ({ status }: Pick<MemberRow, 'status'>): boolean => status === 'active'
const occupiedSeats = (row: MemberRow): SeatKind[] => (isActive(row) ? seatsForRole(row.role) : [])
/** Ownership is offered by owners to active members who see the workspace. */
const canHoldOffer = (before: MemberRow, after: MemberRow): boolean =>
  isActive(after) && after.role !== 'client' && (before.role !== 'owner' || after.role === 'owner')
const ownerRequired = (): ProductError =>
  new ProductError('forbidden', { permission: 'transfer:workspace' }, 'Only an owner can change an owner.')
const lastOwner = (): ProductError =>
  new ProductError('in_use', {}, 'A workspace needs an owner. Transfer ownership first.')

/** An heir of another workspace is nobody; one of this who may not hold it is a mistake in the form. */
async function assertValidHeir(context: RequestContext, { userId, heir }: MembershipTarget): Promise<void> {
  if (heir === null) return
  const row = await requireMember(context, heir)
  if (heir === userId || !isActive(row) || !roleMay(row.role, 'create:source')) throw invalidHeir()
}
const invalidHeir = (): ProductError =>
  new ProductError('invalid_input', { fields: { heir: 'Choose an owner, admin or analyst.' } })

/** Why a write changed nothing, said by what is stored now. */
async function updateRefusal(
  context: RequestContext,
  { userId, version, heir }: MembershipTarget,
  requested: { takes: readonly SeatKind[]; keepsOwner: boolean },
): Promise<ProductError> {
  const { deps, scope, membership } = context
  const limits = seatLimitsOf(membership.entitlements.features)
  const store = membersStore(deps.db, scope)
  const row = await store.get(userId)
  if (!row) return new ProductError('not_found')
  if (row.version !== version) return new ProductError('version_conflict', { current: toMember(row, context) })
  if (row.role === 'owner' && !requested.keepsOwner && !(await store.hasOtherOwner(userId))) return lastOwner()
  const seats = await readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now: deps.clock.now() })
  const seatRefusal = seatLimitError(seats, requested.takes)
  if (seatRefusal) return seatRefusal
  const actor = await store.get(scope.actorId)
  const self = userId === scope.actorId
  if (!actor || !isActive(actor) || (!self && !roleMay(actor.role, 'edit:member'))) return new ProductError('forbidden')
  if (!self && row.role === 'owner' && actor.role !== 'owner') return ownerRequired()
  return heir === null ? new ProductError('busy', { retryAfter: 1 }) : invalidHeir()
}

type MembershipChange = QueuedMailOf<'membershipChanged'>['change']
/** Tells the member, unless they did it themselves; of a removal always, of the rest when they want to know. */
function membershipMail(
  { deps, scope, membership: { workspaceName } }: RequestContext,
  { before, after }: { before: MemberRow; after: MemberRow | null },
): OutboxEntry[] {
  const change = classifyChange(before, after)
  const { email: to, userId } = before
  if (change === null || to === null || userId === scope.actorId) return []
  if (change !== 'removed' && before.wantsMail === 0) return []
  const role = (after ?? before).role
  const key = `membership:${scope.workspaceId}:${userId}:${change}:${deps.clock.now()}`
  return [
    mailOutboxEntry(
      { to, template: 'membershipChanged', workspace: workspaceName, change, role },
      { key, workspaceId: scope.workspaceId },
    ),
  ]
}

function classifyChange(before: MemberRow, after: MemberRow | null): MembershipChange | null {
  if (after === null) return 'removed'
  if (before.status !== after.status) return isActive(after) ? 'resumed' : 'suspended'
  return before.role === after.role ? null : 'role'
}
