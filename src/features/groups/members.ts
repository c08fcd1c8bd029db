import type { z } from 'zod'
import { groupMemberStore } from './member-store'
import { auditOf, getGroup, mayEdit, storedGroup, versionConflict } from './service'
import type { Ask } from './service'
import { groupStore } from './store'
import { commit } from '../../db/commit'
import { ProductError } from '../../shared/errors'
import type { GroupDetail, groupMembersSchema } from '../../shared/groups'

type Input = z.output<typeof groupMembersSchema>

/**
 * Both lists whole: administrators say both, a manager of the group its members only. Who belongs to the group by its
 * rule is not stored and stays, named or not.
 * @throws ProductError `forbidden` to others, `read_only`, `version_conflict`, `invalid_input` for who is no member
 */
export async function setMembers(ask: Ask, change: { id: string; input: Input }): Promise<GroupDetail> {
  const { deps, scope } = ask
  const { id, input } = change
  const before = await storedGroup(ask, id)
  const whole = mayEdit(ask)
  if (!whole && !before.managed) throw forbidden()
  const { readOnly } = ask.membership.entitlements
  if (readOnly !== null) throw new ProductError('read_only', { reason: readOnly })
  const store = groupMemberStore(deps.db, scope)
  const lists = { memberIds: [...new Set(input.memberIds)], managerIds: [...new Set(input.managerIds)] }
  const stored = await groupStore(deps.db, scope).members(id)
  await commit(deps, {
    change: [store.turn(id, { ...lists, version: input.version, whole }), ...store.write(id, lists)],
    audit: [auditOf(ask, { action: 'group.members', id, before: stored, after: lists })],
    reply: ask.reply({ id, version: input.version + 1 }),
    expect: { onMissed: () => missed(ask, { id, input }) },
  })
  return getGroup(ask, id)
}

const forbidden = (): ProductError => new ProductError('forbidden', { permission: 'edit:group' })

async function missed(ask: Ask, { id, input }: { id: string; input: Input }): Promise<ProductError> {
  const current = await storedGroup(ask, id)
  if (current.version !== input.version) return versionConflict(ask, id)
  const store = groupMemberStore(ask.deps.db, ask.scope)
  const strangers = new Set(await store.strangers([...input.memberIds, ...input.managerIds]))
  if (strangers.size === 0) return forbidden()
  const field = input.memberIds.some((one) => strangers.has(one)) ? 'memberIds' : 'managerIds'
  return new ProductError('invalid_input', {
    fields: { [field]: 'Somebody named here is no member of the workspace.' },
  })
}
