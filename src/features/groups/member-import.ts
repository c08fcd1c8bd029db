import type { z } from 'zod'
import { memberImportStore } from './member-import-store'
import { planMemberImport, parseMemberList, type ImportPlan, type ParsedLine } from './model/member-import'
import { groupAuditEntry } from './service'
import { commit, rethrowNameTaken } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { ProductError } from '../../shared/errors'
import type { GroupImportResult, importGroupsSchema } from '../../shared/groups'
import { canonicalEmail } from '../../shared/session'

/** How often a list is held against groups that others change meanwhile. */
const ATTEMPTS_MAX = 3

/**
 * What every line of a list would do, or does: all of it in one batch, so that what is answered is what happened.
 * @throws ProductError `too_large` past 2,000 lines, `file_unreadable` when nothing is in it
 */
export async function importMembers(
  context: RequestContext,
  input: z.output<typeof importGroupsSchema>,
): Promise<GroupImportResult> {
  const parsedLines = parseMemberList(input.csv)
  if (parsedLines.length === 0)
    throw new ProductError(
      'file_unreadable',
      { reason: 'empty' },
      'List is empty. Enter a group and an address per line.',
    )
  for (let left = ATTEMPTS_MAX; ; left--) {
    const plan = await buildPlan(context, parsedLines)
    if (input.dryRun) return toImportAnswer(plan, true)
    try {
      return await applyPlan(context, plan)
    } catch (error) {
      const isConflict = error instanceof ProductError && ['name_taken', 'busy'].includes(error.code)
      if (!isConflict || left === 1) throw error
    }
  }
}

async function buildPlan({ deps, scope }: RequestContext, listed: ParsedLine[]): Promise<ImportPlan> {
  const emails = new Set(listed.flatMap(({ email }) => canonicalEmail(email) ?? []))
  return planMemberImport(listed, await memberImportStore(deps.db, scope).readState([...emails]))
}

const toImportAnswer = ({ lines, groups }: ImportPlan, dryRun: boolean): GroupImportResult => ({
  lines,
  added: lines.filter(({ outcome }) => outcome === 'added').length,
  groupsMade: groups.filter(({ id }) => id === null).length,
  dryRun,
})

/** @throws ProductError `busy` or `name_taken` when somebody changed the groups since the plan was made */
async function applyPlan(context: RequestContext, plan: ImportPlan): Promise<GroupImportResult> {
  const { deps, scope } = context
  const answer = toImportAnswer(plan, false)
  const store = memberImportStore(deps.db, scope)
  const filled = plan.groups.map(({ id, name, userIds }) => ({
    id: id ?? deps.ids.next('group'),
    name,
    userIds,
    isNew: id === null,
  }))
  const created = filled.filter(({ isNew }) => isNew)
  const existing = filled.filter(({ isNew }) => !isNew)
  const versionUpdates = [
    ...(created.length === 0 ? [] : [store.insertGroups(created, { others: existing, now: deps.clock.now() })]),
    ...(existing.length === 0 ? [] : [store.advanceVersions(existing)]),
  ]
  const conflict = (): ProductError => new ProductError('busy', { retryAfter: 1 })
  const reply = context.reply(answer)
  if (filled.length === 0 && reply === null) return answer
  await rethrowNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: filled.length === 0 ? [] : [...versionUpdates, store.addMembers(filled)],
      audit: filled.map(({ id, name, userIds, isNew }) =>
        groupAuditEntry(context, {
          action: isNew ? 'group.create' : 'group.members',
          id,
          after: { name, added: userIds },
        }),
      ),
      reply,
      ...(filled.length === 0 ? {} : { expect: { onMissed: conflict } }),
    }),
  )
  return answer
}
