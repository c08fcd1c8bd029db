import { holdCheck, isStillHeld } from './hold'
import { prepareReport, type DeliveryWork, type NotSent, type PreparedReport } from './prepare'
import { readReader } from './reader'
import { beginDueSlots } from '../../../features/reports/schedules/begin'
import { deleteOldFiles } from '../../../features/reports/schedules/delivery-files'
import {
  deliveryQueue,
  deliveryStore,
  TEST_SLOT,
  type ClaimedDelivery,
} from '../../../features/reports/schedules/delivery-store'
import { scheduleStore, type StoredSchedule } from '../../../features/reports/schedules/store'
import { reportStore, type StoredReport } from '../../../features/reports/store'
import { tryCommit, type OutboxEntry } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { accessFingerprint } from '../../../scope'
import { readMemberContext } from '../../../identity/member-context-store'
import { errorMessage, log } from '../../../lib/log'
import { formatDay } from '../../../mail/layout'
import { mailOutboxEntry, type QueuedMailOf } from '../../../mail/queued-mail'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates'
import { isTransient, ProductError } from '../../../shared/errors'
import { latestSlot } from '../../../shared/reports/schedule-dates'
import { ATTACHMENT_MAX_BYTES, type DeliveryReason } from '../../../shared/reports/schedules'

/** Deliveries of one round, and how long it works on them: each may ask every question of its report. */
const DELIVERIES_PER_RUN_MAX = 20
const ROUND_MS = 45_000
/** Of these, deliveries of one workspace before those of others that wait. */
const TURN_MAX = 5
/** How long one delivery has to itself. */
const LEASE_MS = 10 * MINUTE_MS
const RECHECK_MS = 10 * MINUTE_MS
const FAILURES_MAX = 6
const SETTLED_PER_RUN_MAX = 500
const LOG_KEPT_MS = 180 * DAY_MS
const DELETED_PER_RUN_MAX = 500

/** Sends every report whose date has come, each once to each recipient. Any number of rounds may do so at once. */
export async function sendDueReports(deps: Deps): Promise<void> {
  const { clock, db } = deps
  const queue = deliveryQueue(db)
  await beginDueSlots(deps)
  const begun = clock.now()
  const turns = new Map<string, number>()
  for (let n = 0; n < DELIVERIES_PER_RUN_MAX && clock.now() - begun < ROUND_MS; n += 1) {
    const delivery = await claimInTurn(deps, turns)
    if (!delivery) break
    turns.set(delivery.workspaceId, (turns.get(delivery.workspaceId) ?? 0) + 1)
    await deliver(deps, delivery)
  }
  await queue.settle(clock.now(), SETTLED_PER_RUN_MAX)
}

/** The next one, of a workspace that had no turn yet where one waits. One at a time: its document is held in memory. */
async function claimInTurn({ clock, db }: Deps, turns: ReadonlyMap<string, number>): Promise<ClaimedDelivery | null> {
  const queue = deliveryQueue(db)
  const at = { now: clock.now(), leaseEnd: clock.now() + LEASE_MS, limit: 1 }
  const aside = [...turns].flatMap(([id, served]) => (served < TURN_MAX ? [] : [id]))
  const [first] = await queue.claimDue({ ...at, aside })
  if (first || aside.length === 0) return first ?? null
  const [next] = await queue.claimDue(at)
  return next ?? null
}

/** Removes what nobody asks for any more. */
export async function sweepDeliveries(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  await deliveryQueue(deps.db).deleteOld(now - LOG_KEPT_MS, DELETED_PER_RUN_MAX)
  // The store of files is asked once an hour.
  if (Math.floor(now / MINUTE_MS) % 60 === 17) await deleteOldFiles(deps)
}

