import type { z } from 'zod'
import { replaceGroupInRules } from '../../identity/access/group-rules-store'
import { groupStore, purgeGroups, groupMemberStore, type GroupContent, type StoredGroup } from './store'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import { rightsChangedEntry } from '../../db/outbox-workflows'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import { USER_GROUPS_MAX } from '../../shared/groups'
import type {
  createGroupSchema,
  UserGroup,
  UserGroupDetail,
  updateGroupSchema,
  groupMembersSchema,
} from '../../shared/groups'
import { isId } from '../../shared/ids'
import { DELETED_RETENTION_MS } from '../../shared/limits'
import { roleMay } from '../../shared/permissions'

/** Whether who asks may change every group, its managers too. */
const canEditGroups = ({ membership }: RequestContext): boolean => roleMay(membership.role, 'edit:group')

/** What is told of a group: whether its members may be changed depends on the plan too. */
function toGroupView(context: RequestContext, { managed, ...group }: StoredGroup): UserGroup {
  const { features, readOnly } = context.membership.entitlements
  const mayChange = canEditGroups(context) || (managed && !group.decidesAccess)
  return { ...group, mayManage: features.userGrouping && readOnly === null && mayChange }
}

/** All of them (there are at most a hundred), by name. */
export async function listGroups(context: RequestContext): Promise<UserGroup[]> {
  const stored = await groupStore(context.deps.db, context.scope).list()
  return stored.map((group) => toGroupView(context, group))
}

/** @throws ProductError `not_found` also for a deleted one */
async function requireGroup({ deps, scope }: RequestContext, id: string): Promise<StoredGroup> {
  const group = await groupStore(deps.db, scope).get(id)
  if (!group) throw new ProductError('not_found')
  return group
}

export async function getGroup(context: RequestContext, id: string): Promise<UserGroupDetail> {
  const store = groupStore(context.deps.db, context.scope)
  const [group, members, unlocks] = await Promise.all([
    requireGroup(context, id),
    store.members(id),
    // Invitations and their addresses are for those who invite.
    roleMay(context.membership.role, 'invite:member') ? store.listDependents(id) : [],
  ])
  return { ...toGroupView(context, group), members, unlocks }
}

/** @throws ProductError `name_taken`; `limit_reached` when the workspace holds a hundred */
export async function createGroup(
  context: RequestContext,
  input: z.output<typeof createGroupSchema>,
): Promise<UserGroup> {
  const { deps, scope } = context
  const content: GroupContent = { ...input, id: deps.ids.next('group') }
  const created: StoredGroup = { ...content, memberCount: 0, managed: false, decidesAccess: false, version: 1 }
  const store = groupStore(deps.db, scope)
  await rethrowNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [store.insert(content, deps.clock.now())],
      audit: [groupAuditEntry(context, { action: 'group.create', id: content.id, after: content })],
      reply: context.reply(toGroupView(context, created)),
      expect: { onMissed: () => groupLimitReached(context) },
    }),
  )
  // A rule may have members at once.
  return toGroupView(context, input.autoRule === null ? created : await requireGroup(context, content.id))
}

/** @throws ProductError `version_conflict` with the stored group as `current`, `name_taken` */
export async function updateGroup(
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateGroupSchema> },
): Promise<UserGroup> {
  const { deps, scope } = context
  const { version, ...input } = change.input
  const before = await requireGroup(context, change.id)
  const next: StoredGroup = { ...before, ...input, version: version + 1 }
  await rethrowNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [groupStore(deps.db, scope).update(next, version)],
      audit: [groupAuditEntry(context, { action: 'group.update', id: change.id, before, after: next })],
      reply: context.reply(toGroupView(context, next)),
      expect: { onMissed: () => groupVersionConflict(context, change.id) },
    }),
  )
  return toGroupView(context, await requireGroup(context, change.id))
}

/**
 * Goes to "Recently deleted" for 30 days; its name is free again at once. `replacement`: a group that takes its place in
 * invitations, or `none`.
 * @throws ProductError `in_use` with the invitations that name it, when nothing is said about them
 */
export async function deleteGroup(
  context: RequestContext,
  at: { id: string; version: number; replacement?: string | undefined },
): Promise<UserGroup> {
  const { deps, scope } = context
  const { id, version } = at
  const replacement = parseReplacement(at)
  const before = await requireGroup(context, id)
  const store = groupStore(deps.db, scope)
  const answer = toGroupView(context, { ...before, version: version + 1 })
  await commit(deps, {
    change: [
      store.remove(id, { version, now: deps.clock.now(), replacement }),
      ...(replacement === undefined ? [] : [store.replaceInInvites(id, replacement)]),
      ...(replacement ? replaceGroupInRules(deps.db, scope, { from: id, to: replacement, now: deps.clock.now() }) : []),
    ],
    audit: [groupAuditEntry(context, { action: 'group.delete', id, before: { ...before, replacement } })],
    reply: context.reply(answer),
    expect: { onMissed: () => deletionRefusal(context, at) },
  })
  return answer
}

