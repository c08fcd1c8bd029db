import type { z } from 'zod'
import { toDependents } from './dependents'
import { assertWholeTarget } from './restricted'
import { groupingStore, purgeGroupings, findDependentPlans } from './store'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import { overLimit } from '../../entitlements/limits'
import type { Deps } from '../../deps'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { removedGroups, validateGrouping } from '../../shared/groupings/validation'
import {
  groupingSize,
  DEFINITION_MAX_BYTES,
  GROUPINGS_MAX,
  GROUPS_TOTAL_MAX,
  MEMBERS_MAX,
} from '../../shared/groupings/groupings'
import type {
  createGroupingSchema,
  GroupingContent,
  Grouping,
  GroupingSummary,
  GroupingTarget,
  updateGroupingSchema,
} from '../../shared/groupings/groupings'
import { DELETED_RETENTION_MS } from '../../shared/limits'

export const storeOf = ({ deps, scope, membership }: RequestContext) =>
  groupingStore(deps.db, { scope, max: membership.entitlements.features.groupings })

/** All of them (there are at most fifty), by name. */
export const listGroupings = (context: RequestContext): Promise<GroupingSummary[]> => storeOf(context).list()

/** @throws ProductError `not_found` also for a deleted one */
export async function getGrouping(context: RequestContext, id: string): Promise<Grouping> {
  const grouping = await storeOf(context).get(id)
  if (!grouping) throw new ProductError('not_found')
  return grouping
}

/** @throws ProductError `invalid_input` with a sentence by place, `too_large` */
export function validateDefinition(content: GroupingContent): void {
  const fields = validateGrouping(content)
  if (Object.keys(fields).length > 0) throw new ProductError('invalid_input', { fields })
  const size = new TextEncoder().encode(JSON.stringify(content.eras)).byteLength
  if (size > DEFINITION_MAX_BYTES)
    throw new ProductError('too_large', { what: 'grouping', size, max: DEFINITION_MAX_BYTES })
}

/** @throws ProductError `not_found` for a dataset that is not here; `invalid_input` for a column that it has not */
async function validateTarget({ deps, scope }: RequestContext, target: GroupingTarget): Promise<void> {
  if (target.kind !== 'column') return
  const { columns } = await deps.warehouse(scope).dataset(target.dataset)
  if (!columns.some(({ key }) => key === target.column))
    throw new ProductError('invalid_input', { fields: { target: 'Column not found. Choose another.' } })
}

/** @throws ProductError `name_taken`; `limit_reached` of the plan, of groups or of members; as {@link validateDefinition} */
export async function createGrouping(
  context: RequestContext,
  input: z.output<typeof createGroupingSchema>,
): Promise<Grouping> {
  const { deps, actor } = context
  validateDefinition(input)
  await validateTarget(context, input.target)
  const { groups, members } = groupingSize(input)
  const now = toIso(deps.clock.now())
  const made: Grouping = {
    id: deps.ids.next('grouping'),
    ...input,
    groupCount: groups,
    memberCount: members,
    eraCount: input.eras.length,
    unmatched: null,
    ownerId: actor.userId,
    ownerName: actor.name,
    frozen: false,
    version: 1,
    createdAt: now,
    updatedAt: now,
  }
  await rethrowNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(context).insert(made)],
      audit: [auditOf(context, { action: 'grouping.create', id: made.id, after: made })],
      reply: context.reply(made),
      expect: { onMissed: () => limitReached(context, { groups, members }) },
    }),
  )
  return made
}

/**
 * @throws ProductError `version_conflict` with the stored grouping as `current`; `in_use` with the insights that name a
 *   group that would be gone; `read_only` when it is frozen; as {@link createGrouping}
 */
export async function updateGrouping(
  context: RequestContext,
  change: { id: string; input: z.output<typeof updateGroupingSchema> },
): Promise<Grouping> {
  const { version, force, ...input } = change.input
  const before = await getGrouping(context, change.id)
  // What it was about may be gone meanwhile: it is still named, and said to be gone.
  if (JSON.stringify(input.target) !== JSON.stringify(before.target)) await validateTarget(context, input.target)
  return saveGrouping(context, { before, next: { ...before, ...input, version }, action: 'grouping.update', force })
}

