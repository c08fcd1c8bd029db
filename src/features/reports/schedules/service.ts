import { checkRecipients, hidesFilters } from './check-recipients'
import { deliveryStore } from './delivery-store'
import { scheduleStore, type StoredSchedule } from './store'
import { shownContent, type ShownContent } from '../links/shown'
import { readReport } from '../service'
import type { StoredReport } from '../store'
import { auditEntryFactory, commit } from '../../../db/commit'
import type { RequestContext } from '../../../http/request-context'
import { toIso } from '../../../lib/iso'
import { calendarOf } from '../../../semantic/calendar'
import { ProductError } from '../../../shared/errors'
import { nextSlots, type ScheduleTiming } from '../../../shared/reports/schedule-dates'
import {
  recipientKey,
  SCHEDULES_PER_REPORT_MAX,
  type ReportDelivery,
  type ReportSchedule,
  type ScheduleContent,
} from '../../../shared/reports/schedules'

type ScheduleContext = Omit<RequestContext, 'reply'>
const auditOf = auditEntryFactory('schedule')
const storeOf = ({ deps, scope }: ScheduleContext) => scheduleStore(deps.db, scope)
const deliveriesOf = ({ deps, scope }: ScheduleContext) => deliveryStore(deps.db, scope)
const NEXT_SHOWN = 3
const LOG_MAX = 500

/** The log is not told addresses: only how many there are. */
const audited = ({ id, content, paused }: StoredSchedule, report: string) => ({
  ...{ id, name: report, timing: content.timing, format: content.format, paused },
  recipients: content.recipients.length,
})

export async function listSchedules(context: ScheduleContext, reportId: string): Promise<ReportSchedule[]> {
  await readReport(context, reportId)
  return shown(context, await storeOf(context).list(reportId))
}

export async function readSchedule(
  context: ScheduleContext,
  { reportId, id }: { reportId: string; id: string },
): Promise<{ schedule: StoredSchedule; report: StoredReport }> {
  const report = await readReport(context, reportId)
  const schedule = await storeOf(context).get(id)
  if (!schedule || schedule.reportId !== reportId) throw new ProductError('not_found')
  return { schedule, report }
}

export async function getSchedule(
  context: ScheduleContext,
  at: { reportId: string; id: string },
): Promise<ReportSchedule> {
  return shownOne(context, (await readSchedule(context, at)).schedule)
}

async function shownOne(context: ScheduleContext, schedule: StoredSchedule): Promise<ReportSchedule> {
  const [one] = await shown(context, [schedule])
  if (!one) throw new ProductError('not_found')
  return one
}

/** Schedules as who asks sees them. */
async function shown(context: ScheduleContext, schedules: StoredSchedule[]): Promise<ReportSchedule[]> {
  const { deps, scope } = context
  const ids = schedules.map(({ id }) => id)
  const all = schedules.flatMap(({ content }) => content.recipients)
  const groups = all.flatMap((one) => (one.kind === 'group' ? [one.id] : []))
  const [names, gone, last, members] = await Promise.all([
    storeOf(context).names([...new Set(all.map(recipientKey))]),
    storeOf(context).unsubscribed(ids),
    deliveriesOf(context).last(ids),
    deliveriesOf(context).membersOf([...new Set(groups)]),
  ])
  const calendar = calendarOf(context.membership, deps.clock)
  const mine = new Set([scope.actorId, ...members.flatMap((of) => (of.userId === scope.actorId ? [of.groupId] : []))])
  const restricted = await Promise.all(schedules.map(({ content }) => hidesFilters(context, content)))
  return schedules.map(({ id, reportId, content, ownerId, ownerName, paused, version }, nth) => {
    const isRestricted = restricted[nth] === true
    const isGone = (recipient: string): boolean => gone.some((of) => of.scheduleId === id && of.recipient === recipient)
    const after = { after: deps.clock.now(), count: NEXT_SHOWN }
    return {
      ...{ ...content, id, reportId, ownerId, ownerName, paused, version },
      recipients: content.recipients.map((one) => ({
        ...one,
        ...(isRestricted ? { filters: {} } : {}),
        ...{ name: names.get(recipientKey(one)) ?? null, unsubscribed: isGone(recipientKey(one)) },
      })),
      next: paused === null ? nextSlots(content.timing, calendar, after).map(({ at }) => toIso(at)) : [],
      last: last.get(id) ?? null,
      subscribed: content.recipients.some((one) => mine.has(recipientKey(one))) ? !isGone(scope.actorId) : null,
      restricted: isRestricted,
    }
  })
}

/** What whoever saves a schedule shares with people outside; editions never change. */
const sharedBy = async (context: ScheduleContext, { kind, published }: StoredReport): Promise<ShownContent | null> =>
  kind === 'legacy' || !published ? null : shownContent(context, published)

/** When it sends next, as it is stored. */
function nextOf(context: ScheduleContext, timing: ScheduleTiming): Pick<StoredSchedule, 'nextDate' | 'nextAt'> {
  const { deps, membership } = context
  const [slot] = nextSlots(timing, calendarOf(membership, deps.clock), { after: deps.clock.now(), count: 1 })
  return { nextDate: slot?.date ?? null, nextAt: slot?.at ?? null }
}

