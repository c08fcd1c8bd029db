import { Temporal } from 'temporal-polyfill'
import { alertMails, type AlertNotification } from './mail'
import { initialState, transition, evaluateCondition, consecutivePeriodsMet } from './model/alert-state'
import { observeForCondition } from './observations'
import { readDataEnd } from './data-end'
import type { EvaluationProblem, AlertObservation, GroupObservation } from './observations'
import { alertStore, claimDueAlerts } from './store'
import type { StoredGroup } from './stored-groups'
import type { StoredAlert, NewAlertEvent, EvaluationRecord } from './store'
import type { AlertBasis } from '../../shared/alerts'
import { toIso } from '../../lib/iso'
import { DAY_MS, MINUTE_MS } from '../../shared/dates'
import { rulesBasis, withAskedDatasets } from '../../semantic/rules-basis'
import { calendarOf } from '../../semantic/calendar'
import { staleByAccess } from '../../identity/access/changed-rights'
import { accessFingerprint, Scope } from '../../scope'
import { memberKey } from '../../semantic/metric-series'
import { readMemberContext, type MemberContext } from '../../identity/member-context-store'
import { findMonitoredMetric } from '../../semantic/monitored-metric'
import { commit, type AuditEntry } from '../../db/commit'
import type { Deps } from '../../deps'
import { isTransient, ProductError } from '../../shared/errors'

/** Somebody else remembered something meanwhile: read and looked at again this often. */
const ATTEMPTS_MAX = 4
class ConcurrentUpdateError extends Error {}

/**
 * Evaluates one alert as its owner sees it, remembers what was found and orders the mails that follow, in one commit. Of
 * two evaluations at once one is written; the other looks again and finds nothing new.
 */
export async function evaluateAlert(deps: Deps, scope: Scope, id: string): Promise<void> {
  for (let tries = 0; tries < ATTEMPTS_MAX; tries++) {
    const alert = await alertStore(deps.db, scope).get(id)
    if (!alert?.active) return
    try {
      return await evaluate(deps, scope, alert)
    } catch (error) {
      if (!(error instanceof ConcurrentUpdateError)) throw error
    }
  }
}

async function evaluate(deps: Deps, scope: Scope, alert: StoredAlert): Promise<void> {
  const owner = await readMemberContext(deps, { workspaceId: alert.workspaceId, userId: alert.ownerId })
  if (!owner) return recordProblem(deps, scope, { alert, owner, trouble: OWNER_GONE })
  if (owner.entitlements.readOnly !== null) return recordProblem(deps, scope, { alert, owner, trouble: null })
  const found = await findMonitoredMetric(deps, owner.scope, alert.subject)
  if (!found.ok)
    return recordProblem(deps, scope, { alert, owner, trouble: found.why === 'gone' ? SUBJECT_GONE : NO_DATE })
  try {
    const calendar = calendarOf(owner, deps.clock)
    const at = { deps, scope: owner.scope, calendar }
    const periods = alert.hold.of === 'periods' ? alert.hold.n : 1
    const watch = { tracked: found.monitoredMetric, rules: alert, periods, known: alert.kept }
    const looked = await observeForCondition(at, watch)
    if (!looked.ok) return await recordProblem(deps, scope, { alert, owner, trouble: looked.trouble })
    const basis = await rulesBasis(deps, owner.scope)
    const observation = { ...looked.observation, datasets: withAskedDatasets(looked.observation.datasets, basis) }
    const ended = observation.groups.length === 0 ? await readDataEnd(at, watch) : null
    if (ended !== null) {
      const trouble: EvaluationProblem = { ...DATA_ENDED, dataTo: ended }
      return await recordProblem(deps, scope, { alert: withObserved(alert, owner, observation), owner, trouble })
    }
    await saveEvaluation(deps, scope, { alert, owner, observation, subjectName: found.name })
  } catch (error) {
    // What passes by itself is tried again.
    if (!(error instanceof ProductError) || isTransient(error)) throw error
    const { message } = error
    const retryMs = error.code === 'source_failed' ? SOURCE_RETRY_MS : null
    await recordProblem(deps, scope, { alert, owner, trouble: { code: 'refused', message }, retryMs })
  }
}

/** A database that rows stay in may be back long before the next day. */
const SOURCE_RETRY_MS = 60 * MINUTE_MS

