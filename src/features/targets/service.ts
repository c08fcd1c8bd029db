import { seenInPart } from '../../identity/access/visible-dataset'
import { seesMembers } from '../../semantic/target-store'
import { targetStore } from './store'
import { overLimit } from '../../entitlements/limits'
import { validateMemberDimension, findMonitoredMetric } from '../../semantic/monitored-metric'
import type { MonitoredMetricLookup } from '../../semantic/monitored-metric'
import { auditEntryFactory, commit } from '../../db/commit'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import { ProductError } from '../../shared/errors'
import { TARGETS_MAX } from '../../shared/targets/targets'
import type { SaveTargets, TargetTable } from '../../shared/targets/targets'
import { periodStart } from '../../shared/targets/periods'
import type { SubjectRef } from '../../shared/monitored-metric'
import type { ReadContext } from '../../deps'

/** @throws ProductError `not_found` when the subject is not there */
export async function resolveSubject(
  { deps, scope }: ReadContext,
  subjectRef: SubjectRef,
): Promise<MonitoredMetricLookup> {
  const found = await findMonitoredMetric(deps, scope, subjectRef)
  if (!found.ok && found.why === 'gone') throw new ProductError('not_found')
  return found
}

/** The table of a figure; an empty one where nothing was saved. */
export async function getTargets(context: ReadContext, subjectRef: SubjectRef): Promise<TargetTable> {
  await resolveSubject(context, subjectRef)
  return (await targetStore(context.deps.db, context.scope).get(subjectRef)) ?? emptyTable(subjectRef)
}
const emptyTable = (subjectRef: SubjectRef): TargetTable => ({
  subject: subjectRef,
  grain: 'month',
  by: null,
  lines: [],
  version: 0,
  updatedAt: null,
  updatedBy: null,
})

/**
 * The whole table at once. Members that are seen in part have none set: those that are not seen would lose theirs.
 * @throws ProductError `version_conflict` with the stored table as `current`, `limit_reached`, `invalid_input`, `read_only`
 */
export async function saveTargets(
  context: RequestContext,
  subjectRef: SubjectRef,
  input: SaveTargets,
): Promise<TargetTable> {
  const { deps, scope, membership } = context
  const found = await resolveSubject(context, subjectRef)
  if (!found.ok) throw new ProductError('invalid_input', { fields: { lines: 'Date column not found.' } })
  const store = targetStore(deps.db, scope)
  if (await store.isOverLimit(subjectRef, membership.entitlements.features.customInsights))
    throw overLimit('This insight is over your plan’s limit, so its targets can’t be changed.')
  validatePeriods(input, membership.settings.fiscalYearStart)
  const before = await store.get(subjectRef)
  if ((before?.version ?? 0) !== input.version)
    throw new ProductError('version_conflict', { current: before ?? emptyTable(subjectRef) })
  // A dimension that is gone meanwhile stays as it was; another one must be there.
  if (JSON.stringify(input.by) !== JSON.stringify(before?.by ?? null))
    await validateMemberDimension(deps, scope, { tracked: found.monitoredMetric, by: input.by })
  for (const by of [before?.by, input.by]) if (by && !(await seesMembers(deps.db, scope, by.field))) throw seenInPart()
  const now = deps.clock.now()
  const saved: TargetTable = {
    subject: subjectRef,
    grain: input.grain,
    by: input.by,
    lines: input.lines,
    version: input.version + 1,
    updatedAt: toIso(now),
    updatedBy: context.actor.name,
  }
  await commit(deps, {
    change: [store.save(subjectRef, { ...input, id: deps.ids.next('target'), now })],
    audit: [
      auditEntryFactory(subjectRef.kind)(context, { action: 'target.update', id: subjectRef.id, before, after: saved }),
    ],
    reply: context.reply(saved),
    expect: { onMissed: () => saveConflict(context, subjectRef, input.version) },
  })
  return saved
}

async function saveConflict(
  { deps, scope }: RequestContext,
  subjectRef: SubjectRef,
  version: number,
): Promise<ProductError> {
  const store = targetStore(deps.db, scope)
  const current = (await store.get(subjectRef)) ?? emptyTable(subjectRef)
  if (current.version !== version) return new ProductError('version_conflict', { current })
  return new ProductError('limit_reached', { limit: 'targets', used: await store.count(), max: TARGETS_MAX })
}

function validatePeriods({ lines, grain }: SaveTargets, fiscalYearStart: number): void {
  const odd = lines
    .flatMap(({ values }) => values)
    .find(({ period }) => periodStart(period, { grain, fiscalYearStart }) !== period)
  if (odd) throw new ProductError('invalid_input', { fields: { lines: `No period starts on ${odd.period}.` } })
}
