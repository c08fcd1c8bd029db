import { evaluateAlert } from './evaluate'
import { checkBand } from './look'
import { acknowledge, worstOf } from './model/machine'
import { shownTo } from './rows'
import type { StoredAlert } from './rows'
import { alertStore } from './store'
import type { EventInput } from './store'
import { noDate } from './test-run'
import type { Actor } from '../../access/actor'
import { checkMembers, findTracked } from '../../access/tracked'
import { auditOfKind } from '../../db/audit-of'
import { commit } from '../../db/commit'
import { orNameTaken } from '../../db/name-taken'
import type { Deps } from '../../deps'
import { positionOf } from '../../http/cursor'
import type { Asking } from '../../http/asking'
import { log } from '../../lib/log'
import { ALERTS_MAX } from '../../shared/alerts'
import type { Alert, AlertContent, AlertEvent, alertEventsSchema, listAlertsSchema } from '../../shared/alerts'
import { ProductError } from '../../shared/errors'
import type { Page } from '../../shared/names'
import type { z } from 'zod'

export interface Ask extends Asking {
  deps: Deps
  actor: Pick<Actor, 'userId' | 'name'>
}
const DAY_MS = 86_400_000

const storeOf = ({ deps, scope }: Pick<Ask, 'deps' | 'scope'>) => alertStore(deps.db, scope)

export async function listAlerts(
  ask: Pick<Ask, 'deps' | 'scope'>,
  { limit, cursor, insight, metric }: z.output<typeof listAlertsSchema>,
): Promise<Page<Alert>> {
  const of = insight === undefined ? null : ({ kind: 'insight', id: insight } as const)
  const subject = metric === undefined ? of : ({ kind: 'metric', id: metric } as const)
  const page = await storeOf(ask).list({ limit, after: positionOf(cursor, 'alert'), subject })
  return { items: page.items.map((alert) => shownTo(ask.scope, alert)), nextCursor: page.nextCursor }
}

/** @throws ProductError `not_found` */
export async function storedAlert(ask: Pick<Ask, 'deps' | 'scope'>, id: string): Promise<StoredAlert> {
  const alert = await storeOf(ask).get(id)
  if (!alert) throw new ProductError('not_found')
  return alert
}
export const getAlert = async (ask: Pick<Ask, 'deps' | 'scope'>, id: string): Promise<Alert> =>
  shownTo(ask.scope, await storedAlert(ask, id))

/** @throws ProductError `name_taken`, `limit_reached`; `invalid_input` for what cannot be followed, and for strangers */
export async function createAlert(ask: Ask, content: AlertContent): Promise<Alert> {
  const { deps, scope, actor } = ask
  const now = deps.clock.now()
  const id = deps.ids.next('alert')
  await checkContent(ask, content)
  const store = storeOf(ask)
  const at = new Date(now).toISOString()
  const born: Alert = {
    ...{
      ...content,
      id,
      subjectName: null,
      state: 'ok',
      groups: [],
      mutedUntil: null,
      trouble: null,
      evaluatedAt: null,
    },
    ...{ format: null, ownerId: actor.userId, ownerName: actor.name, receiverNames: [] },
    ...{ version: 1, createdAt: at, updatedAt: at },
  }
  await orNameTaken(
    'alerts.workspace_id',
    commit(deps, {
      change: [store.insert(id, content, now)],
      audit: [auditOf(ask, { action: 'alert.create', id, after: content })],
      reply: ask.reply(born),
      expect: {
        onMissed: async () =>
          new ProductError('limit_reached', { limit: 'alerts', used: await store.count(), max: ALERTS_MAX }),
      },
    }),
  )
  await evaluateNow(ask, id)
  return shownTo(scope, await storedAlert(ask, id))
}

/**
 * What was open stays open until the new condition says otherwise; only another subject or other groups begin anew. An
 * alert whose owner is gone becomes that of whoever saves it.
 * @throws ProductError `version_conflict` with the stored alert as `current`, `name_taken`, `invalid_input`
 */
export async function updateAlert(
  ask: Ask,
  { id, content, version }: { id: string; content: AlertContent; version: number },
): Promise<Alert> {
  const { deps, scope } = ask
  const before = await storedAlert(ask, id)
  if (before.version !== version) throw conflict(ask, before)
  await checkContent(ask, content)
  const now = deps.clock.now()
  const forget = JSON.stringify([before.subject, before.by]) !== JSON.stringify([content.subject, content.by])
  const store = storeOf(ask)
  const takeOver = before.trouble?.code === 'owner_gone' ? [store.takeOver(id)] : []
  await orNameTaken(
    'alerts.workspace_id',
    commit(deps, {
      change: [
        store.update(id, content, { version, now, forget }),
        ...takeOver,
        ...store.note(id, [eventOf(ask, 'changed')], { now, by: scope.actorId }),
      ],
      audit: [auditOf(ask, { action: 'alert.update', id, before, after: content })],
      reply: ask.reply({ ...shownTo(scope, before), ...content, version: version + 1 }),
      expect: { onMissed: async () => conflict(ask, await storedAlert(ask, id)) },
    }),
  )
  await evaluateNow(ask, id)
  return shownTo(scope, await storedAlert(ask, id))
}

