import { encodeMemberCursor, decodeMemberCursor, membersStore, memberAuditEntry, auditedMembership } from './store'
import type { MemberPosition, MemberRow, GroupTag, MemberListRow, MembershipTarget } from './store'
import type { Scope } from '../../identity/scope'
import type { Deps } from '../../deps'
import { nameKey } from '../../shared/field-schemas'
import type { ListPage } from '../../shared/field-schemas'
import type { Member, MemberStatus, OwnedItems } from '../../shared/members'
import { roleMay } from '../../shared/permissions'
import type { Role } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'
import { seatLimitError, readSeatUsage, seatsForRole } from '../../entitlements/seats'
import type { SeatKind, SeatLimits } from '../../entitlements/seats'
import { commit } from '../../db/commit'
import type { OutboxEntry } from '../../db/commit'
import type { WriteContext } from '../../http/idempotency'
import { mailOutboxEntry } from '../../mail/queued-mail'
import type { QueuedMailOf } from '../../mail/queued-mail'
import { ProductError } from '../../shared/errors'

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
/** Who looks: people who may not edit members are told names, pictures and roles. */
export interface MemberViewer {
  scope: Scope
  canSeeDetails: boolean
}

const toIso = (at: number): string => new Date(at).toISOString()

/** A member as somebody may see them. */
export function toMember(row: MemberRow, { scope, canSeeDetails }: MemberViewer, groups: GroupTag[] = []): Member {
  const { userId, name, avatarKey, role, status, version } = row
  return {
    userId,
    name,
    avatar: picturePath(avatarKey),
    email: canSeeDetails ? row.email : null,
    role,
    status,
    joinedAt: canSeeDetails ? toIso(row.joinedAt) : null,
    lastSeenAt: canSeeDetails ? toIso(row.seenAt) : null,
    groups,
    self: userId === scope.actorId,
    version,
  }
}

/** Members by name. Whoever may not edit them sees the active ones only. */
export async function listMembers(deps: Deps, viewer: MemberViewer, query: MemberListQuery): Promise<ListPage<Member>> {
  const store = membersStore(deps.db, viewer.scope)
  const isEmpty = !viewer.canSeeDetails && query.status === 'suspended'
  const status = viewer.canSeeDetails ? query.status : 'active'
  const found = isEmpty ? [] : await findMatching(store, viewer, { ...query, status })
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => toMember(row, viewer, viewer.canSeeDetails ? row.groups : [])),
    nextCursor: found.length > query.limit && last ? encodeMemberCursor(last) : null,
  }
}

