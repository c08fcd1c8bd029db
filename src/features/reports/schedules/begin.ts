import { deliveryStore, type NewDelivery } from './delivery-store'
import { scheduleQueue, scheduleStore, type DueSchedule } from './store'
import { tryCommit } from '../../../db/commit'
import type { OutboxEntry } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { readMemberContext, readOwnerContext, type MemberContext } from '../../../identity/member-context-store'
import { errorMessage, log } from '../../../lib/log'
import { mailOutboxEntry } from '../../../mail/queued-mail'
import { roleMay } from '../../../shared/permissions'
import { latestSlot, nextSlots } from '../../../shared/reports/schedule-dates'
import {
  DELIVERIES_PER_SLOT_MAX,
  recipientKey,
  type PauseReason,
  type ScheduleRecipient,
} from '../../../shared/reports/schedules'

/** Schedules that one round begins a date of. */
const SCHEDULES_PER_RUN_MAX = 50

/** Writes down whom every date that has come is for, each once. Any number of rounds may do so at once. */
export async function beginDueSlots(deps: Deps): Promise<void> {
  const due = await scheduleQueue(deps.db).due(deps.clock.now(), SCHEDULES_PER_RUN_MAX)
  for (const schedule of due)
    try {
      await beginSlot(deps, schedule)
    } catch (error) {
      // The others are not held up by it.
      log('error', 'a date of a schedule was not begun', { id: schedule.id, reason: errorMessage(error) })
    }
}

async function beginSlot(deps: Deps, schedule: DueSchedule): Promise<void> {
  const { workspaceId, ownerId, content } = schedule
  const owner = await readMemberContext(deps, { workspaceId, userId: ownerId })
  const trouble = pauseReason(schedule, owner)
  if (trouble !== null) return pause(deps, schedule, { reason: trouble, owner })
  const settings = owner?.settings
  if (!settings) return
  const now = deps.clock.now()
  // After a long silence there is one: the newest date, not each that was missed.
  const slot = latestSlot(content.timing, settings, now)
  const [next] = nextSlots(content.timing, settings, { after: now, count: 1 })
  if (!next) return
  const to = { nextDate: next.date, nextAt: next.at }
  const advance = scheduleQueue(deps.db).advance(schedule, to)
  // The workspace's clock was changed: the date is still to come.
  if (!schedule.isOpen || slot.date < schedule.nextDate) return void (await tryCommit(deps, { change: [advance] }))
  const store = deliveryStore(deps.db, schedule)
  const deliveries = await newDeliveries(deps, schedule)
  const at = { scheduleId: schedule.id, slot: slot.date, slotAt: slot.at }
  await tryCommit(deps, {
    change: [advance, store.supersede(schedule.id, slot.date, now), ...store.insert(at, deliveries, now)],
  })
}

function pauseReason({ content, paused }: DueSchedule, owner: MemberContext | null): PauseReason | null {
  if (paused !== null) return paused
  if (!owner) return 'ownerLeft'
  if (!roleMay(owner.role, 'share:report')) return 'ownerRole'
  const { readOnly, features } = owner.entitlements
  if (readOnly !== null || !features.reporting) return 'plan'
  return !features.reportSharing && content.recipients.some(({ kind }) => kind === 'address') ? 'plan' : null
}

/** Nothing is sent until somebody resumes it: the owner of the schedule is told, and an owner of the workspace. */
async function pause(
  deps: Deps,
  schedule: DueSchedule,
  { reason, owner }: { reason: PauseReason; owner: MemberContext | null },
): Promise<void> {
  const { workspaceId, reportId, reportName: name } = schedule
  const admin = await readOwnerContext(deps, workspaceId)
  const told = new Map([owner, admin].flatMap((one) => (one?.email ? [[one.email, one] as const] : [])))
  const outbox = [...told].map(([to, { workspaceName }]): OutboxEntry => {
    const order = { template: 'schedulePaused' as const, to, workspace: workspaceName, name, reportId, reason }
    return mailOutboxEntry(order, { key: `paused:${schedule.id}:${schedule.version}:${to}`, workspaceId })
  })
  await tryCommit(deps, { change: [scheduleQueue(deps.db).pause(schedule, reason)], outbox })
}

/** Each person once: named ones before those of groups, and members before addresses that are theirs. */
async function newDeliveries(deps: Deps, { content, workspaceId }: DueSchedule): Promise<NewDelivery[]> {
  const store = deliveryStore(deps.db, { workspaceId })
  const { recipients } = content
  const groups = recipients.flatMap((one) => (one.kind === 'group' ? [one] : []))
  const members = await store.membersOf(groups.map((group) => group.id))
  const found = new Map<string, Pick<NewDelivery, 'kind' | 'filters'>>()
  const add = (recipient: string, kind: NewDelivery['kind'], { filters }: Pick<ScheduleRecipient, 'filters'>): void => {
    if (!found.has(recipient)) found.set(recipient, { kind, filters })
  }
  for (const one of recipients) if (one.kind === 'member') add(one.id, 'member', one)
  for (const group of groups)
    for (const { groupId, userId } of members) if (groupId === group.id) add(userId, 'member', group)
  const theirs = await store.memberAddresses([...found.keys()])
  for (const one of recipients)
    if (one.kind === 'address' && !theirs.has(one.email)) add(recipientKey(one), 'address', one)
  const { ids } = deps
  return [...found].slice(0, DELIVERIES_PER_SLOT_MAX).map(([recipient, rest]) => ({
    ...{ id: ids.next('delivery'), recipientId: ids.next('recipient'), recipient, ...rest },
  }))
}

/** Addresses of these domains may get reports by mail. */
export const allowedDomains = (deps: Pick<Deps, 'db'>, workspaceId: string): Promise<string[]> =>
  scheduleStore(deps.db, { workspaceId }).domains()
