import type { z } from 'zod'
import { groupMemberStore } from './member-store'
import { groupAuditEntry, getGroup, canEditGroups, requireGroup, groupVersionConflict } from './service'
import type { GroupRequestContext } from './service'
import { groupStore } from './store'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { UserGroupDetail, groupMembersSchema } from '../../shared/groups'

type GroupMembersInput = z.output<typeof groupMembersSchema>

/**
 * Both lists whole: administrators say both, a manager of the group its members only. Who belongs to the group by its
 * rule is not stored and stays, named or not.
 * @throws ProductError `forbidden` to others, `read_only`, `version_conflict`, `invalid_input` for who is no member
 */
export async function setGroupMembers(
  groupRequestContext: GroupRequestContext,
  change: { id: string; input: GroupMembersInput },
): Promise<UserGroupDetail> {
  const { deps, scope } = groupRequestContext
  const { id, input } = change
  const before = await requireGroup(groupRequestContext, id)
  const mayEditAny = canEditGroups(groupRequestContext)
  if (!mayEditAny && !before.managed) throw groupEditForbidden()
  const { readOnly } = groupRequestContext.membership.entitlements
  if (readOnly !== null) throw new ProductError('read_only', { reason: readOnly })
  const store = groupMemberStore(deps.db, scope)
  const lists = { memberIds: [...new Set(input.memberIds)], managerIds: [...new Set(input.managerIds)] }
  const stored = await groupStore(deps.db, scope).members(id)
  await commit(deps, {
    change: [
      store.advanceVersion(id, { ...lists, version: input.version, mayEditAny }),
      ...store.replaceMembers(id, lists),
    ],
    audit: [groupAuditEntry(groupRequestContext, { action: 'group.members', id, before: stored, after: lists })],
    reply: groupRequestContext.reply({ id, version: input.version + 1 }),
    expect: { onMissed: () => setMembersRefusal(groupRequestContext, { id, input }) },
  })
  return getGroup(groupRequestContext, id)
}

const groupEditForbidden = (): ProductError => new ProductError('forbidden', { permission: 'edit:group' })

async function setMembersRefusal(
  groupRequestContext: GroupRequestContext,
  { id, input }: { id: string; input: GroupMembersInput },
): Promise<ProductError> {
  const current = await requireGroup(groupRequestContext, id)
  if (current.version !== input.version) return groupVersionConflict(groupRequestContext, id)
  const store = groupMemberStore(groupRequestContext.deps.db, groupRequestContext.scope)
  const nonMembers = new Set(await store.findNonMembers([...input.memberIds, ...input.managerIds]))
  if (nonMembers.size === 0) return groupEditForbidden()
  const field = input.memberIds.some((one) => nonMembers.has(one)) ? 'memberIds' : 'managerIds'
  return new ProductError('invalid_input', {
    fields: { [field]: 'Somebody named here is no member of the workspace.' },
  })
}
