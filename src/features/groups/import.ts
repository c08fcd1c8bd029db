import type { z } from 'zod'
import { importStore } from './import-store'
import { planImport } from './model/plan-import'
import type { ImportPlan } from './model/plan-import'
import { readLines } from './model/read-lines'
import type { ListedLine } from './model/read-lines'
import { auditOf } from './service'
import type { Ask } from './service'
import { commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import { ProductError } from '../../shared/errors'
import type { ImportAnswer, importGroupsSchema } from '../../shared/groups'
import { canonicalEmail } from '../../shared/session'

/** How often a list is held against groups that others change meanwhile. */
const TRIES = 3

/**
 * What every line of a list would do, or does: all of it in one batch, so that what is answered is what happened.
 * @throws ProductError `too_large` past 2,000 lines, `file_unreadable` when nothing is in it
 */
export async function importGroups(ask: Ask, input: z.output<typeof importGroupsSchema>): Promise<ImportAnswer> {
  const listed = readLines(input.csv)
  if (listed.length === 0)
    throw new ProductError(
      'file_unreadable',
      { reason: 'empty' },
      'Nothing is listed. Write a group and an address a line.',
    )
  for (let left = TRIES; ; left--) {
    const plan = await planOf(ask, listed)
    if (input.dryRun) return answerOf(plan, true)
    try {
      return await written(ask, plan)
    } catch (error) {
      const overtaken = error instanceof ProductError && ['name_taken', 'busy'].includes(error.code)
      if (!overtaken || left === 1) throw error
    }
  }
}

async function planOf({ deps, scope }: Ask, listed: ListedLine[]): Promise<ImportPlan> {
  const emails = new Set(listed.flatMap(({ email }) => canonicalEmail(email) ?? []))
  return planImport(listed, await importStore(deps.db, scope).state([...emails]))
}

const answerOf = ({ lines, groups }: ImportPlan, dryRun: boolean): ImportAnswer => ({
  lines,
  added: lines.filter(({ outcome }) => outcome === 'added').length,
  groupsMade: groups.filter(({ id }) => id === null).length,
  dryRun,
})

/** @throws ProductError `busy` or `name_taken` when somebody changed the groups since the plan was made */
async function written(ask: Ask, plan: ImportPlan): Promise<ImportAnswer> {
  const { deps, scope } = ask
  const answer = answerOf(plan, false)
  const store = importStore(deps.db, scope)
  const filled = plan.groups.map(({ id, name, userIds }) => ({
    id: id ?? deps.ids.next('group'),
    name,
    userIds,
    isNew: id === null,
  }))
  const made = filled.filter(({ isNew }) => isNew)
  const others = filled.filter(({ isNew }) => !isNew)
  const turned = [
    ...(made.length === 0 ? [] : [store.makeGroups(made, { others, now: deps.clock.now() })]),
    ...(others.length === 0 ? [] : [store.turn(others)]),
  ]
  const overtaken = (): ProductError => new ProductError('busy', { retryAfter: 1 })
  const reply = ask.reply(answer)
  if (filled.length === 0 && reply === null) return answer
  await orNameTaken(
    'user_groups.workspace_id',
    commit(deps, {
      change: filled.length === 0 ? [] : [...turned, store.fill(filled)],
      audit: filled.map(({ id, name, userIds, isNew }) =>
        auditOf(ask, { action: isNew ? 'group.create' : 'group.members', id, after: { name, added: userIds } }),
      ),
      reply,
      ...(filled.length === 0 ? {} : { expect: { onMissed: overtaken } }),
    }),
  )
  return answer
}