/** The same for one delivery, at once. */
export async function deliverNow(deps: Deps, id: string): Promise<void> {
  const now = deps.clock.now()
  const [delivery] = await deliveryQueue(deps.db).claimDue({ now, leaseEnd: now + LEASE_MS, limit: 1, id })
  if (delivery) await deliver(deps, delivery)
}

async function deliver(deps: Deps, delivery: ClaimedDelivery): Promise<void> {
  const schedule = await scheduleStore(deps.db, delivery).get(delivery.scheduleId)
  if (!schedule) return
  try {
    const work = await workOf(deps, schedule, delivery)
    if ('state' in work) return await endWithout(deps, { schedule, delivery, report: null }, work)
    const { report } = work
    if (!work.isTest && (await isStillHeld(work))) return await holdOn(deps, delivery)
    const made = await prepareReport(work, holdCheck(work))
    if ('state' in made) return await endWithout(deps, { schedule, delivery, report }, made)
    await send(work, made)
  } catch (error) {
    await fail(deps, delivery, error)
  }
}

async function workOf(
  deps: Deps,
  schedule: StoredSchedule,
  delivery: ClaimedDelivery,
): Promise<DeliveryWork | NotSent> {
  const isTest = delivery.slot.startsWith(TEST_SLOT)
  const skipped = (reason: DeliveryReason): NotSent => ({ state: isTest ? 'failed' : 'skipped', reason })
  // Of one that was handed over, the new owner has yet to say that their rights are meant.
  if (schedule.paused !== null && !isTest) return skipped('paused')
  const reader = await readReader(deps, schedule, delivery)
  if (typeof reader === 'string') return skipped(reader)
  const subscription = await deliveryStore(deps.db, schedule).recipientOf(schedule.id, delivery.recipient)
  if (subscription?.unsubscribed === true && !isTest) return skipped('unsubscribed')
  const report = await reportStore(deps.db, reader.scope).get(schedule.reportId)
  if (!report || report.deletedAt !== null || report.publication === 0 || report.status === 'archived')
    return skipped('reportGone')
  const slot = latestSlot(schedule.content.timing, reader.settings, delivery.slotAt)
  return { deps, schedule, report, delivery, reader, slot, isTest }
}

/** The mail and the end of the delivery, in one commit: neither is without the other. */
async function send(work: DeliveryWork, made: PreparedReport): Promise<void> {
  const { deps, schedule, report, delivery, reader, isTest } = work
  const { facts, file, edition } = made
  const attached = file !== null && file.size <= ATTACHMENT_MAX_BYTES
  if (file !== null && !attached && reader.isOutside)
    return endWithout(deps, { schedule, delivery, report }, { state: 'failed', reason: 'tooLarge' })
  const store = deliveryStore(deps.db, schedule)
  const subscription = isTest ? null : await store.recipientOf(schedule.id, delivery.recipient)
  const { timeZone } = reader.settings
  const order: QueuedMailOf<'reportDelivery'> = {
    ...{ template: 'reportDelivery', to: reader.email, workspace: reader.workspaceName },
    ...{ workspaceId: schedule.workspaceId, name: report.name, kind: report.kind, reportId: report.id },
    ...{ period: facts.period, lines: facts.filters, edition, by: schedule.ownerName },
    dataAsOf: facts.dataAsOf === null ? null : formatDay(Date.parse(facts.dataAsOf), timeZone),
    search: reader.isOutside ? null : made.search,
    ...{ format: schedule.content.format, deliveryId: delivery.id, recipientId: subscription?.id ?? null },
    attachment: attached ? file : null,
  }
  const kept = file && { key: file.key, name: file.fileName, rights: accessFingerprint(reader.scope) }
  const told = made.changed === null ? [] : await changeNotice(work, made.changed)
  // Whoever was removed or unsubscribed meanwhile: the statement itself finds the delivery as it was claimed.
  await tryCommit(deps, {
    change: [
      store.finish(delivery, { state: 'sending', file: kept, reason: made.changed === null ? null : 'changed' }),
    ],
    outbox: [
      mailOutboxEntry(order, {
        key: `report:${delivery.id}:${delivery.attempts}`,
        workspaceId: schedule.workspaceId,
      }),
      ...told,
    ],
  })
}

