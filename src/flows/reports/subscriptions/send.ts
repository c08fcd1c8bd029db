import { figureLines, type FigureLines } from './figure-lines'
import { duePeriod, nextSendTime } from '../../../features/digest/model/schedule'
import { reportStore, type StoredReport } from '../../../features/reports/store'
import { blockSubscriptionQueue, type DueSubscription } from '../../../features/reports/subscriptions/store'
import { blocksInSight, visibleContent } from '../../../features/reports/visible-content'
import { tryCommit } from '../../../db/commit'
import type { Deps } from '../../../deps'
import { refusalOf } from '../../../http/errors'
import { readMemberContext, type MemberContext } from '../../../identity/member-context-store'
import { mailOutboxEntry, type QueuedMailOf } from '../../../mail/queued-mail'
import { calendarOf } from '../../../semantic/calendar'
import { DAY_MS, MINUTE_MS } from '../../../shared/dates'
import { roleMay } from '../../../shared/permissions'

/** Mails that one round makes. */
const MAILS_PER_RUN_MAX = 20
const LEASE_MS = 10 * MINUTE_MS

/** Sends the figures of blocks whose slot has come, each once. Any number of rounds may do so at once. */
export async function sendDueFigures(deps: Deps): Promise<void> {
  const now = deps.clock.now()
  const queue = blockSubscriptionQueue(deps.db)
  const claimed = await queue.claimDue({ now, leaseEnd: now + LEASE_MS, limit: MAILS_PER_RUN_MAX })
  const faults: unknown[] = []
  for (const due of claimed) await send(deps, due).catch((error: unknown) => faults.push(error))
  if (faults.length > 0) throw faults[0]
}

async function send(deps: Deps, due: DueSubscription): Promise<void> {
  const now = deps.clock.now()
  const reader = await readMemberContext(deps, due)
  const { lastSlot, dataKey } = due
  if (!reader || reader.email === null || !hears(reader))
    return reschedule(deps, due, { slot: lastSlot, dataKey, dueAt: now + DAY_MS })
  const dueAt = nextSendTime({ now, timeZone: reader.settings.timeZone })
  const slot = slotOf(deps, due, reader)
  // Whoever has only subscribed hears of it for the first time when the next slot has come.
  if (slot === null || (lastSlot === null && due.cadence !== 'data'))
    return reschedule(deps, due, { slot: slot ?? lastSlot, dataKey, dueAt })
  const report = await reportStore(deps.db, reader.scope).get(due.reportId)
  const told = report && (await toldOf(deps, reader, { report, block: due.block }))
  const isNews = due.cadence !== 'data' || (dataKey !== null && told?.dataKey !== dataKey)
  if (!report || !told || !isNews) {
    const first = due.cadence === 'data' && told ? told.dataKey : dataKey
    return reschedule(deps, due, { slot: due.cadence === 'data' ? lastSlot : slot, dataKey: first, dueAt })
  }
  const order: QueuedMailOf<'blockFigure'> = {
    ...{ template: 'blockFigure', to: reader.email, workspace: reader.workspaceName, report: report.name },
    ...{ path: `/reports/${report.kind}/${report.id}`, page: told.page, lines: told.lines, cadence: due.cadence },
    subscriptionId: due.id,
  }
  // Another round was quicker, or the reader changed it: that one's word counts.
  await tryCommit(deps, {
    change: [blockSubscriptionQueue(deps.db).reschedule(due, { slot, dataKey: told.dataKey, dueAt })],
    outbox: [mailOutboxEntry(order, { key: `block:${due.id}:${due.cadence}:${slot}`, workspaceId: due.workspaceId })],
  })
}

const hears = ({ role, entitlements }: MemberContext): boolean =>
  roleMay(role, 'view:report') && entitlements.readOnly === null

/** First day of the slot that is due; null when it has been told of. Data are told of on the day they come. */
function slotOf(deps: Deps, { cadence, lastSlot }: DueSubscription, reader: MemberContext): string | null {
  const { timeZone, weekStart } = reader.settings
  if (cadence !== 'data') return duePeriod(cadence, lastSlot, { now: deps.clock.now(), timeZone, weekStart })
  const { today } = calendarOf(reader, deps.clock)
  return lastSlot !== null && lastSlot >= today ? null : today
}

/** What the block says to its reader; null where it is not there for them. */
async function toldOf(
  deps: Deps,
  reader: MemberContext,
  { report, block }: { report: StoredReport; block: string },
): Promise<(FigureLines & { page: string }) | null> {
  const { published } = report
  if (!published || report.deletedAt !== null || report.status === 'archived') return null
  const page = published.pages.find(({ blocks }) => blocks.some(({ id }) => id === block))
  if (!page || !(await blocksInSight({ deps, scope: reader.scope }, published)).has(block)) return null
  const context = {
    ...{ deps, scope: reader.scope, membership: reader, calendar: calendarOf(reader, deps.clock) },
    refusal: (thrown: unknown) =>
      refusalOf(thrown, { requestId: '', path: 'block subscriptions', reporter: deps.reporter }),
    signal: new AbortController().signal,
  }
  const told = await figureLines(context, await visibleContent(context, published), block)
  return told && { ...told, page: page.id }
}

const reschedule = async (
  deps: Deps,
  due: DueSubscription,
  to: Parameters<ReturnType<typeof blockSubscriptionQueue>['reschedule']>[1],
): Promise<void> => {
  await blockSubscriptionQueue(deps.db).reschedule(due, to).run()
}
