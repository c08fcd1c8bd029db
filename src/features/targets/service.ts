import { targetStore } from './store'
import type { Actor, Membership } from '../../access/actor'
import { frozen } from '../../access/frozen'
import { checkMembers, findTracked } from '../../access/tracked'
import type { Found } from '../../access/tracked'
import { commit } from '../../db/commit'
import type { Deps } from '../../deps'
import type { Asking } from '../../http/asking'
import { ProductError } from '../../shared/errors'
import { TARGETS_MAX } from '../../shared/targets'
import type { SaveTargets, TargetTable } from '../../shared/targets'
import { periodStart } from '../../shared/target-periods'
import type { Subject } from '../../shared/tracked'

export interface Ask extends Asking {
  deps: Deps
  actor: Pick<Actor, 'name'>
  membership: Pick<Membership, 'settings' | 'entitlements'>
}
type Looking = Pick<Ask, 'deps' | 'scope'>

/** @throws ProductError `not_found` when the subject is not there */
export async function subjectOf({ deps, scope }: Looking, subject: Subject): Promise<Found> {
  const found = await findTracked(deps, scope, subject)
  if (!found.ok && found.why === 'gone') throw new ProductError('not_found')
  return found
}

/** The table of a figure; an empty one where nothing was saved. */
export async function getTargets(ask: Looking, subject: Subject): Promise<TargetTable> {
  await subjectOf(ask, subject)
  return (await targetStore(ask.deps.db, ask.scope).get(subject)) ?? emptyTable(subject)
}
export const emptyTable = (subject: Subject): TargetTable => ({
  ...{ subject, grain: 'month', by: null, lines: [], version: 0, updatedAt: null, updatedBy: null },
})

/**
 * The whole table at once.
 * @throws ProductError `version_conflict` with the stored table as `current`, `limit_reached`, `invalid_input`, `read_only`
 */
export async function saveTargets(ask: Ask, subject: Subject, input: SaveTargets): Promise<TargetTable> {
  const { deps, scope, membership } = ask
  const found = await subjectOf(ask, subject)
  if (!found.ok)
    throw new ProductError('invalid_input', { fields: { lines: 'What it is about has no date to follow it over.' } })
  const store = targetStore(deps.db, scope)
  if (await store.isFrozen(subject, membership.entitlements.features.customInsights))
    throw frozen('This insight is frozen: the plan has room for fewer. Its targets stay as they are.')
  checkPeriods(input, membership.settings.fiscalYearStart)
  const before = await store.get(subject)
  if ((before?.version ?? 0) !== input.version)
    throw new ProductError('version_conflict', { current: before ?? emptyTable(subject) })
  // A dimension that is gone meanwhile stays as it was; another one must be there.
  if (JSON.stringify(input.by) !== JSON.stringify(before?.by ?? null))
    await checkMembers(deps, scope, { tracked: found.tracked, by: input.by })
  const now = deps.clock.now()
  const saved: TargetTable = {
    ...{ subject, grain: input.grain, by: input.by, lines: input.lines, version: input.version + 1 },
    ...{ updatedAt: new Date(now).toISOString(), updatedBy: ask.actor.name },
  }
  await commit(deps, {
    change: [store.put(subject, { ...input, id: deps.ids.next('target'), now })],
    audit: [
      {
        ...{ workspaceId: scope.workspaceId, actorId: scope.actorId, action: 'target.update', entity: subject.kind },
        ...{ entityId: subject.id, before, after: saved },
      },
    ],
    reply: ask.reply(saved),
    expect: { onMissed: () => missed(ask, subject, input.version) },
  })
  return saved
}

async function missed({ deps, scope }: Ask, subject: Subject, version: number): Promise<ProductError> {
  const store = targetStore(deps.db, scope)
  const current = (await store.get(subject)) ?? emptyTable(subject)
  if (current.version !== version) return new ProductError('version_conflict', { current })
  return new ProductError('limit_reached', { limit: 'targets', used: await store.count(), max: TARGETS_MAX })
}

function checkPeriods({ lines, grain }: SaveTargets, fiscalYearStart: number): void {
  const odd = lines
    .flatMap(({ values }) => values)
    .find(({ period }) => periodStart(period, { grain, fiscalYearStart }) !== period)
  if (odd)
    throw new ProductError('invalid_input', { fields: { lines: `No period of this kind begins on ${odd.period}.` } })
}