/** Tells the owner of what people outside do not get, once for each change. */
async function changeNotice({ deps, schedule, report }: DeliveryWork, changed: string): Promise<OutboxEntry[]> {
  const { workspaceId, ownerId } = schedule
  const owner = await readMemberContext(deps, { workspaceId, userId: ownerId })
  if (!owner?.email) return []
  const { name, kind, id: reportId } = report
  const about = { workspace: owner.workspaceName, name, kind, reportId }
  return [
    mailOutboxEntry(
      { template: 'scheduleChanged', to: owner.email, ...about },
      { key: `changed:${schedule.id}:${changed}`, workspaceId },
    ),
  ]
}

interface UnsentDelivery {
  schedule: StoredSchedule
  delivery: ClaimedDelivery
  report: StoredReport | null
}
async function endWithout(deps: Deps, { schedule, delivery, report }: UnsentDelivery, end: NotSent): Promise<void> {
  const { state, reason, datasets } = end
  const store = deliveryStore(deps.db, schedule)
  const now = deps.clock.now()
  if (state !== 'held')
    return void (await tryCommit(deps, { change: [store.finish(delivery, { state, reason, doneAt: now })] }))
  const basis = datasets === undefined ? null : JSON.stringify(datasets)
  const owner = await readMemberContext(deps, { workspaceId: schedule.workspaceId, userId: schedule.ownerId })
  const to = owner?.email
  // Once for each date, whoever else waits.
  const told =
    to && report
      ? [
          mailOutboxEntry(
            {
              ...{ template: 'reportHeld', to, workspace: owner.workspaceName, name: report.name },
              ...{ kind: report.kind, reportId: report.id, reason },
            },
            { key: `held:${schedule.id}:${delivery.slot}`, workspaceId: schedule.workspaceId },
          ),
        ]
      : []
  await tryCommit(deps, {
    change: [store.finish(delivery, { state, reason, basis, dueAt: now + RECHECK_MS })],
    outbox: told,
  })
}

/** Nothing has changed: it is looked at again. */
async function holdOn(deps: Deps, delivery: ClaimedDelivery): Promise<void> {
  const { reason, basis } = delivery
  const again = { state: 'held' as const, reason, basis, dueAt: deps.clock.now() + RECHECK_MS }
  await tryCommit(deps, { change: [deliveryStore(deps.db, delivery).finish(delivery, again)] })
}

/** What passes is tried again, later each time; what does not is told. */
async function fail(deps: Deps, delivery: ClaimedDelivery, error: unknown): Promise<void> {
  const failures = delivery.failures + 1
  const isFinal = (error instanceof ProductError && !isTransient(error)) || failures >= FAILURES_MAX
  const isTest = delivery.slot.startsWith(TEST_SLOT)
  log('warn', 'a report was not sent', { id: delivery.id, failures, reason: errorMessage(error) })
  const now = deps.clock.now()
  const reason = reasonOf(error)
  const end =
    isFinal || isTest
      ? { state: 'failed' as const, reason, doneAt: now, failures }
      : { state: 'waiting' as const, failures, dueAt: now + retryDelayMs(failures) }
  await tryCommit(deps, { change: [deliveryStore(deps.db, delivery).finish(delivery, end)] })
}

/** 2 min, 8 min, 32 min, 2 h, 6 h. */
const retryDelayMs = (failures: number): number => Math.min(2 * MINUTE_MS * 4 ** (failures - 1), 6 * HOUR_MS)

function reasonOf(error: unknown): DeliveryReason {
  if (!(error instanceof ProductError)) return 'internal'
  return error.code === 'too_large' ? 'tooLarge' : isTransient(error) ? 'internal' : 'figures'
}
