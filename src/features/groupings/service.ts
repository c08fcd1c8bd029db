import type { z } from 'zod'
import { plansNaming, shownDependents } from './dependents'
import { groupingStore, purgeGroupings } from './store'
import type { Actor, Membership } from '../../access/actor'
import { auditOfKind } from '../../db/audit-of'
import { frozen } from '../../access/frozen'
import { commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import { groupsGone, problemsOf } from '../../shared/grouping-check'
import { sizeOf } from '../../shared/grouping-tree'
import { DEFINITION_MAX_BYTES, GROUPINGS_MAX, GROUPS_IN_ALL_MAX, MEMBERS_MAX } from '../../shared/groupings'
import type {
  createGroupingSchema,
  Definition,
  Grouping,
  GroupingSummary,
  GroupingTarget,
  updateGroupingSchema,
} from '../../shared/groupings'
import { DELETED_KEPT_MS } from '../../shared/limits'

/** Who asks, and how the answer is remembered. */
export interface Ask extends Asking {
  deps: Deps
  actor: Pick<Actor, 'userId' | 'name'>
  membership: Membership
}
export const storeOf = ({ deps, scope, membership }: Ask) =>
  groupingStore(deps.db, { scope, max: membership.entitlements.features.groupings })

/** All of them (there are at most fifty), by name. */
export const listGroupings = (ask: Ask): Promise<GroupingSummary[]> => storeOf(ask).list()

/** @throws ProductError `not_found` also for a deleted one */
export async function getGrouping(ask: Ask, id: string): Promise<Grouping> {
  const grouping = await storeOf(ask).get(id)
  if (!grouping) throw new ProductError('not_found')
  return grouping
}

/** @throws ProductError `invalid_input` with a sentence by place, `too_large` */
export function refuseUnusable(definition: Definition): void {
  const fields = problemsOf(definition)
  if (Object.keys(fields).length > 0) throw new ProductError('invalid_input', { fields })
  const size = new TextEncoder().encode(JSON.stringify(definition.eras)).byteLength
  if (size > DEFINITION_MAX_BYTES)
    throw new ProductError('too_large', { what: 'grouping', size, max: DEFINITION_MAX_BYTES })
}

/** @throws ProductError `not_found` for a dataset that is not here; `invalid_input` for a column that it has not */
async function refuseUnknownTarget({ deps, scope }: Ask, target: GroupingTarget): Promise<void> {
  if (target.kind !== 'column') return
  const { columns } = await deps.warehouse(scope).dataset(target.dataset)
  if (!columns.some(({ key }) => key === target.column))
    throw new ProductError('invalid_input', { fields: { target: 'This column is gone. Choose another.' } })
}

/** @throws ProductError `name_taken`; `limit_reached` of the plan, of groups or of members; as {@link refuseUnusable} */
export async function createGrouping(ask: Ask, input: z.output<typeof createGroupingSchema>): Promise<Grouping> {
  const { deps, actor } = ask
  refuseUnusable(input)
  await refuseUnknownTarget(ask, input.target)
  const { groups, members } = sizeOf(input)
  const now = new Date(deps.clock.now()).toISOString()
  const made: Grouping = {
    ...{ id: deps.ids.next('grouping'), ...input, groupCount: groups, memberCount: members },
    ...{ eraCount: input.eras.length, unmatched: null, ownerId: actor.userId, ownerName: actor.name },
    ...{ frozen: false, version: 1, createdAt: now, updatedAt: now },
  }
  await orNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(ask).insert(made)],
      audit: [auditOf(ask, { action: 'grouping.create', id: made.id, after: made })],
      reply: ask.reply(made),
      expect: { onMissed: () => limitReached(ask, { groups, members }) },
    }),
  )
  return made
}

/**
 * @throws ProductError `version_conflict` with the stored grouping as `current`; `in_use` with the insights that name a
 *   group that would be gone; `read_only` when it is frozen; as {@link createGrouping}
 */
