import { encodeMemberCursor, decodeMemberCursor } from './cursor'
import type { MemberPosition } from './cursor'
import type { MemberRow } from './rows'
import { membersStore } from './store'
import type { GroupTag, MemberListRow } from './store'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { nameKey } from '../../shared/names'
import type { ListPage } from '../../shared/names'
import type { Member, MemberStatus } from '../../shared/members'
import type { Role } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'

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
export async function listMembers(
  deps: Deps,
  memberViewer: MemberViewer,
  query: MemberListQuery,
): Promise<ListPage<Member>> {
  const store = membersStore(deps.db, memberViewer.scope)
  const isEmpty = !memberViewer.canSeeDetails && query.status === 'suspended'
  const status = memberViewer.canSeeDetails ? query.status : 'active'
  const found = isEmpty ? [] : await findMatching(store, memberViewer, { ...query, status })
  const page = found.slice(0, query.limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => toMember(row, memberViewer, memberViewer.canSeeDetails ? row.groups : [])),
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