/** @throws ProductError `invalid_input`, `plan_required` for what recipients may not get; `limit_reached` */
export async function createSchedule(
  context: RequestContext,
  { reportId, content }: { reportId: string; content: ScheduleContent },
): Promise<ReportSchedule> {
  const { deps, scope, actor } = context
  const report = await readReport(context, reportId)
  await checkRecipients(context, { report, content })
  const made: StoredSchedule = {
    ...{ id: deps.ids.next('schedule'), workspaceId: scope.workspaceId, reportId, content },
    ...{ ownerId: actor.userId, ownerName: actor.name, rights: context.membership.rights, paused: null, version: 1 },
    ...nextOf(context, content.timing),
    shown: await sharedBy(context, report),
  }
  const answer = await shownOne(context, made)
  await commit(deps, {
    change: [storeOf(context).insert(made, deps.clock.now())],
    audit: [auditOf(context, { action: 'schedule.create', id: made.id, after: audited(made, report.name) })],
    reply: context.reply(answer),
    expect: {
      onMissed: async () => {
        const used = await storeOf(context).count(reportId)
        const message = `A report has up to ${SCHEDULES_PER_REPORT_MAX} schedules. Delete one that is not needed.`
        return new ProductError('limit_reached', { limit: 'schedules', used, max: SCHEDULES_PER_REPORT_MAX }, message)
      },
    },
  })
  return answer
}

const versionConflict = async (context: ScheduleContext, at: { reportId: string; id: string }): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await getSchedule(context, at) })

interface ScheduleChange {
  reportId: string
  id: string
  content: ScheduleContent
  active: boolean
  version: number
}
/** Whoever saves it owns it from then on: outside recipients get what they may see now. */
export async function updateSchedule(context: RequestContext, input: ScheduleChange): Promise<ReportSchedule> {
  const { deps, actor, membership } = context
  const { content, active, version } = input
  const { schedule: before, report } = await readSchedule(context, input)
  if (before.version !== version) throw await versionConflict(context, input)
  if (await hidesFilters(context, before.content))
    throw new ProductError(
      'forbidden',
      { reason: 'hidden_data' },
      'This schedule uses data that you don’t have access to.',
    )
  await checkRecipients(context, { report, content })
  const next: StoredSchedule = {
    ...{ ...before, content, ownerId: actor.userId, ownerName: actor.name, rights: membership.rights },
    ...{ paused: active ? null : 'person', version: version + 1 },
    ...(active ? nextOf(context, content.timing) : { nextDate: null, nextAt: null }),
    shown: await sharedBy(context, report),
  }
  const answer = await shownOne(context, next)
  const change = { before: audited(before, report.name), after: audited(next, report.name) }
  await commit(deps, {
    change: [storeOf(context).update(next, deps.clock.now())],
    audit: [auditOf(context, { action: 'schedule.update', id: next.id, ...change })],
    reply: context.reply(answer),
    expect: { onMissed: () => versionConflict(context, input) },
  })
  return answer
}

export async function deleteSchedule(
  context: RequestContext,
  at: { reportId: string; id: string; version: number },
): Promise<ReportSchedule> {
  const { schedule, report } = await readSchedule(context, at)
  if (schedule.version !== at.version) throw await versionConflict(context, at)
  const gone = await shownOne(context, schedule)
  await commit(context.deps, {
    change: [storeOf(context).remove(at.id, at.version)],
    audit: [auditOf(context, { action: 'schedule.delete', id: at.id, before: audited(schedule, report.name) })],
    reply: context.reply(gone),
    expect: { onMissed: () => versionConflict(context, at) },
  })
  return gone
}

/** What became of each date for each recipient, the newest first. */
export async function listDeliveries(
  context: ScheduleContext,
  at: { reportId: string; id: string },
): Promise<ReportDelivery[]> {
  await readSchedule(context, at)
  return deliveriesOf(context).list(at.id, LOG_MAX)
}

/** @throws ProductError `not_found`; `in_use` for one that neither failed nor is held */
export async function retryDelivery(
  context: RequestContext,
  at: { reportId: string; id: string; delivery: string },
): Promise<ReportDelivery> {
  const { deps } = context
  const { schedule, report } = await readSchedule(context, at)
  const found = await deliveriesOf(context).get(at.id, at.delivery)
  if (!found) throw new ProductError('not_found')
  const again: ReportDelivery = { ...found, state: 'waiting', reason: null, doneAt: null }
  await commit(deps, {
    change: [deliveriesOf(context).retry({ id: at.delivery, scheduleId: at.id, now: deps.clock.now() })],
    audit: [auditOf(context, { action: 'schedule.retry', id: at.id, after: audited(schedule, report.name) })],
    reply: context.reply(again),
    expect: { onMissed: () => new ProductError('in_use', {}, 'Already sent, skipped or on its way.') },
  })
  return again
}

/** One's own subscription: only for those who are among the recipients. */
export async function setOwnSubscription(
  context: RequestContext,
  { reportId, id, subscribed }: { reportId: string; id: string; subscribed: boolean },
): Promise<{ subscribed: boolean }> {
  const { deps, scope } = context
  const { schedule } = await readSchedule(context, { reportId, id })
  const [mine] = await shown(context, [schedule])
  if (!mine || mine.subscribed === null) throw new ProductError('not_found')
  const change = {
    ...{ id: deps.ids.next('recipient'), scheduleId: id, recipient: scope.actorId },
    unsubscribedAt: subscribed ? null : deps.clock.now(),
  }
  await commit(deps, {
    change: [storeOf(context).setSubscription(change)],
    reply: context.reply({ subscribed }),
  })
  return { subscribed }
}
