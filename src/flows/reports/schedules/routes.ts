import { Hono } from 'hono'
import { deliverNow } from './deliver'
import { deliveryStore, TEST_SLOT } from '../../../features/reports/schedules/delivery-store'
import {
  createSchedule,
  deleteSchedule,
  getSchedule,
  listDeliveries,
  listSchedules,
  readSchedule,
  retryDelivery,
  setOwnSubscription,
  updateSchedule,
} from '../../../features/reports/schedules/service'
import { changeSubscription, readSubscription } from '../../../features/reports/schedules/subscriptions'
import { readReport } from '../../../features/reports/service'
import { commit } from '../../../db/commit'
import { actorOf, type AppContext, type AppEnv } from '../../../http/context'
import { sendDownload } from '../../../http/files/table-download'
import { may, needs, publicAccess, requireWritable } from '../../../http/guard'
import { enforceRateLimits } from '../../../http/rate-limit'
import { contextOf, type RequestContext } from '../../../http/request-context'
import { jsonBody, noBody, pathId, queryString } from '../../../http/validate'
import { assertProvenEmail } from '../../../identity/email-proof'
import { accessFingerprint } from '../../../scope'
import { ProductError } from '../../../shared/errors'
import {
  changeSubscriptionSchema,
  checkSubscriptionSchema,
  createScheduleSchema,
  deleteScheduleSchema,
  subscriptionSchema,
  updateScheduleSchema,
  type ReportDelivery,
} from '../../../shared/reports/schedules'

const reportOf = (c: AppContext): string => pathId('report', c.req.param('id') ?? '')
const scheduleOf = (c: AppContext) => ({
  reportId: reportOf(c),
  id: pathId('schedule', c.req.param('schedule') ?? ''),
})
const deliveryOf = (c: AppContext): string => pathId('delivery', c.req.param('delivery') ?? '')

/** `/api/reports/:id/schedules`: reports by mail at certain dates. */
const schedules = new Hono<AppEnv>()
  .get('/:id/schedules', may('share:report'), async (c) =>
    c.json({ items: await listSchedules(contextOf(c), reportOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/schedules', may('share:report'), needs('reporting'), jsonBody(createScheduleSchema), async (c) => {
    assertProvenEmail(actorOf(c))
    const input = { reportId: reportOf(c), content: c.req.valid('json') }
    return c.json(await createSchedule(contextOf(c, 201), input), 201)
  })
  .get('/:id/schedules/:schedule', may('share:report'), async (c) =>
    c.json(await getSchedule(contextOf(c), scheduleOf(c)), 200),
  )
  .put(
    '/:id/schedules/:schedule',
    may('share:report'),
    needs('reporting'),
    jsonBody(updateScheduleSchema),
    async (c) => {
      assertProvenEmail(actorOf(c))
      const { active, version, ...content } = c.req.valid('json')
      return c.json(await updateSchedule(contextOf(c), { ...scheduleOf(c), content, active, version }), 200)
    },
  )
  .delete('/:id/schedules/:schedule', may('share:report'), queryString(deleteScheduleSchema), async (c) =>
    c.json(await deleteSchedule(contextOf(c), { ...scheduleOf(c), ...c.req.valid('query') }), 200),
  )
  .post('/:id/schedules/:schedule/test', may('share:report'), needs('reporting'), noBody(), async (c) => {
    await enforceRateLimits(c, [{ rate: 'testSchedule', key: actorOf(c).userId }])
    return c.json(await sendTest(contextOf(c, 201), scheduleOf(c)), 201)
  })
  .put('/:id/schedules/:schedule/subscription', may('view:report'), jsonBody(subscriptionSchema), async (c) => {
    requireWritable(c)
    return c.json(await setOwnSubscription(contextOf(c), { ...scheduleOf(c), ...c.req.valid('json') }), 200)
  })
  .get('/:id/schedules/:schedule/deliveries', may('share:report'), async (c) =>
    c.json({ items: await listDeliveries(contextOf(c), scheduleOf(c)), nextCursor: null }, 200),
  )
  .post('/:id/schedules/:schedule/deliveries/:delivery/retry', may('share:report'), noBody(), async (c) =>
    c.json(await retryDelivery(contextOf(c), { ...scheduleOf(c), delivery: deliveryOf(c) }), 200),
  )

/** Sends oneself what a schedule sends, at once and as oneself. */
async function sendTest(context: RequestContext, at: { reportId: string; id: string }): Promise<ReportDelivery> {
  const { deps, scope, actor } = context
  const { schedule } = await readSchedule(context, at)
  const id = deps.ids.next('delivery')
  const now = deps.clock.now()
  const slot = `${TEST_SLOT}${id}`
  const store = deliveryStore(deps.db, scope)
  const mine = { id, recipientId: deps.ids.next('recipient'), recipient: scope.actorId, kind: 'member' as const }
  await commit(deps, {
    change: store.insert({ scheduleId: schedule.id, slot, slotAt: now }, [{ ...mine, filters: {} }], now),
  })
  await deliverNow(deps, id)
  const sent = await store.get(schedule.id, id)
  if (!sent) throw new ProductError('not_found')
  return { ...sent, name: actor.name }
}

/** `/files/reports/:id/deliveries`: what was too large for a mail, for the member who was sent it. */
const files = new Hono<AppEnv>().get('/:id/deliveries/:delivery', may('export:data'), async (c) => {
  await enforceRateLimits(c, [{ rate: 'exportAnswer', key: actorOf(c).userId }])
  const { deps, scope, ...context } = contextOf(c)
  const reportId = reportOf(c)
  await readReport({ deps, scope, ...context }, reportId)
  const store = deliveryStore(deps.db, scope)
  const file = await store.file({ reportId, id: deliveryOf(c), userId: scope.actorId })
  // Made with other rights than they have now, it is not for them.
  if (!file || file.rights !== accessFingerprint(scope)) throw new ProductError('not_found')
  const stored = await deps.files.get(file.key)
  if (!stored)
    throw new ProductError('expired', { what: 'file' }, 'This file has expired. Download the report instead.')
  const contentType = stored.httpMetadata?.contentType ?? 'application/octet-stream'
  return sendDownload(c, { fileName: file.name, contentType, body: stored.body })
})

/** `/api/report-subscriptions`: by the link in a mail, signed in or not. */
const subscriptions = new Hono<AppEnv>()
  .post(
    '/check',
    publicAccess('says which report a mail’s link is about, to the holder of the link'),
    jsonBody(checkSubscriptionSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'checkLinkFromAddress' }])
      return c.json(await readSubscription(c.get('deps'), c.req.valid('json').token), 200)
    },
  )
  .post(
    '/',
    publicAccess('ends or renews a subscription to a report, by the link in its mail'),
    jsonBody(changeSubscriptionSchema),
    async (c) => {
      await enforceRateLimits(c, [{ rate: 'linkFromAddress' }])
      return c.json(await changeSubscription(c.get('deps'), c.req.valid('json')), 200)
    },
  )

export const reportScheduleRoutes = new Hono<AppEnv>()
  .route('/api/reports', schedules)
  .route('/files/reports', files)
  .route('/api/report-subscriptions', subscriptions)