const OWNER_GONE: EvaluationProblem = {
  code: 'owner_gone',
  message: 'Owner has left; save to take over.',
}
const SUBJECT_GONE: EvaluationProblem = { code: 'subject_gone', message: 'Source deleted.' }
const NO_DATE: EvaluationProblem = { code: 'no_date', message: 'No date column.' }

/** That what was judged is the end of data that ended. */
function endOf(alert: StoredAlert, { dataTo }: AlertObservation, now: number): EvaluationRecord['trouble'] {
  if (!dataTo) return null
  const isKnown = alert.trouble?.code === DATA_ENDED.code
  return { ...DATA_ENDED, dataTo, since: isKnown && alert.trouble ? alert.trouble.since : toIso(now) }
}

const DATA_ENDED: EvaluationProblem = {
  code: 'data_ended',
  message: 'The data end before the period to check. Checked again when newer rows are loaded.',
}
/** What is known of a figure though none of it could be judged. Figures that are kept stay under the rights they were found with. */
const withObserved = (
  alert: StoredAlert,
  owner: MemberContext,
  { format, datasets }: AlertObservation,
): StoredAlert => ({
  ...{ ...alert, format, datasets },
  rights: alert.kept.length === 0 ? accessFingerprint(owner.scope) : alert.rights,
})

interface UnjudgedAlert {
  alert: StoredAlert
  owner: MemberContext | null
  trouble: EvaluationProblem | null
  /** Looked at again then at the latest; null: at the next period. */
  retryMs?: number | null
}

/** Nothing could be judged: everything stays as it is, and it is said why. */
async function recordProblem(
  deps: Deps,
  scope: Scope,
  { alert, owner, trouble, retryMs = null }: UnjudgedAlert,
): Promise<void> {
  const now = deps.clock.now()
  const since = alert.trouble?.code === trouble?.code ? alert.trouble?.since : undefined
  const said = trouble && { ...trouble, since: since ?? toIso(now) }
  const { kept, rights, format, datasets } = alert
  const tomorrow = nextDueAt(alert, owner, now)
  const dueAt = retryMs === null ? tomorrow : Math.min(tomorrow, now + retryMs)
  const to = { kept, rights, format, datasets, trouble: said, now, dueAt }
  await alertStore(deps.db, scope).saveEvaluation(alert, to).run()
}

interface EvaluationResult {
  alert: StoredAlert
  owner: MemberContext
  observation: AlertObservation
  subjectName: string
}

async function saveEvaluation(
  deps: Deps,
  scope: Scope,
  { alert, owner, observation, subjectName }: EvaluationResult,
): Promise<void> {
  const now = deps.clock.now()
  const { format, datasets } = observation
  const rights = accessFingerprint(owner.scope)
  const { kept, events, told } = advanceGroups(alert, observation.groups, { now, newId: () => deps.ids.next('audit') })
  const to: EvaluationRecord = {
    kept,
    rights,
    format,
    datasets,
    trouble: endOf(alert, observation, now),
    now,
    dueAt: nextDueAt(alert, owner, now),
  }
  const store = alertStore(deps.db, scope)
  const noted = store.recordEvents(
    alert.id,
    events.map((event) => ({ ...event, rights })),
    { now, by: null },
  )
  await commit(deps, {
    change: [store.saveEvaluation(alert, to), ...noted],
    audit: auditEntries(alert, events),
    outbox: await alertMails(deps, { alert, owner, subjectName, format, told }),
    expect: { onMissed: throwConcurrentUpdate },
  })
}
const throwConcurrentUpdate = (): never => {
  throw new ConcurrentUpdateError('Something else was remembered meanwhile.')
}

/** Every group one step on. Groups of which nothing is known stay as they are. */
function advanceGroups(
  alert: StoredAlert,
  groups: readonly GroupObservation[],
  { now, newId }: { now: number; newId: () => string },
): { kept: StoredGroup[]; events: NewAlertEvent[]; told: AlertNotification[] } {
  const before = new Map(alert.kept.map((one) => [memberKey(one.member), one]))
  const events: NewAlertEvent[] = []
  const told: AlertNotification[] = []
  const judged = groups.flatMap(({ member, label, readings, isGone }): StoredGroup[] => {
    const reading = readings.at(-1)
    const kept = before.get(memberKey(member)) ?? {
      ...initialState(now),
      member,
      label,
      period: null,
      value: null,
      compared: null,
    }
    before.delete(memberKey(member))
    if (!reading) return [kept]
    const at = {
      verdict: evaluateCondition(reading, alert.condition),
      periods: consecutivePeriodsMet(readings, alert.condition),
      now,
    }
    const rules = { hold: alert.hold, reminderDays: alert.reminderDays, mutedUntil: alert.mutedUntilMs }
    const { next, event, notification } = transition(kept, at, rules)
    const { period, value, compared } = reading
    const group: StoredGroup = { ...next, member, label, period, value, compared }
    // Of what is gone and quiet nothing is remembered: members come and go without end.
    const isOver = isGone && !event && !notification && next.state === 'ok' && next.told === 'ok' && next.streak === 0
    if (event) events.push({ id: newId(), kind: event, label, period, value })
    if (notification === 'reminded') events.push({ id: newId(), kind: 'reminded', label, period, value })
    if (notification) told.push({ kind: notification, group })
    return isOver ? [] : [group]
  })
  return { kept: [...judged, ...before.values()], events, told }
}

