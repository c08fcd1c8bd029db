import type { z } from 'zod'
import { evaluateAlert } from './evaluate'
import { validateBand, observeForCondition } from './observations'
import type { GroupObservation } from './observations'
import {
  acknowledge,
  worstState,
  initialState,
  transition,
  evaluateCondition,
  consecutivePeriodsMet,
} from './model/alert-state'
import { toVisibleAlert, alertStore } from './store'
import type { StoredAlert, NewAlertEvent } from './store'
import { validateMemberDimension, findMonitoredMetric } from '../../semantic/monitored-metric'
import { auditEntryFactory, commit, rethrowNameTaken } from '../../db/commit'
import { decodeCursor } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import { toIso, toIsoOrNull } from '../../lib/iso'
import { DAY_MS } from '../../shared/dates'
import { log } from '../../lib/log'
import { ALERTS_MAX, HOLD_MAX, TEST_PERIODS } from '../../shared/alerts'
import type {
  Alert,
  AlertContent,
  AlertEvent,
  alertEventsSchema,
  listAlertsSchema,
  AlertRules,
  AlertTestReading,
  AlertTestRun,
} from '../../shared/alerts'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'
import { readDataEnd } from './data-end'
import type { CalendarContext } from '../../semantic/calendar'
import type { ReadContext } from '../../deps'

const storeOf = ({ deps, scope }: ReadContext) => alertStore(deps.db, scope)

export async function listAlerts(
  context: ReadContext,
  { limit, cursor, insight, metric }: z.output<typeof listAlertsSchema>,
): Promise<ListPage<Alert>> {
  const of = insight === undefined ? null : ({ kind: 'insight', id: insight } as const)
  const subject = metric === undefined ? of : ({ kind: 'metric', id: metric } as const)
  const page = await storeOf(context).list({ limit, after: decodeCursor(cursor, 'alert'), subject })
  return { items: page.items.map((alert) => toVisibleAlert(context.scope, alert)), nextCursor: page.nextCursor }
}

/** @throws ProductError `not_found` */
async function requireAlert(context: ReadContext, id: string): Promise<StoredAlert> {
  const alert = await storeOf(context).get(id)
  if (!alert) throw new ProductError('not_found')
  return alert
}
export const getAlert = async (context: ReadContext, id: string): Promise<Alert> =>
  toVisibleAlert(context.scope, await requireAlert(context, id))

/** @throws ProductError `name_taken`, `limit_reached`; `invalid_input` for what cannot be followed, and for strangers */
export async function createAlert(context: RequestContext, content: AlertContent): Promise<Alert> {
  const { deps, scope, actor } = context
  const now = deps.clock.now()
  const id = deps.ids.next('alert')
  await validateContent(context, content)
  const store = storeOf(context)
  const at = toIso(now)
  const created: Alert = {
    ...content,
    id,
    subjectName: null,
    state: 'ok',
    groups: [],
    mutedUntil: null,
    trouble: null,
    evaluatedAt: null,
    format: null,
    ownerId: actor.userId,
    ownerName: actor.name,
    receiverNames: [],
    version: 1,
    createdAt: at,
    updatedAt: at,
  }
  await rethrowNameTaken(
    'alerts.workspace_id',
    commit(deps, {
      change: [store.insert(id, content, now)],
      audit: [auditOf(context, { action: 'alert.create', id, after: content })],
      reply: context.reply(created),
      expect: {
        onMissed: async () =>
          new ProductError('limit_reached', { limit: 'alerts', used: await store.count(), max: ALERTS_MAX }),
      },
    }),
  )
  await evaluateNow(context, id)
  return toVisibleAlert(scope, await requireAlert(context, id))
}

/**
 * What was open stays open until the new condition says otherwise; only another subject or other groups begin anew. An
 * alert whose owner is gone becomes that of whoever saves it.
 * @throws ProductError `version_conflict` with the stored alert as `current`, `name_taken`, `invalid_input`
 */
