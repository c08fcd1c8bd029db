import type { z } from 'zod'
import { groupStore, purgeGroups } from './store'
import type { Content } from './store'
import type { StoredGroup } from './rows'
import type { Membership } from '../../access/actor'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import { GROUPS_MAX } from '../../shared/groups'
import type { createGroupSchema, Group, GroupDetail, updateGroupSchema } from '../../shared/groups'
import { isId } from '../../shared/ids'
import { DELETED_KEPT_MS } from '../../shared/limits'
import { mayRole } from '../../shared/permissions'

/** Who asks, in what role, and how the answer is remembered. */
export interface Ask extends Asking {
  deps: Deps
  membership: Pick<Membership, 'role' | 'entitlements'>
}

/** Whether who asks may change every group, its managers too. */
export const mayEdit = ({ membership }: Ask): boolean => mayRole(membership.role, 'edit:group')

/** What is told of a group: whether its members may be changed depends on the plan too. */
export function shownTo(ask: Ask, { managed, ...group }: StoredGroup): Group {
  const { features, readOnly } = ask.membership.entitlements
  return { ...group, mayManage: features.userGrouping && readOnly === null && (mayEdit(ask) || managed) }
}

/** All of them (there are at most a hundred), by name. */
export async function listGroups(ask: Ask): Promise<Group[]> {
  const stored = await groupStore(ask.deps.db, ask.scope).list()
  return stored.map((group) => shownTo(ask, group))
}

/** @throws ProductError `not_found` also for a deleted one */
export async function storedGroup({ deps, scope }: Ask, id: string): Promise<StoredGroup> {
  const group = await groupStore(deps.db, scope).get(id)
  if (!group) throw new ProductError('not_found')
  return group
}

export async function getGroup(ask: Ask, id: string): Promise<GroupDetail> {
  const store = groupStore(ask.deps.db, ask.scope)
  const [group, members, unlocks] = await Promise.all([
    storedGroup(ask, id),
    store.members(id),
    // Invitations and their addresses are for those who invite.
    mayRole(ask.membership.role, 'invite:member') ? store.unlocks(id) : [],
  ])
  return { ...shownTo(ask, group), members, unlocks }
}

/** @throws ProductError `name_taken`; `limit_reached` when the workspace holds a hundred */
export async function createGroup(ask: Ask, input: z.output<typeof createGroupSchema>): Promise<Group> {
  const { deps, scope } = ask
  const content: Content = { ...input, id: deps.ids.next('group') }
  const made: StoredGroup = { ...content, memberCount: 0, managed: false, version: 1 }
  const store = groupStore(deps.db, scope)
  await orNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [store.insert(content, deps.clock.now())],
      audit: [auditOf(ask, { action: 'group.create', id: content.id, after: content })],
      reply: ask.reply(shownTo(ask, made)),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  // A rule may have members at once.
  return input.autoRule === null ? shownTo(ask, made) : shownTo(ask, await storedGroup(ask, content.id))
}

/** @throws ProductError `version_conflict` with the stored group as `current`, `name_taken` */
export async function updateGroup(
  ask: Ask,
  change: { id: string; input: z.output<typeof updateGroupSchema> },
): Promise<Group> {
  const { deps, scope } = ask
  const { version, ...input } = change.input
  const before = await storedGroup(ask, change.id)
  const next: StoredGroup = { ...before, ...input, version: version + 1 }
  await orNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [groupStore(deps.db, scope).update(next, version)],
      audit: [auditOf(ask, { action: 'group.update', id: change.id, before, after: next })],
      reply: ask.reply(shownTo(ask, next)),
      expect: { onMissed: () => versionConflict(ask, change.id) },
    }),
  )
  return shownTo(ask, await storedGroup(ask, change.id))
}

/**
 * Goes to "Recently deleted" for 30 days; its name is free again at once. `replacement`: a group that takes its place in
 * invitations, or `none`.
 * @throws ProductError `in_use` with the invitations that name it, when nothing is said about them
 */
export async function deleteGroup(
  ask: Ask,
  at: { id: string; version: number; replacement?: string | undefined },
): Promise<Group> {
  const { deps, scope } = ask
  const { id, version } = at
  const replacement = replacementOf(at)
  const before = await storedGroup(ask, id)
  const store = groupStore(deps.db, scope)
  const answer = shownTo(ask, { ...before, version: version + 1 })
  await commit(deps, {
    change: [
      store.remove(id, { version, now: deps.clock.now(), replacement }),
      ...(replacement === undefined ? [] : [store.replaceInInvites(id, replacement)]),
    ],
    audit: [auditOf(ask, { action: 'group.delete', id, before: { ...before, replacement } })],
    reply: ask.reply(answer),
    expect: { onMissed: () => removalMissed(ask, at) },
  })
  return answer
}

/** Undefined: nothing is said; null: no other group. @throws ProductError `invalid_input` for the group itself */
function replacementOf(at: { id: string; replacement?: string | undefined }): string | null | undefined {
  if (at.replacement === undefined) return undefined
  if (at.replacement === 'none') return null
  if (isId('group', at.replacement) && at.replacement !== at.id) return at.replacement
  throw otherGroup()
}

const otherGroup = (): ProductError =>
  new ProductError('invalid_input', { fields: { replacement: 'Pick another group, or none.' } })

async function removalMissed(ask: Ask, at: { id: string; version: number; replacement?: string | undefined }) {
  const current = await storedGroup(ask, at.id)
  if (current.version !== at.version) return new ProductError('version_conflict', { current: shownTo(ask, current) })
  if (at.replacement !== undefined) return otherGroup()
  const unlocks = await groupStore(ask.deps.db, ask.scope).unlocks(at.id)
  return new ProductError('in_use', {
    dependents: unlocks.map(({ kind, id, label }) => ({ type: kind, id, name: label })),
  })
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreGroup(ask: Ask, id: string): Promise<{ id: string }> {
  const { deps, scope } = ask
  const store = groupStore(deps.db, scope)
  const since = deps.clock.now() - DELETED_KEPT_MS
  if (!(await store.deleted(id, since))) {
    await storedGroup(ask, id)
    return { id }
  }
  await orNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [store.restore(id, since)],
      audit: [auditOf(ask, { action: 'group.restore', id, after: { id } })],
      reply: ask.reply({ id }),
      expect: { onMissed: () => limitReached(ask) },
    }),
  )
  return { id }
}

async function limitReached({ deps, scope }: Pick<Ask, 'deps' | 'scope'>): Promise<ProductError> {
  const used = await groupStore(deps.db, scope).count()
  const message = `A workspace has up to ${GROUPS_MAX} groups. Delete one that is not needed.`
  return new ProductError('limit_reached', { limit: 'groups', used, max: GROUPS_MAX }, message)
}

export async function versionConflict(ask: Ask, id: string): Promise<ProductError> {
  return new ProductError('version_conflict', { current: shownTo(ask, await storedGroup(ask, id)) })
}

export const auditOf = auditOfKind('group')

const SWEEP_MAX = 500

/** Removes groups that were deleted 30 days ago: nobody can restore them any more. */
export async function sweepGroups(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await deps.db.d1.batch(purgeGroups(deps.db, { before: deps.clock.now() - DELETED_KEPT_MS, max: SWEEP_MAX }))
}
