import { cursorOf, positionOf } from './cursor'
import type { Position } from './cursor'
import type { MemberRow } from './rows'
import { membersStore } from './store'
import type { GroupTag, ListedRow } from './store'
import type { Scope } from '../../access/scope'
import type { Deps } from '../../deps'
import { nameKey } from '../../shared/names'
import type { Page } from '../../shared/names'
import type { Member, MemberStatus } from '../../shared/members'
import type { Role } from '../../shared/permissions'
import { picturePath } from '../../shared/pictures'

/** Rows read at once while searching. */
const BATCH = 200

export interface Listing {
  q?: string | undefined
  role?: Role | undefined
  status?: MemberStatus | undefined
  group?: string | undefined
  cursor?: string | undefined
  limit: number
}
/** Who looks: people who may not edit members are told names, pictures and roles. */
export interface Looking {
  scope: Scope
  whole: boolean
}

const iso = (at: number): string => new Date(at).toISOString()

/** A member as somebody may see them. */
export function viewMember(row: MemberRow, { scope, whole }: Looking, groups: GroupTag[] = []): Member {
  const { userId, name, avatarKey, role, status, version } = row
  return {
    userId,
    name,
    avatar: picturePath(avatarKey),
    email: whole ? row.email : null,
    role,
    status,
    joinedAt: whole ? iso(row.joinedAt) : null,
    lastSeenAt: whole ? iso(row.seenAt) : null,
    groups,
    self: userId === scope.actorId,
    version,
  }
}

/** Members by name. Whoever may not edit them sees the active ones only. */
export async function listMembers(deps: Deps, looking: Looking, asked: Listing): Promise<Page<Member>> {
  const store = membersStore(deps.db, looking.scope)
  const hidden = !looking.whole && asked.status === 'suspended'
  const status = looking.whole ? asked.status : 'active'
  const found = hidden ? [] : await matching(store, looking, { ...asked, status })
  const page = found.slice(0, asked.limit)
  const last = page.at(-1)
  return {
    items: page.map((row) => viewMember(row, looking, looking.whole ? row.groups : [])),
    nextCursor: found.length > asked.limit && last ? cursorOf(last) : null,
  }
}

/** One more than asked for, when there are more. Letters are compared here: the database folds only those of ASCII. */
async function matching(
  store: ReturnType<typeof membersStore>,
  { whole }: Looking,
  { q, cursor, limit, ...filters }: Listing,
): Promise<ListedRow[]> {
  const wanted = q === undefined ? '' : nameKey(q)
  const size = wanted === '' ? limit + 1 : BATCH
  const matches = (row: MemberRow): boolean =>
    nameKey(row.name).includes(wanted) || (whole && (row.email ?? '').includes(wanted))
  const found: ListedRow[] = []
  let after: Position | null = positionOf(cursor)
  for (;;) {
    const rows = await store.page({ ...filters, after, limit: size })
    found.push(...rows.filter(matches))
    const last = rows.at(-1)
    if (found.length > limit || rows.length < size || !last) return found
    after = last
  }
}