export async function deleteAlert(ask: Ask, { id, version }: { id: string; version: number }): Promise<Alert> {
  const before = await storedAlert(ask, id)
  if (before.version !== version) throw conflict(ask, before)
  const gone = shownTo(ask.scope, before)
  await commit(ask.deps, {
    change: [storeOf(ask).remove(id, version)],
    audit: [auditOf(ask, { action: 'alert.delete', id, before })],
    reply: ask.reply(gone),
    expect: { onMissed: async () => conflict(ask, await storedAlert(ask, id)) },
  })
  return gone
}

const TRIES = 4

/** Something may be remembered at the same moment by an evaluation: what a person does is tried again on top of it. */
async function onTop(ask: Ask, id: string, write: (alert: StoredAlert) => Promise<unknown>): Promise<Alert> {
  for (let tries = 1; ; tries++) {
    const before = await storedAlert(ask, id)
    try {
      await write(before)
      return shownTo(ask.scope, await storedAlert(ask, id))
    } catch (error) {
      if (!(error instanceof ProductError && error.code === 'busy') || tries === TRIES) throw error
    }
  }
}
const busy = (): ProductError => new ProductError('busy', { retryAfter: 1 })

/** Every open group is acknowledged: it stays open, and quiet until it ends. */
export const acknowledgeAlert = (ask: Ask, id: string): Promise<Alert> =>
  onTop(ask, id, async (alert) => {
    if (worstOf(alert.kept.map(({ state }) => state)) !== 'open') return
    const { deps, scope } = ask
    const now = deps.clock.now()
    const store = storeOf(ask)
    const kept = alert.kept.map((group) => ({ ...group, ...acknowledge(group, now) }))
    await commit(deps, {
      change: [
        store.setGroups(alert, kept),
        ...store.note(id, [eventOf(ask, 'acknowledged')], { now, by: scope.actorId }),
      ],
      audit: [auditOf(ask, { action: 'alert.acknowledge', id })],
      reply: ask.reply(shownTo(scope, { ...alert, kept })),
      expect: { onMissed: busy },
    })
  })

/** It goes on being evaluated, and says nothing until then. Null days: it speaks again, also of what it kept to itself. */
export async function muteAlert(ask: Ask, { id, days }: { id: string; days: number | null }): Promise<Alert> {
  const { deps, scope } = ask
  const now = deps.clock.now()
  const muted = await onTop(ask, id, async (alert) => {
    const store = storeOf(ask)
    const until = days === null ? null : now + days * DAY_MS
    const mutedUntil = until === null ? null : new Date(until).toISOString()
    const kind = days === null ? 'unmuted' : 'muted'
    await commit(deps, {
      change: [store.mute(alert, { until, now }), ...store.note(id, [eventOf(ask, kind)], { now, by: scope.actorId })],
      audit: [auditOf(ask, { action: days === null ? 'alert.unmute' : 'alert.mute', id, after: { days } })],
      reply: ask.reply({ ...shownTo(scope, alert), mutedUntil }),
      expect: { onMissed: busy },
    })
  })
  if (days !== null) return muted
  await evaluateNow(ask, id)
  return getAlert(ask, id)
}

export async function alertEvents(
  ask: Pick<Ask, 'deps' | 'scope'>,
  { id, limit, cursor }: { id: string } & z.output<typeof alertEventsSchema>,
): Promise<Page<AlertEvent>> {
  await storedAlert(ask, id)
  return storeOf(ask).events(id, { limit, after: positionOf(cursor, 'audit') })
}

/** What is saved is evaluated at once; what hinders that now is no fault of the saving, and the round looks again. */
async function evaluateNow({ deps, scope }: Ask, id: string): Promise<void> {
  await evaluateAlert(deps, scope, id).catch((error: unknown) =>
    log('warn', 'an alert was not evaluated when it was saved', { id, reason: String(error) }),
  )
}

async function checkContent(ask: Ask, content: AlertContent): Promise<void> {
  const { subject, receivers, by } = content
  const [found, strangers] = await Promise.all([
    findTracked(ask.deps, ask.scope, subject),
    storeOf(ask).strangers(receivers),
  ])
  if (!found.ok && found.why === 'no_date') throw noDate()
  if (!found.ok) throw new ProductError('invalid_input', { fields: { subject: 'It is gone. Choose another.' } })
  if (strangers.length > 0)
    throw new ProductError('invalid_input', { fields: { receivers: 'Choose people of this workspace.' } })
  await checkBand(ask, content)
  await checkMembers(ask.deps, ask.scope, { tracked: found.tracked, by })
}

const conflict = ({ scope }: Pick<Ask, 'scope'>, alert: StoredAlert): ProductError =>
  new ProductError('version_conflict', { current: shownTo(scope, alert) })

const eventOf = ({ deps }: Pick<Ask, 'deps'>, kind: EventInput['kind']): EventInput => ({
  id: deps.ids.next('audit'),
  kind,
})

const auditOf = auditOfKind('alert')