/** Undefined: nothing is said; null: no other group. @throws ProductError `invalid_input` for the group itself */
function parseReplacement(at: { id: string; replacement?: string | undefined }): string | null | undefined {
  if (at.replacement === undefined) return undefined
  if (at.replacement === 'none') return null
  if (isId('group', at.replacement) && at.replacement !== at.id) return at.replacement
  throw invalidReplacement()
}

const invalidReplacement = (): ProductError =>
  new ProductError('invalid_input', { fields: { replacement: 'Choose another group, or none.' } })

async function deletionRefusal(
  context: RequestContext,
  at: { id: string; version: number; replacement?: string | undefined },
) {
  const current = await requireGroup(context, at.id)
  if (current.version !== at.version)
    return new ProductError('version_conflict', { current: toGroupView(context, current) })
  if (at.replacement !== undefined) return invalidReplacement()
  const unlocks = await groupStore(context.deps.db, context.scope).listDependents(at.id)
  return new ProductError('in_use', {
    dependents: unlocks.map(({ kind, id, label }) => ({ type: kind, id, name: label })),
  })
}

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreGroup(context: RequestContext, id: string): Promise<{ id: string }> {
  const { deps, scope } = context
  const store = groupStore(deps.db, scope)
  const since = deps.clock.now() - DELETED_RETENTION_MS
  if (!(await store.deleted(id, since))) {
    await requireGroup(context, id)
    return { id }
  }
  await rethrowNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: [store.restore(id, since)],
      audit: [groupAuditEntry(context, { action: 'group.restore', id, after: { id } })],
      reply: context.reply({ id }),
      expect: { onMissed: () => groupLimitReached(context) },
    }),
  )
  return { id }
}

async function groupLimitReached({ deps, scope }: Pick<RequestContext, 'deps' | 'scope'>): Promise<ProductError> {
  const used = await groupStore(deps.db, scope).count()
  const message = `At most ${USER_GROUPS_MAX} groups. Delete one first.`
  return new ProductError('limit_reached', { limit: 'groups', used, max: USER_GROUPS_MAX }, message)
}

const groupVersionConflict = async (context: RequestContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: toGroupView(context, await requireGroup(context, id)) })

export const groupAuditEntry = auditEntryFactory('group')

const PURGE_BATCH_SIZE = 500

/** Removes groups that were deleted 30 days ago: nobody can restore them any more. */
export async function purgeExpiredGroups(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeGroups(deps.db, { before: deps.clock.now() - DELETED_RETENTION_MS, max: PURGE_BATCH_SIZE })
}

type GroupMembersInput = z.output<typeof groupMembersSchema>

/**
 * Both lists whole: administrators say both, a manager of the group its members only, and none where these see other data
 * than others do: nobody changes their own rights by it. Who belongs to the group by its
 * rule is not stored and stays, named or not.
 * @throws ProductError `forbidden` to others, `read_only`, `version_conflict`, `invalid_input` for who is no member
 */
export async function setGroupMembers(
  context: RequestContext,
  change: { id: string; input: GroupMembersInput },
): Promise<UserGroupDetail> {
  const { deps, scope } = context
  const { id, input } = change
  const before = await requireGroup(context, id)
  const mayEditAny = canEditGroups(context)
  if (!mayEditAny && (!before.managed || before.decidesAccess)) throw groupEditForbidden()
  const { readOnly } = context.membership.entitlements
  if (readOnly !== null) throw new ProductError('read_only', { reason: readOnly })
  const store = groupMemberStore(deps.db, scope)
  const lists = { memberIds: [...new Set(input.memberIds)], managerIds: [...new Set(input.managerIds)] }
  const stored = await groupStore(deps.db, scope).members(id)
  await commit(deps, {
    change: [
      store.advanceVersion(id, { ...lists, version: input.version, mayEditAny }),
      ...store.replaceMembers(id, lists),
    ],
    audit: [groupAuditEntry(context, { action: 'group.members', id, before: stored, after: lists })],
    outbox: before.decidesAccess ? [rightsChangedEntry(scope.workspaceId, deps.ids)] : [],
    reply: context.reply({ id, version: input.version + 1 }),
    expect: { onMissed: () => setMembersRefusal(context, { id, input }) },
  })
  return getGroup(context, id)
}

const groupEditForbidden = (): ProductError => new ProductError('forbidden', { permission: 'edit:group' })

async function setMembersRefusal(
  context: RequestContext,
  { id, input }: { id: string; input: GroupMembersInput },
): Promise<ProductError> {
  const current = await requireGroup(context, id)
  if (current.version !== input.version) return groupVersionConflict(context, id)
  const store = groupMemberStore(context.deps.db, context.scope)
  const nonMembers = new Set(await store.findNonMembers([...input.memberIds, ...input.managerIds]))
  if (nonMembers.size === 0) return groupEditForbidden()
  const field = input.memberIds.some((one) => nonMembers.has(one)) ? 'memberIds' : 'managerIds'
  return new ProductError('invalid_input', {
    fields: { [field]: 'Choose members of this workspace only.' },
  })
}