export async function updateAlert(
  context: RequestContext,
  { id, content, version }: { id: string; content: AlertContent; version: number },
): Promise<Alert> {
  const { deps, scope } = context
  const before = await requireAlert(context, id)
  if (before.version !== version) throw versionConflict(context, before)
  await validateContent(context, content)
  const now = deps.clock.now()
  const forget = JSON.stringify([before.subject, before.by]) !== JSON.stringify([content.subject, content.by])
  const store = storeOf(context)
  const takeOver = before.trouble?.code === 'owner_gone' ? [store.takeOver(id)] : []
  await rethrowNameTaken(
    'alerts.workspace_id',
    commit(deps, {
      change: [
        store.update(id, content, { version, now, forget }),
        ...takeOver,
        ...store.recordEvents(id, [newEvent(context, 'changed')], { now, by: scope.actorId }),
      ],
      audit: [auditOf(context, { action: 'alert.update', id, before, after: content })],
      reply: context.reply({ ...toVisibleAlert(scope, before), ...content, version: version + 1 }),
      expect: { onMissed: async () => versionConflict(context, await requireAlert(context, id)) },
    }),
  )
  await evaluateNow(context, id)
  return toVisibleAlert(scope, await requireAlert(context, id))
}

export async function deleteAlert(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<Alert> {
  const before = await requireAlert(context, id)
  if (before.version !== version) throw versionConflict(context, before)
  const gone = toVisibleAlert(context.scope, before)
  await commit(context.deps, {
    change: [storeOf(context).remove(id, version)],
    audit: [auditOf(context, { action: 'alert.delete', id, before })],
    reply: context.reply(gone),
    expect: { onMissed: async () => versionConflict(context, await requireAlert(context, id)) },
  })
  return gone
}

const ATTEMPTS_MAX = 4

/** Something may be remembered at the same moment by an evaluation: what a person does is tried again on top of it. */
async function retryOnConflict(
  context: RequestContext,
  id: string,
  write: (alert: StoredAlert) => Promise<unknown>,
): Promise<Alert> {
  for (let tries = 1; ; tries++) {
    const before = await requireAlert(context, id)
    try {
      await write(before)
      return toVisibleAlert(context.scope, await requireAlert(context, id))
    } catch (error) {
      if (!(error instanceof ProductError && error.code === 'busy') || tries === ATTEMPTS_MAX) throw error
    }
  }
}
const busyError = (): ProductError => new ProductError('busy', { retryAfter: 1 })

/** Every open group is acknowledged: it stays open, and quiet until it ends. */
export const acknowledgeAlert = (context: RequestContext, id: string): Promise<Alert> =>
  retryOnConflict(context, id, async (alert) => {
    if (worstState(alert.kept.map(({ state }) => state)) !== 'open') return
    const { deps, scope } = context
    const now = deps.clock.now()
    const store = storeOf(context)
    const kept = alert.kept.map((group) => ({ ...group, ...acknowledge(group, now) }))
    await commit(deps, {
      change: [
        store.setGroups(alert, kept),
        ...store.recordEvents(id, [newEvent(context, 'acknowledged')], { now, by: scope.actorId }),
      ],
      audit: [auditOf(context, { action: 'alert.acknowledge', id })],
      reply: context.reply(toVisibleAlert(scope, { ...alert, kept })),
      expect: { onMissed: busyError },
    })
  })

/** It goes on being evaluated, and says nothing until then. Null days: it speaks again, also of what it kept to itself. */
export async function muteAlert(
  context: RequestContext,
  { id, days }: { id: string; days: number | null },
): Promise<Alert> {
  const { deps, scope } = context
  const now = deps.clock.now()
  const muted = await retryOnConflict(context, id, async (alert) => {
    const store = storeOf(context)
    const until = days === null ? null : now + days * DAY_MS
    const kind = days === null ? 'unmuted' : 'muted'
    await commit(deps, {
      change: [
        store.mute(alert, { until, now }),
        ...store.recordEvents(id, [newEvent(context, kind)], { now, by: scope.actorId }),
      ],
      audit: [auditOf(context, { action: days === null ? 'alert.unmute' : 'alert.mute', id, after: { days } })],
      reply: context.reply({ ...toVisibleAlert(scope, alert), mutedUntil: toIsoOrNull(until) }),
      expect: { onMissed: busyError },
    })
  })
  if (days !== null) return muted
  await evaluateNow(context, id)
  return getAlert(context, id)
}

export async function alertEvents(
  context: ReadContext,
  { id, limit, cursor }: { id: string } & z.output<typeof alertEventsSchema>,
): Promise<ListPage<AlertEvent>> {
  await requireAlert(context, id)
  return storeOf(context).events(id, { limit, after: decodeCursor(cursor, 'audit') })
}

/** What is saved is evaluated at once; what hinders that now is no fault of the saving, and the round looks again. */
async function evaluateNow({ deps, scope }: RequestContext, id: string): Promise<void> {
  await evaluateAlert(deps, scope, id).catch((error: unknown) =>
    log('warn', 'an alert was not evaluated when it was saved', { id, reason: String(error) }),
  )
}

async function validateContent(context: RequestContext, content: AlertContent): Promise<void> {
  const { subject, receivers, by } = content
  const [found, strangers] = await Promise.all([
    findMonitoredMetric(context.deps, context.scope, subject),
    storeOf(context).nonMembers(receivers),
  ])
  if (!found.ok && found.why === 'no_date') throw noDateError()
  if (!found.ok) throw new ProductError('invalid_input', { fields: { subject: 'Not found. Choose another.' } })
  if (strangers.length > 0)
    throw new ProductError('invalid_input', { fields: { receivers: 'Choose people of this workspace.' } })
  await validateBand(context, content)
  await validateMemberDimension(context.deps, context.scope, { tracked: found.monitoredMetric, by })
}

const versionConflict = ({ scope }: Pick<RequestContext, 'scope'>, alert: StoredAlert): ProductError =>
  new ProductError('version_conflict', { current: toVisibleAlert(scope, alert) })

const newEvent = ({ deps }: Pick<RequestContext, 'deps'>, kind: NewAlertEvent['kind']): NewAlertEvent => ({
  id: deps.ids.next('audit'),
  kind,
})

const auditOf = auditEntryFactory('alert')

const GROUPS_SHOWN = 20
const TEST_NOTES: Partial<Record<AlertRules['condition']['kind'], AlertTestRun['note']>> = {
  finding: 'findings',
  band: 'bands',
}

/**
 * When an alert would have gone off over the last complete periods, each period evaluated once, with the figures as they
 * are known now. Asked with the rights of whoever asks.
 * @throws ProductError `not_found` when what it is about is gone, `invalid_input` when it has no date
 */
export async function runAlertTest(context: CalendarContext, rules: AlertRules): Promise<AlertTestRun> {
  const found = await findMonitoredMetric(context.deps, context.scope, rules.subject)
  if (!found.ok && found.why === 'gone') throw new ProductError('not_found')
  if (!found.ok) throw noDateError()
  // The oldest of the twelve may be the last of a run of periods that held.
  const periods = TEST_PERIODS + HOLD_MAX - 1
  const watch = { tracked: found.monitoredMetric, rules, periods, known: [], isTrial: true }
  const looked = await observeForCondition(context, watch)
  if (!looked.ok) throw new ProductError('invalid_input', { fields: { condition: looked.trouble.message } })
  const { groups, format } = looked.observation
  const dataTo = await readDataEnd(context, watch)
  const runs = groups.map((group) => ({ ...group, readings: replay(group, rules) }))
  const fires = ({ readings }: { readings: AlertTestReading[] }): number =>
    readings.filter(({ event }) => event === 'opened').length
  const shown = runs.toSorted((a, b) => fires(b) - fires(a)).slice(0, GROUPS_SHOWN)
  return {
    periods: runs[0]?.readings.map(({ period }) => period) ?? [],
    groups: shown.map(({ member, label, readings }) => ({ member, label, readings })),
    looked: runs.length,
    fired: runs.reduce((count, run) => count + fires(run), 0),
    ...{ format, dataTo },
    note: TEST_NOTES[rules.condition.kind] ?? null,
  }
}

const noDateError = (): ProductError =>
  new ProductError('invalid_input', {
    fields: { subject: 'No date column, or a moving figure. Choose another insight.' },
  })

function replay({ readings }: GroupObservation, rules: AlertRules): AlertTestReading[] {
  let state = initialState(0)
  const all = readings.map((reading, index): AlertTestReading => {
    const verdict = evaluateCondition(reading, rules.condition)
    const periods = consecutivePeriodsMet(readings.slice(0, index + 1), rules.condition)
    const quiet = { hold: rules.hold, reminderDays: null, mutedUntil: null }
    const { next, event } = transition(state, { verdict, periods, now: index }, quiet)
    state = next
    return { period: reading.period, value: reading.value, compared: reading.compared, met: verdict.met, event }
  })
  return all.slice(-TEST_PERIODS)
}