/** Another definition in place of the one of `next.version`. */
export async function saveGrouping(
  context: RequestContext,
  change: { before: Grouping; next: Grouping; action: string; force: boolean },
): Promise<Grouping> {
  const { deps } = context
  const { before } = change
  if (before.version !== change.next.version) throw new ProductError('version_conflict', { current: before })
  if (before.frozen) throw groupingOverLimit()
  assertWholeTarget(context.scope, before)
  validateDefinition(change.next)
  const { groups, members } = groupingSize(change.next)
  const gone = change.force ? [] : removedGroups(before, change.next).map(({ id }) => id)
  const next: Grouping = {
    ...change.next,
    groupCount: groups,
    memberCount: members,
    eraCount: change.next.eras.length,
    unmatched: null,
    version: before.version + 1,
    updatedAt: toIso(deps.clock.now()),
  }
  await rethrowNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(context).update(next, gone)],
      audit: [auditOf(context, { action: change.action, id: next.id, before, after: next })],
      reply: context.reply(next),
      expect: { onMissed: () => updateConflict(context, { before, gone, groups, members }) },
    }),
  )
  return next
}

const groupingOverLimit = (): ProductError =>
  overLimit('This grouping is over your plan’s limit. You can use and delete it, but not change it.')

async function updateConflict(
  context: RequestContext,
  at: { before: Grouping; gone: string[]; groups: number; members: number },
): Promise<ProductError> {
  const current = await getGrouping(context, at.before.id)
  if (current.version !== at.before.version) return new ProductError('version_conflict', { current })
  if (current.frozen) return groupingOverLimit()
  const naming = at.gone.length === 0 ? [] : await findDependentPlans(context.deps.db, context.scope, at.gone)
  if (naming.length > 0)
    return new ProductError(
      'in_use',
      { dependents: await toDependents(context, naming) },
      'Insights use a group you removed.',
    )
  return limitReached(context, { ...at, without: at.before.id })
}

/** Which limit it was. */
async function limitReached(
  context: RequestContext,
  wanted: { groups: number; members: number; without?: string },
): Promise<ProductError> {
  const used = await storeOf(context).usage(wanted.without)
  if (used.groups + wanted.groups > GROUPS_TOTAL_MAX)
    return limitError('groupingGroups', { used: used.groups, max: GROUPS_TOTAL_MAX, what: 'groups in all groupings' })
  if (used.members + wanted.members > MEMBERS_MAX)
    return limitError('groupingMembers', { used: used.members, max: MEMBERS_MAX, what: 'values named one by one' })
  const max = context.membership.entitlements.features.groupings ?? GROUPINGS_MAX
  return new ProductError('limit_reached', { limit: 'groupings', used: used.groupings, max })
}
const limitError = (limit: string, { used, max, what }: { used: number; max: number; what: string }): ProductError =>
  new ProductError(
    'limit_reached',
    { limit, used, max },
    `A workspace has up to ${max.toLocaleString('en')} ${what}. Use rules instead, or delete what is not needed.`,
  )

/** @throws ProductError `not_found` after 30 days, `name_taken` when the name has been given away, `limit_reached` */
export async function restoreGrouping(context: RequestContext, id: string): Promise<{ id: string }> {
  const { deps } = context
  const since = deps.clock.now() - DELETED_RETENTION_MS
  if (!(await storeOf(context).deleted(id, since))) {
    await getGrouping(context, id)
    return { id }
  }
  await rethrowNameTaken(
    'groupings.workspace_id',
    commit(deps, {
      change: [storeOf(context).restore(id, since)],
      audit: [auditOf(context, { action: 'grouping.restore', id, after: { id } })],
      reply: context.reply({ id }),
      expect: { onMissed: () => limitReached(context, { groups: 0, members: 0 }) },
    }),
  )
  return { id }
}

export const auditOf = auditEntryFactory('grouping')

const PURGE_BATCH_MAX = 50
/** Groupings that were deleted 30 days ago are gone. */
export async function sweepGroupings({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await purgeGroupings(db, { before: clock.now() - DELETED_RETENTION_MS, max: PURGE_BATCH_MAX }).run()
}