const AUDIT_ACTIONS = { opened: 'alert.open', resolved: 'alert.resolve' } as const

/** One line for each thing that happened, by the product itself. */
function auditEntries(alert: StoredAlert, events: readonly NewAlertEvent[]): AuditEntry[] {
  const kinds = new Set(events.map(({ kind }) => kind))
  return (['opened', 'resolved'] as const).flatMap((kind) =>
    kinds.has(kind)
      ? [
          {
            workspaceId: alert.workspaceId,
            actorId: null,
            action: AUDIT_ACTIONS[kind],
            entity: 'alert',
            entityId: alert.id,
          },
        ]
      : [],
  )
}

/** An hour into the next day of the workspace: periods have ended, and what is open may be due for a reminder. */
const DUE_HOUR = 1

function nextDueAt(alert: StoredAlert, owner: MemberContext | null, now: number): number {
  const timeZone = owner?.settings.timeZone ?? 'UTC'
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate()
  const next = today.add({ days: 1 }).toZonedDateTime({ timeZone, plainTime: new Temporal.PlainTime(DUE_HOUR) })
  const tomorrow = Math.min(next.epochMilliseconds, now + 2 * DAY_MS)
  const { mutedUntilMs } = alert
  return mutedUntilMs !== null && mutedUntilMs > now ? Math.min(tomorrow, mutedUntilMs) : tomorrow
}

/** Alerts that one round looks at. */
const ALERTS_PER_RUN_MAX = 25
/** How long a round has to itself before another one tries. */
const LEASE_MS = 10 * MINUTE_MS

/**
 * New rows of a dataset: evaluates every alert that reads it, whatever `scope` may see of alerts: each is asked with what
 * its owner may see. One that cannot be evaluated holds up no other.
 * @param by only those judged by this; all when left out
 */
export async function evaluateDependentAlerts(
  deps: Deps,
  { scope, by = null }: Pick<MemberContext, 'scope'> & { by?: AlertBasis | null },
  datasetId: string,
): Promise<void> {
  const { workspaceId, actorId: userId } = scope
  const key = Scope.forJob({ workspaceId, userId, epoch: '' })
  const dependents = await alertStore(deps.db, key).dependentsOf(datasetId, by)
  await forEachThenThrow(dependents, (id) => evaluateAlert(deps, key, id))
}

/** Rules of access changed: evaluates every alert whose owner sees other things than when it was evaluated. */
export async function evaluateAlertsOfChangedRights(
  deps: Deps,
  { scope }: Pick<MemberContext, 'scope'>,
): Promise<void> {
  const { workspaceId, actorId: userId } = scope
  const key = Scope.forJob({ workspaceId, userId, epoch: '' })
  const changed = await staleByAccess(deps, workspaceId, await alertStore(deps.db, key).keptUnderRights())
  await forEachThenThrow(changed, (id) => evaluateAlert(deps, key, id))
}

/** The scheduled round: periods end, and reminders fall due, where no new rows come. */
export async function evaluateDueAlerts(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const claimed = await claimDueAlerts(deps.db, { now, leaseEnd: now + LEASE_MS, limit: ALERTS_PER_RUN_MAX })
  // The key only opens the alert itself: figures are asked for with what its owner may see at that moment.
  await forEachThenThrow(claimed, ({ id, workspaceId, ownerId }) =>
    evaluateAlert(deps, Scope.forJob({ workspaceId, userId: ownerId, epoch: '' }), id),
  )
}

/** Does all of it, then throws the first fault there was: whoever called tries again. */
async function forEachThenThrow<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const faults: unknown[] = []
  for (const item of items) await work(item).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}