/** One more than asked for, when there are more. Letters are compared here: the database folds only those of ASCII. */
async function findMatching(
  store: ReturnType<typeof membersStore>,
  { canSeeDetails }: MemberViewer,
  { q, cursor, limit, ...filters }: MemberListQuery,
): Promise<MemberListRow[]> {
  const searchKey = q === undefined ? '' : nameKey(q)
  const size = searchKey === '' ? limit + 1 : SEARCH_BATCH_SIZE
  const matches = (row: MemberRow): boolean =>
    nameKey(row.name).includes(searchKey) || (canSeeDetails && (row.email ?? '').includes(searchKey))
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

/** In which workspace somebody acts, and how far they may. */
export interface ActingMember {
  workspaceName: string
  role: Role
  limits: SeatLimits
}
export interface UpdateMemberRequest extends WriteContext, MembershipTarget, ActingMember {
  next: { role: Role; status: MemberStatus }
}

async function requireMember(deps: Deps, scope: Scope, userId: string): Promise<MemberRow> {
  const row = await membersStore(deps.db, scope).get(userId)
  if (!row) throw new ProductError('not_found')
  return row
}

/** What somebody would leave behind, and to whom. */
export async function getOwnedItems(deps: Deps, scope: Scope, userId: string): Promise<OwnedItems> {
  await requireMember(deps, scope, userId)
  const store = membersStore(deps.db, scope)
  const [own, heirs] = await Promise.all([store.countOwnedItems(userId), store.listHeirs(userId)])
  return { ...own, heirs }
}

/**
 * Another role or status, from the next request on.
 * @throws ProductError `version_conflict`, `limit_reached` without a seat, `in_use` when no owner would stay, `forbidden`
 */
export async function updateMember(deps: Deps, update: UpdateMemberRequest): Promise<Member> {
  const { scope, userId, version, heir, next } = update
  const before = await requireMember(deps, scope, userId)
  if (before.role === 'owner' && update.role !== 'owner') throw ownerRequired()
  if (next.role === 'owner' && before.role !== 'owner')
    throw new ProductError('invalid_input', { fields: { role: 'Ownership is handed over: offer it to this member.' } })
  await assertValidHeir(deps, update)
  const store = membersStore(deps.db, scope)
  const after: MemberRow = { ...before, ...next, version: version + 1 }
  const takes = occupiedSeats(after).filter((kind) => !occupiedSeats(before).includes(kind))
  const looking = { scope, canSeeDetails: true }
  const member = toMember(after, looking, await store.groupsOf(userId))
  await commit(deps, {
    change: [
      store.update({ userId, version, heir, ...next, takes, limits: update.limits, now: deps.clock.now() }),
      ...(heir === null ? [] : store.transferOwnedItems(userId, heir)),
      ...(canHoldOffer(before, after) ? [] : [store.deleteOffers(userId)]),
      ...(after.status === 'suspended' ? [store.revokeInvitesTo(userId)] : []),
      ...(isActive(after) && roleMay(after.role, 'invite:member') ? [] : [store.revokeAdminInvitesBy(userId)]),
    ],
    audit: [
      {
        ...memberAuditEntry(scope, 'member.update', userId),
        before: auditedMembership(before),
        after: auditedMembership(after),
      },
    ],
    outbox: membershipMail(deps, update, { before, after }),
    reply: update.reply(member),
    expect: {
      onMissed: () => updateRefusal(deps, update, { takes, keepsOwner: after.role === 'owner' && isActive(after) }),
    },
  })
  return member
}

/**
 * Takes somebody out of the workspace; of oneself it is leaving. What they sent stays, invitations of new administrators
 * excepted; what they own goes to the heir.
 * @throws ProductError as {@link updateMember}
 */
export async function removeMember(
  deps: Deps,
  removal: WriteContext & MembershipTarget & ActingMember,
): Promise<Member> {
  const { scope, userId, version, heir } = removal
  const self = userId === scope.actorId
  const before = await requireMember(deps, scope, userId)
  if (!self && before.role === 'owner' && removal.role !== 'owner') throw ownerRequired()
  await assertValidHeir(deps, removal)
  const store = membersStore(deps.db, scope)
  const member = toMember(before, { scope, canSeeDetails: roleMay(removal.role, 'edit:member') })
  await commit(deps, {
    change: [
      store.remove({ userId, version, heir }),
      ...(heir === null ? [] : store.transferOwnedItems(userId, heir)),
      ...store.leaveGroups(userId),
      ...store.deletePersonalData(userId),
      store.deleteOffers(userId),
      store.revokeInvitesTo(userId),
      store.revokeAdminInvitesBy(userId),
    ],
    audit: [
      {
        ...memberAuditEntry(scope, self ? 'member.leave' : 'member.remove', userId),
        before: auditedMembership(before),
      },
    ],
    outbox: membershipMail(deps, removal, { before, after: null }),
    reply: removal.reply(member),
    expect: { onMissed: () => updateRefusal(deps, removal, { takes: [], keepsOwner: false }) },
  })
  return member
}

const isActive = ({ status }: Pick<MemberRow, 'status'>): boolean => status === 'active'
const occupiedSeats = (row: MemberRow): SeatKind[] => (isActive(row) ? seatsForRole(row.role) : [])
/** Ownership is offered by owners to active members who see the workspace. */
const canHoldOffer = (before: MemberRow, after: MemberRow): boolean =>
  isActive(after) && after.role !== 'client' && (before.role !== 'owner' || after.role === 'owner')
const ownerRequired = (): ProductError =>
  new ProductError('forbidden', { permission: 'transfer:workspace' }, 'Only an owner can change an owner.')
const lastOwner = (): ProductError =>
  new ProductError('in_use', {}, 'A workspace needs an owner. Hand ownership over first.')

/** An heir of another workspace is nobody; one of this who may not hold it is a mistake in the form. */
async function assertValidHeir(deps: Deps, { scope, userId, heir }: WriteContext & MembershipTarget): Promise<void> {
  if (heir === null) return
  const row = await requireMember(deps, scope, heir)
  if (heir === userId || !isActive(row) || !roleMay(row.role, 'create:source')) throw invalidHeir()
}
const invalidHeir = (): ProductError =>
  new ProductError('invalid_input', { fields: { heir: 'Pick an owner, administrator or analyst.' } })

/** Why a write changed nothing, said by what is stored now. */
async function updateRefusal(
  deps: Deps,
  attempt: WriteContext & MembershipTarget & ActingMember,
  requested: { takes: readonly SeatKind[]; keepsOwner: boolean },
): Promise<ProductError> {
  const { scope, userId, version, limits } = attempt
  const store = membersStore(deps.db, scope)
  const row = await store.get(userId)
  if (!row) return new ProductError('not_found')
  if (row.version !== version)
    return new ProductError('version_conflict', {
      current: toMember(row, { scope, canSeeDetails: roleMay(attempt.role, 'edit:member') }),
    })
  if (row.role === 'owner' && !requested.keepsOwner && !(await store.hasOtherOwner(userId))) return lastOwner()
  const seats = await readSeatUsage(deps.db, { workspaceId: scope.workspaceId, limits, now: deps.clock.now() })
  const seatRefusal = seatLimitError(seats, requested.takes)
  if (seatRefusal) return seatRefusal
  const actor = await store.get(scope.actorId)
  const self = userId === scope.actorId
  if (!actor || !isActive(actor) || (!self && !roleMay(actor.role, 'edit:member'))) return new ProductError('forbidden')
  if (!self && row.role === 'owner' && actor.role !== 'owner') return ownerRequired()
  return attempt.heir === null ? new ProductError('busy', { retryAfter: 1 }) : invalidHeir()
}

type MembershipChange = QueuedMailOf<'membershipChanged'>['change']
/** Tells the member, unless they did it themselves; of a removal always, of the rest when they want to know. */
function membershipMail(
  deps: Deps,
  { scope, workspaceName }: WriteContext & ActingMember,
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