export async function updateGrouping(
  ask: Ask,
  change: { id: string; input: z.output<typeof updateGroupingSchema> },
): Promise<Grouping> {
  const { version, force, ...input } = change.input
  const before = await getGrouping(ask, change.id)
  // What it was about may be gone meanwhile: it is still named, and said to be gone.
  if (JSON.stringify(input.target) !== JSON.stringify(before.target)) await refuseUnknownTarget(ask, input.target)
  return saveGrouping(ask, { before, next: { ...before, ...input, version }, action: 'grouping.update', force })
}

/** Another definition in place of the one of `next.version`. */
export async function saveGrouping(
  ask: Ask,
  change: { before: Grouping; next: Grouping; action: string; force: boolean },
): Promise<Grouping> {
  const { deps } = ask
  const { before } = change
  if (before.version !== change.next.version) throw new ProductError('version_conflict', { current: before })
  if (before.frozen) throw frozenGrouping()
  refuseUnusable(change.next)
  const { groups, members } = sizeOf(change.next)
  const gone = change.force ? [] : groupsGone(before, change.next).map(({ id }) => id)
  const next: Grouping = {
    ...change.next,
    ...{ groupCount: groups, memberCount: members, eraCount: change.next.eras.length, unmatched: null },
    ...{ version: before.version + 1, updatedAt: new Date(deps.clock.now()).toISOString() },
  }
  await orNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(ask).update(next, gone)],
      audit: [auditOf(ask, { action: change.action, id: next.id, before, after: next })],
      reply: ask.reply(next),
      expect: { onMissed: () => updateMissed(ask, { before, gone, groups, members }) },
    }),
  )
  return next
}

const frozenGrouping = (): ProductError =>
  frozen(
    'This grouping is frozen: the plan has room for fewer. Figures go on to be seen through it, and it can be deleted.',
  )

async function updateMissed(
  ask: Ask,
  at: { before: Grouping; gone: string[]; groups: number; members: number },
): Promise<ProductError> {
  const current = await getGrouping(ask, at.before.id)
  if (current.version !== at.before.version) return new ProductError('version_conflict', { current })
  if (current.frozen) return frozenGrouping()
  const naming = at.gone.length === 0 ? [] : await plansNaming(ask.deps.db, ask.scope, at.gone)
  if (naming.length > 0)
    return new ProductError(
      'in_use',
      { dependents: shownDependents(naming) },
      'Insights name a group that would be gone.',
    )
  return limitReached(ask, { ...at, without: at.before.id })
}

/** Which limit it was. */
async function limitReached(
  ask: Ask,
  wanted: { groups: number; members: number; without?: string },
): Promise<ProductError> {
  const used = await storeOf(ask).used(wanted.without)
  if (used.groups + wanted.groups > GROUPS_IN_ALL_MAX)
    return full('groupingGroups', { used: used.groups, max: GROUPS_IN_ALL_MAX, what: 'groups in all groupings' })
  if (used.members + wanted.members > MEMBERS_MAX)
    return full('groupingMembers', { used: used.members, max: MEMBERS_MAX, what: 'values named one by one' })
  const max = ask.membership.entitlements.features.groupings ?? GROUPINGS_MAX
  return new ProductError('limit_reached', { limit: 'groupings', used: used.groupings, max })
}
const full = (limit: string, { used, max, what }: { used: number; max: number; what: string }): ProductError =>
  new ProductError(
    'limit_reached',
    { limit, used, max },
    `A workspace has up to ${max.toLocaleString('en')} ${what}. Use rules instead, or delete what is not needed.`,
  )

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreGrouping(ask: Ask, id: string): Promise<{ id: string }> {
  const { deps } = ask
  const since = deps.clock.now() - DELETED_KEPT_MS
  if (!(await storeOf(ask).deleted(id, since))) {
    await getGrouping(ask, id)
    return { id }
  }
  await orNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(ask).restore(id, since)],
      audit: [auditOf(ask, { action: 'grouping.restore', id, after: { id } })],
      reply: ask.reply({ id }),
      expect: { onMissed: () => limitReached(ask, { groups: 0, members: 0 }) },
    }),
  )
  return { id }
}

export const auditOf = auditOfKind('grouping')

const PURGED_MAX = 50
/** Groupings that were deleted 30 days ago are gone. */
export async function sweepGroupings({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeGroupings(db, { before: clock.now() - DELETED_KEPT_MS, max: PURGED_MAX }).run()
}
