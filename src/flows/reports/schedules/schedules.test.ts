import { env } from 'cloudflare:test'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sendDueReports, sweepDeliveries } from './deliver'
import {
  createGroupOf,
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../../test/worker/access/guarded-workspace'
import { depsAt } from '../../../../test/worker/deps'
import { aPerson, callApp, otherWorkspace, visitor, type SignedIn } from '../../../../test/worker/factories'
import { queuedMailsTo } from '../../../../test/worker/mails'
import { createApp } from '../../../app'
import { openDatabase } from '../../../db/database'
import { deliveryQueue } from '../../../features/reports/schedules/delivery-store'
import { composeMail } from '../../../mail/compose'
import { deliverMail } from '../../../mail/deliver'
import { signSubscriptionToken, signUnsubscribeToken } from '../../../mail/email-links'
import type { QueuedMailOf } from '../../../mail/queued-mail'
import type { OutgoingMail } from '../../../mail/smtp'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../shared/dates'
import type { ListPage } from '../../../shared/field-schemas'
import type { Insight } from '../../../shared/insights'
import type { Edition } from '../../../shared/reports/editions'
import type { Report } from '../../../shared/reports/reports'
import type { CreateScheduleInput, ReportDelivery, ReportSchedule } from '../../../shared/reports/schedules'

const app = createApp()
type Answered<T> = T & { code?: string; fields?: Record<string, string>; message?: string }
async function sent<T>(who: SignedIn, path: string, json?: unknown, method = json === undefined ? 'GET' : 'POST') {
  const answer = await who.fetch(path, { method, ...(json === undefined ? {} : { json }) })
  return { status: answer.status, body: await answer.json<Answered<T>>() }
}

let workspace: GuardedWorkspace
let owner: SignedIn
let insight: Insight
let made = 0
const field = (column: `c${number}`) => ({ dataset: workspace.datasetId, column })
const REGION = () => ({ id: 'region', label: 'Region', field: field('c3'), filter: null })
const onlyNorth = () => ({ field: field('c3'), any: [{ op: 'eq' as const, value: 'North' }] })

/** A published report of one table: pay by region. */
async function published(kind: 'interactive' | 'legacy' = 'interactive', blocks?: object[]): Promise<Report> {
  const name = `Pay report ${++made}`
  const { body: report } = await sent<Report>(owner, '/api/reports', { kind, name })
  const place = { x: 0, y: 0, w: 12, h: 8 }
  const shown = blocks ?? [{ id: 'pay001', kind: 'insight', insight: insight.id }]
  const pages = [{ id: 'page01', name: 'Page', blocks: shown.map((one) => ({ place, ...one })) }]
  const content = { v: 1, period: { range: null, compare: 'none' }, filters: [REGION()], pages }
  const draft = { name, content, version: report.version }
  const { body: saved } = await sent<Report>(owner, `/api/reports/${report.id}`, draft, 'PUT')
  const { body, status } = await sent<Report>(owner, `/api/reports/${report.id}/publish`, { version: saved.version })
  expect([status, body.code]).toEqual([200, undefined])
  return body
}

const WEEKLY = { kind: 'weekly', weekday: 1, hour: 7 } as const
const member = (who: SignedIn, filters = {}) => ({ kind: 'member' as const, id: who.userId, filters })
const address = (email: string, filters = {}) => ({ kind: 'address' as const, email, filters })
type Input = Partial<CreateScheduleInput>
const scheduled = (report: Report, input: Input, who = owner) =>
  sent<ReportSchedule>(who, `/api/reports/${report.id}/schedules`, { timing: WEEKLY, format: 'xlsx', ...input })
async function schedule(report: Report, input: Input, who = owner): Promise<ReportSchedule> {
  const { status, body } = await scheduled(report, input, who)
  expect([status, body.fields]).toEqual([201, undefined])
  return body
}
const at = (report: Report, { id }: ReportSchedule) => `/api/reports/${report.id}/schedules/${id}`
/** The instant of its n-th date. The first may be of a period that ended before the data came: on the first of a month. */
const dateOf = ({ next }: ReportSchedule, n = 0): number => Date.parse(next[n] ?? '')
const round = (now: number) => sendDueReports(depsAt(now))
async function log(report: Report, of: ReportSchedule): Promise<string[]> {
  const { body } = await sent<ListPage<ReportDelivery>>(owner, `${at(report, of)}/deliveries`)
  return body.items.map(({ state, reason }) => (reason === null ? state : `${state}: ${reason}`))
}
const emailOf = async (who: SignedIn): Promise<string> =>
  (await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(who.userId).first<string>('email')) ?? ''
type ReportMail = QueuedMailOf<'reportDelivery'>
async function mailsTo(email: string, report: Report): Promise<ReportMail[]> {
  const mails = await queuedMailsTo(email)
  return mails.flatMap((mail) => (mail.template === 'reportDelivery' && mail.reportId === report.id ? [mail] : []))
}
/** Every cell of the workbook that a mail takes along. */
async function cellsOf(mail: ReportMail | undefined): Promise<string> {
  const stored = await env.FILES.get(mail?.attachment?.key ?? 'none')
  const book = await readXlsx(new Uint8Array((await stored?.arrayBuffer()) ?? new ArrayBuffer()))
  return JSON.stringify(book.sheets)
}
const templatesTo = async (email: string, name: string): Promise<string[]> =>
  (await queuedMailsTo(email)).flatMap((mail) => ('name' in mail && mail.name === name ? [mail.template] : []))

beforeAll(async () => {
  workspace = await guardedWorkspace(app)
  owner = workspace.owner
  const plan = {
    ...{ v: 2, kind: 'aggregate', filters: [], totals: true, dimensions: [{ field: field('c3') }] },
    measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
  }
  const asked = { name: 'Pay by region', plan, viz: { chart: 'table' } }
  insight = (await sent<Insight>(owner, '/api/insights', asked)).body
  await env.DB.batch([
    env.DB.prepare('UPDATE workspaces SET report_domains = \'["bank.example"]\' WHERE id = ?').bind(owner.workspaceId),
    env.DB.prepare("UPDATE subscriptions SET state = 'active', plan_id = 'professional' WHERE workspace_id = ?").bind(
      owner.workspaceId,
    ),
  ])
})
beforeEach(async () => {
  await env.DB.prepare('DELETE FROM report_schedules').run()
})

describe('a scheduled report', () => {
  it('comes once to each recipient, whatever rounds run at once, and once after a long silence', async () => {
    const report = await published()
    const reader = await workspace.join('viewer')
    const group = await createGroupOf(owner, `Board ${made}`, [reader.userId, owner.userId])
    const recipients = [member(reader), { kind: 'group' as const, id: group }, address('cfo@bank.example')]
    const one = await schedule(report, { recipients, hold: false })
    await round(dateOf(one) - MINUTE_MS)
    expect(await log(report, one)).toEqual([])
    await Promise.all([round(dateOf(one)), round(dateOf(one)), round(dateOf(one))])
    await round(dateOf(one) + HOUR_MS)
    expect((await log(report, one)).length).toBe(3)
    for (const email of [await emailOf(reader), await emailOf(owner), 'cfo@bank.example'])
      expect(await mailsTo(email, report)).toHaveLength(1)
    // Eight weeks without a round.
    await round(dateOf(one) + 60 * DAY_MS)
    expect(await mailsTo('cfo@bank.example', report)).toHaveLength(2)
    const [mail] = await mailsTo('cfo@bank.example', report)
    expect(mail).toMatchObject({ name: report.name, search: null, edition: 0 })
    expect(await cellsOf(mail)).toContain('111111.1')
  })

  it('is made by each member’s own rights and filters, and outside by those of the owner, then and now', async () => {
    const report = await published()
    const [ruled, free] = [await workspace.join('analyst'), await workspace.join('viewer')]
    await savePolicy(owner, { rules: [onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: ruled.userId })] })
    const filters = { region: onlyNorth() }
    const recipients = [member(ruled), member(free), member(owner, filters), address('a@bank.example')]
    const wide = await workspace.join('analyst')
    const one = await schedule(report, { recipients, hold: false }, wide)
    const limited = await schedule(report, { recipients: [address('b@bank.example')], hold: false }, ruled)
    await round(dateOf(one))
    const mail = async (email: string) => (await mailsTo(email, report)).at(-1)
    const cells = async (email: string) => cellsOf(await mail(email))
    for (const email of [await emailOf(ruled), await emailOf(owner), 'b@bank.example']) {
      expect(await cells(email)).toContain('300.75')
      expect(await cells(email)).not.toContain('111111')
    }
    expect((await mail(await emailOf(owner)))?.lines).toEqual(['region: North'])
    for (const email of [await emailOf(free), 'a@bank.example']) expect(await cells(email)).toContain('111111.1')
    // Equal rights and filters share one document; others never do.
    const keys = await Promise.all([free, ruled].map(async (who) => (await mail(await emailOf(who)))?.attachment?.key))
    expect(keys[1]).not.toBe(keys[0])
    // Outside, nobody is told how it was asked.
    expect(await cells(await emailOf(free))).toContain('Query')
    expect(await cells('a@bank.example')).not.toContain('Query')
    // The owner sees less from now on: so does everybody outside. More rights later give nothing more.
    await savePolicy(owner, { rules: [] })
    await round(dateOf(limited, 1))
    expect(await cells('b@bank.example')).not.toContain('111111')
    await savePolicy(owner, { rules: [onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: wide.userId })] })
    await round(dateOf(one, 2))
    expect(await cells('a@bank.example')).not.toContain('111111')
    await savePolicy(owner, { rules: [] })
  })

  it('gives outsiders nothing that somebody who sees less put behind it: it says so until its owner saves or publishes', async () => {
    const asked = { name: `Shared ${++made}`, viz: { chart: 'table' } }
    const planOf = (column: `c${number}`, only: object[]) => ({
      ...{ v: 2, kind: 'aggregate', filters: only, dimensions: [{ field: field(column) }] },
      measures: [{ kind: 'column', agg: 'sum', field: field('c2') }],
    })
    const narrow = { ...asked, plan: planOf('c3', [onlyNorth()]) }
    const { body: own } = await sent<Insight>(owner, '/api/insights', narrow)
    const { body: still } = await sent<Insight>(owner, '/api/insights', { ...narrow, name: `Still ${made}` })
    const report = await published('interactive', [
      { id: 'pay001', kind: 'insight', insight: own.id },
      { id: 'pay002', kind: 'insight', insight: still.id, place: { x: 0, y: 8, w: 12, h: 8 } },
    ])
    const analyst = await workspace.join('analyst')
    const only = onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: analyst.userId })
    await savePolicy(owner, { rules: [only] })
    const email = `attack${made}@bank.example`
    const recipients = [address(email), address(`too-${email}`), member(owner)]
    const one = await schedule(report, { recipients, hold: false })
    const cells = async () => cellsOf((await mailsTo(email, report)).at(-1))
    await round(dateOf(one))
    expect(await cells()).toContain('300.75')
    expect(await cells()).not.toMatch(/111111|Changed since/)
    // The attack: who sees North alone asks for everybody, in the name of the schedule.
    const wider = { ...asked, plan: planOf('c3', []), version: own.version }
    expect((await sent(analyst, `/api/insights/${own.id}`, wider, 'PUT')).status).toBe(200)
    await round(dateOf(one, 1))
    await round(dateOf(one, 2))
    expect(await cells()).toContain('300.75')
    expect(await cells()).not.toContain('111111')
    expect(await cellsOf((await mailsTo(await emailOf(owner), report)).at(-1))).toContain('111111')
    // The owner is told once, and the log says so.
    expect((await log(report, one)).slice(0, 3).toSorted()).toEqual(['sending', 'sending: changed', 'sending: changed'])
    const told = async () =>
      (await templatesTo(await emailOf(owner), report.name)).filter((of) => of !== 'reportDelivery')
    expect(await told()).toEqual(['scheduleChanged'])
    // Nor does another filter of the whole report let anything through, or somebody else who publishes it or sends it now.
    const { body: now } = await sent<Report>(owner, `/api/reports/${report.id}`)
    const filters = [{ ...REGION(), label: 'Area', filter: onlyNorth() }]
    const draft = { name: now.name, content: { ...now.draft, filters }, version: now.version }
    const { body: saved } = await sent<Report>(analyst, `/api/reports/${report.id}`, draft, 'PUT')
    const publish = async (who: SignedIn, { version }: { version: number }) =>
      sent<Report>(who, `/api/reports/${report.id}/publish`, { version })
    const { body: theirs, status } = await publish(analyst, saved)
    expect(status).toBe(200)
    const late = dateOf(one, 2) + 7 * DAY_MS
    await round(late)
    const { body } = await sent<ListPage<ReportDelivery>>(owner, `${at(report, one)}/deliveries`)
    const held = body.items.find(({ state }) => state === 'held')
    const retried = `${at(report, one)}/deliveries/${held?.id ?? ''}/retry`
    expect((await analyst.fetch(retried, { method: 'POST' })).status).toBe(200)
    await round(late + HOUR_MS)
    expect((await log(report, one)).slice(0, 3).toSorted()).toEqual(['held: changed', 'held: changed', 'sending'])
    expect((await told()).toSorted()).toEqual(['reportHeld', 'scheduleChanged'])
    expect((await publish(owner, theirs)).status).toBe(200)
    await round(late + 2 * HOUR_MS)
    expect((await log(report, one)).slice(0, 3)).toEqual(['sending', 'sending', 'sending'])
    expect(await cells()).not.toContain('Changed since')
    await savePolicy(owner, { rules: [] })
  })

  it('withholds from outsiders what their filters do not reach, and fails where a filter is gone or hidden', async () => {
    const text = { id: 'text01', kind: 'observation', subject: { kind: 'insight', id: insight.id, measure: 0 } }
    const says = { of: 'value', op: 'gt', value: 0, then: 'Above nothing', otherwise: 'Nothing' }
    const report = await published('interactive', [
      { id: 'pay001', kind: 'insight', insight: insight.id },
      { ...text, ...says, place: { x: 0, y: 8, w: 12, h: 2 } },
    ])
    const ruled = await workspace.join('viewer')
    const filters = { region: onlyNorth() }
    const one = await schedule(report, {
      recipients: [address('c@bank.example', filters), member(ruled, filters)],
      hold: false,
    })
    const hide = { ...onlyRegion(workspace.datasetId, 'North', { kind: 'member' as const, id: ruled.userId }) }
    await savePolicy(owner, { rules: [{ ...hide, rows: 'all', filters: [], columns: [{ key: 'c3', grant: 'hide' }] }] })
    // Who may edit schedules and not see the column learns no value of it, and saves nothing over it.
    await env.DB.prepare("UPDATE members SET role = 'analyst' WHERE user_id = ?").bind(ruled.userId).run()
    const seen = await sent<ReportSchedule>(ruled, at(report, one))
    expect([seen.body.restricted, JSON.stringify(seen.body)]).toEqual([true, expect.not.stringContaining('North')])
    const plain = { timing: WEEKLY, format: 'pdf', recipients: [member(ruled)], version: one.version, active: true }
    expect((await sent(ruled, at(report, one), plain, 'PUT')).status).toBe(403)
    await round(dateOf(one))
    const [mail] = await mailsTo('c@bank.example', report)
    expect(await cellsOf(mail)).not.toMatch(/111111|Above nothing/)
    expect((await log(report, one)).toSorted()).toEqual(['failed: filterHidden', 'sending'])
    await savePolicy(owner, { rules: [] })
    const stored = JSON.stringify({ ...report.published, filters: [] })
    await env.DB.prepare('UPDATE reports SET published = ? WHERE id = ?').bind(stored, report.id).run()
    await round(dateOf(one, 1))
    expect((await log(report, one)).slice(0, 2)).toEqual(['failed: filterGone', 'failed: filterGone'])
  })

  it('is held while data are older than the period or an import failed, tells its owner once, and goes by itself or by hand', async () => {
    const report = await published()
    const recipients = [member(owner), address('d@bank.example')]
    const timing = { kind: 'afterClose', unit: 'month', days: 1, hour: 7 } as const
    const one = await schedule(report, { timing, recipients })
    await round(dateOf(one, 1))
    await round(dateOf(one, 1) + HOUR_MS)
    expect(await log(report, one)).toEqual(['held: stale', 'held: stale'])
    expect(await templatesTo(await emailOf(owner), report.name)).toEqual(['reportHeld'])
    const { body } = await sent<ListPage<ReportDelivery>>(owner, `${at(report, one)}/deliveries`)
    const [held] = body.items
    const retry = () => owner.fetch(`${at(report, one)}/deliveries/${held?.id ?? ''}/retry`, { method: 'POST' })
    expect([(await retry()).status, (await retry()).status]).toEqual([200, 409])
    await round(dateOf(one, 1) + 2 * HOUR_MS)
    expect((await log(report, one)).toSorted()).toEqual(['held: stale', 'sending'])
    // The next date takes the place of what still waits.
    await round(dateOf(one, 2))
    expect((await log(report, one)).filter((line) => line === 'skipped: superseded')).toHaveLength(1)
    const fail = env.DB.prepare("UPDATE runs SET state = 'failed' WHERE dataset_id = ?").bind(workspace.datasetId)
    const weekly = await schedule(report, { recipients: [address('e@bank.example')] })
    await fail.run()
    await round(dateOf(weekly))
    expect(await log(report, weekly)).toEqual(['held: sourceFailed'])
    await env.DB.prepare("UPDATE runs SET state = 'succeeded' WHERE dataset_id = ?").bind(workspace.datasetId).run()
    await round(dateOf(weekly) + MINUTE_MS)
    expect(await mailsTo('e@bank.example', report)).toHaveLength(0)
    // New rows came in: nobody waits for the next look.
    const woken = { workspaceId: owner.workspaceId, now: dateOf(weekly) + MINUTE_MS }
    await deliveryQueue(openDatabase(env.DB)).wakeHeld(woken).run()
    await round(dateOf(weekly) + 2 * MINUTE_MS)
    expect(await mailsTo('e@bank.example', report)).toHaveLength(1)
  })

  it('is not sent without data, nor to who left, unsubscribed or is of no allowed domain any more', async () => {
    const report = await published()
    const [leaver, quiet] = [await workspace.join('viewer'), await workspace.join('viewer')]
    const timing = { kind: 'afterClose', unit: 'year', days: 1, hour: 7 } as const
    const empty = await schedule(report, { timing, recipients: [member(quiet)], hold: false })
    const nowhere = { region: { field: field('c3'), any: [{ op: 'eq' as const, value: 'Nowhere' }] } }
    const recipients = [member(leaver), member(quiet), member(owner, nowhere), address('f@bank.example')]
    const one = await schedule(report, { recipients, hold: false })
    await env.DB.prepare("UPDATE members SET status = 'suspended' WHERE user_id = ?").bind(leaver.userId).run()
    const own = `${at(report, one)}/subscription`
    expect((await sent(quiet, own, { subscribed: false }, 'PUT')).body).toEqual({ subscribed: false })
    await env.DB.prepare("UPDATE workspaces SET report_domains = '[]' WHERE id = ?").bind(owner.workspaceId).run()
    await round(dateOf(one))
    expect((await log(report, one)).toSorted()).toEqual([
      'skipped: domain',
      'skipped: empty',
      'skipped: left',
      'skipped: unsubscribed',
    ])
    await env.DB.prepare('UPDATE workspaces SET report_domains = \'["bank.example"]\' WHERE id = ?')
      .bind(owner.workspaceId)
      .run()
    expect((await sent(quiet, own, { subscribed: true }, 'PUT')).status).toBe(200)
    await round(dateOf(one, 1))
    expect(await mailsTo(await emailOf(quiet), report)).toHaveLength(1)
    expect(empty.next).toHaveLength(3)
  })

  it.each([
    [
      'ownerLeft',
      "UPDATE members SET status = 'suspended' WHERE user_id = ?1",
      "UPDATE members SET status = 'active' WHERE user_id = ?1",
    ],
    [
      'ownerRole',
      "UPDATE members SET role = 'viewer' WHERE user_id = ?1",
      "UPDATE members SET role = 'analyst' WHERE user_id = ?1",
    ],
    [
      'plan',
      "UPDATE subscriptions SET plan_id = 'personal' WHERE workspace_id = ?2",
      "UPDATE subscriptions SET plan_id = 'professional' WHERE workspace_id = ?2",
    ],
  ] as const)('is paused and told to an owner of the workspace: %s', async (reason, lost, back) => {
    const report = await published()
    const analyst = reason === 'plan' ? owner : await workspace.join('analyst')
    const one = await schedule(report, { recipients: [address('g@bank.example')], hold: false }, analyst)
    const write = (sql: string) =>
      env.DB.prepare(`${sql} AND (?1 <> '' AND ?2 <> '')`).bind(analyst.userId, owner.workspaceId).run()
    await write(lost)
    await Promise.all([round(dateOf(one)), round(dateOf(one))])
    await write(back)
    await round(dateOf(one, 1))
    const { body } = await sent<ReportSchedule>(owner, at(report, one))
    expect(body).toMatchObject({ paused: reason, next: [] })
    expect(await mailsTo('g@bank.example', report)).toEqual([])
    expect(await templatesTo(await emailOf(owner), report.name)).toEqual(['schedulePaused'])
    const { timing, format, recipients, version } = body
    const plain = recipients.map(({ name: _name, unsubscribed: _gone, ...rest }) => rest)
    const resumed = { timing, format, recipients: plain, hold: false, version, active: true }
    expect((await sent<ReportSchedule>(owner, at(report, one), resumed, 'PUT')).body).toMatchObject({
      ...{ paused: null, ownerId: owner.userId },
    })
  })

  it('gives nobody more when it is handed over: nothing is sent by the rights of an heir until they say so', async () => {
    const report = await published()
    const leaver = await workspace.join('analyst')
    const timing = { kind: 'afterClose', unit: 'month', days: 1, hour: 7 } as const
    const one = await schedule(report, { timing, recipients: [address('heir@bank.example')] }, leaver)
    // Held, and its owner sees less than when they saved it.
    await round(dateOf(one, 1))
    expect(await log(report, one)).toEqual(['held: stale'])
    await savePolicy(owner, {
      rules: [onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: leaver.userId })],
    })
    const { body: members } = await sent<ListPage<{ userId: string; version: number }>>(owner, '/api/members')
    const { version } = members.items.find(({ userId }) => userId === leaver.userId) ?? { version: 0 }
    const removal = `/api/members/${leaver.userId}?version=${version}&heir=${owner.userId}`
    expect((await sent(owner, removal, undefined, 'DELETE')).status).toBe(200)
    await round(dateOf(one, 1) + HOUR_MS)
    await round(dateOf(one, 2))
    expect(await log(report, one)).toEqual(['skipped: paused'])
    expect(await mailsTo('heir@bank.example', report)).toEqual([])
    expect(await templatesTo(await emailOf(owner), report.name)).toEqual(['schedulePaused'])
    const { body } = await sent<ReportSchedule>(owner, at(report, one))
    expect(body).toMatchObject({ paused: 'newOwner', next: [], ownerId: owner.userId })
    await savePolicy(owner, { rules: [] })
  })

  it('is the newest edition of the period for legacy reports, and held until it is published', async () => {
    const report = await published('legacy')
    const one = await schedule(report, { recipients: [member(owner)], hold: false })
    await round(dateOf(one))
    expect(await log(report, one)).toEqual(['held: notPublished'])
    const freeze = { publication: report.publication }
    const { body } = await sent<Edition>(owner, `/api/reports/${report.id}/editions`, freeze)
    await env.DB.prepare('UPDATE report_editions SET published_at = ? WHERE id = ?').bind(dateOf(one), body.id).run()
    await round(dateOf(one) + HOUR_MS)
    expect(await mailsTo(await emailOf(owner), report)).toMatchObject([{ edition: 1 }])
    const refused = await scheduled(report, { recipients: [member(owner, { region: onlyNorth() })] })
    expect(refused.status).toBe(422)
  })
})

describe('the work on a delivery', () => {
  it('that is killed at any point sends one mail or none, and is done by the next', async () => {
    const report = await published()
    const one = await schedule(report, { recipients: [member(owner)], hold: false })
    const email = await emailOf(owner)
    const broken = depsAt(dateOf(one))
    const dies = new Error('killed')
    let fails = 0
    const d1 = new Proxy(broken.db.d1, {
      get(target, key) {
        const of: unknown = Reflect.get(target, key)
        if (key === 'batch' && fails++ >= 1) return () => Promise.reject(dies)
        return typeof of === 'function' ? of.bind(target) : of
      },
    })
    // The first batch begins the date; the second, with the mail, never happens, nor does what notes that.
    await sendDueReports({ ...broken, db: { d1 } }).catch(() => undefined)
    expect(await mailsTo(email, report)).toEqual([])
    await Promise.all([round(dateOf(one) + HOUR_MS), round(dateOf(one) + HOUR_MS)])
    expect(await mailsTo(email, report)).toHaveLength(1)
    // What a lost worker still holds finds the delivery done.
    await env.DB.prepare('UPDATE report_deliveries SET due_at = 0 WHERE schedule_id = ?').bind(one.id).run()
    await round(dateOf(one) + 2 * HOUR_MS)
    expect(await mailsTo(email, report)).toHaveLength(1)
  })

  it('does not hold up another workspace, however much there is', async () => {
    const report = await published()
    const recipients = Array.from({ length: 30 }, (_, n) => address(`many${n}@bank.example`))
    const many = await schedule(report, { recipients, hold: false })
    const other = await otherWorkspace(app)
    const of = (sql: string) => env.DB.prepare(sql).bind(many.id, other.workspaceId, dateOf(many))
    await env.DB.batch([
      of(`INSERT INTO report_schedules (id, workspace_id, report_id, content, owner_id, rights, created_at, updated_at)
          SELECT 'other', ?2, report_id, content, owner_id, rights, 1, 1 FROM report_schedules WHERE id = ?1 AND ?3 > 0`),
      of(`INSERT INTO report_deliveries (id, workspace_id, schedule_id, slot, slot_at, recipient, kind, state, due_at, created_at)
          VALUES ('other', ?2, 'other', ?1, ?3, 'nobody', 'member', 'waiting', ?3 + 1, 1)`),
    ])
    await round(dateOf(many) + 1)
    expect(await env.DB.prepare("SELECT state FROM report_deliveries WHERE id = 'other'").first('state')).toBe(
      'skipped',
    )
    const counts = async () => (await log(report, many)).filter((state) => state === 'sending').length
    expect(await counts()).toBe(19)
    await round(dateOf(many) + 1)
    expect(await counts()).toBeGreaterThanOrEqual(11)
  })

  it('follows its mail: sent, or refused by the server and tried again by hand', async () => {
    const report = await published()
    const one = await schedule(report, { recipients: [member(owner), address('h@bank.example')], hold: false })
    await round(dateOf(one))
    const mails: OutgoingMail[] = []
    const send = async (mail: OutgoingMail): Promise<void> => {
      mails.push(mail)
      const { MailRefused } = await import('../../../mail/smtp')
      if (mail.to.domain === 'bank.example') throw new MailRefused('no such person')
    }
    const later = depsAt(dateOf(one) + MINUTE_MS)
    await env.DB.prepare("UPDATE outbox SET delivered_at = 1 WHERE kind = 'mail' AND payload NOT LIKE ?")
      .bind(`%${report.id}%`)
      .run()
    await deliverMail({ ...later, mail: { send } })
    await round(dateOf(one) + MINUTE_MS)
    expect((await log(report, one)).toSorted()).toEqual(['failed: mail', 'sent'])
    const mine = mails.find(({ to }) => to.domain !== 'bank.example')
    expect(mine?.attachments?.[0]).toMatchObject({ fileName: `${report.name}.xlsx` })
    expect(mine?.unsubscribe).toMatch(/\/unsubscribe\/rcp_/)
    const { body } = await sent<ListPage<ReportDelivery>>(owner, `${at(report, one)}/deliveries`)
    const failed = body.items.find(({ state }) => state === 'failed')?.id ?? ''
    expect((await owner.fetch(`${at(report, one)}/deliveries/${failed}/retry`, { method: 'POST' })).status).toBe(200)
    await round(dateOf(one) + HOUR_MS)
    expect(await mailsTo('h@bank.example', report)).toHaveLength(2)
  })

  it('of a test is for oneself, at once, and says nothing to others', async () => {
    const report = await published()
    const one = await schedule(report, { recipients: [address('i@bank.example')] })
    const { status, body } = await sent<ReportDelivery>(owner, `${at(report, one)}/test`, undefined, 'POST')
    expect([status, body.state, body.reason, body.test]).toEqual([201, 'sending', null, true])
    expect(await mailsTo(await emailOf(owner), report)).toMatchObject([{ recipientId: null }])
    expect(await mailsTo('i@bank.example', report)).toEqual([])
    const deps = depsAt(Date.now() + 200 * DAY_MS)
    await sweepDeliveries(deps)
    expect(await log(report, one)).toEqual([])
  })
})

describe('recipients', () => {
  it('outside are of allowed domains, plain addresses, and not for links or plans without them', async () => {
    const report = await published()
    const refusal = async (input: Input) => {
      const { status, body } = await scheduled(report, input)
      return [status, body.code]
    }
    const to = (email: string): Input => ({ recipients: [address(email)] })
    const wrong = [
      'x@other.example',
      'x@bank.example.evil.example',
      'x@bank.example\r\nBcc: y@bank.example',
      'x@bank.example,y@bank.example',
      '"x"@bank.example',
      'x@BANK.example@evil.example',
    ]
    for (const email of wrong) expect([email, ...(await refusal(to(email)))]).toEqual([email, 422, 'invalid_input'])
    expect(await refusal({ ...to('x@bank.example'), format: 'link' })).toEqual([422, 'invalid_input'])
    expect(await refusal({ recipients: [address('x@bank.example'), address('X@bank.example')] })).toEqual([
      422,
      'invalid_input',
    ])
    const stranger = await otherWorkspace()
    expect(await refusal({ recipients: [member(stranger)] })).toEqual([422, 'invalid_input'])
    const other = { region: { field: field('c1'), any: [{ op: 'eq' as const, value: 'Ada' }] } }
    expect(await refusal({ recipients: [member(owner, other)] })).toEqual([422, 'invalid_input'])
    const plan = (id: string) =>
      env.DB.prepare('UPDATE subscriptions SET plan_id = ? WHERE workspace_id = ?').bind(id, owner.workspaceId).run()
    await plan('personal')
    expect(await refusal(to('x@bank.example'))).toEqual([402, 'plan_required'])
    expect((await scheduled(report, { recipients: [member(owner)] })).status).toBe(201)
    await plan('professional')
  })

  it('unsubscribe by the link of their mail and by no other, and subscribe again', async () => {
    const report = await published()
    const one = await schedule(report, { recipients: [address('j@bank.example')], hold: false })
    await round(dateOf(one))
    const [mail] = await mailsTo('j@bank.example', report)
    const settings = {
      SESSION_SECRET: String(env['SESSION_SECRET']),
      APP_NAME: 'Insikt',
      BASE_URL: 'https://insikt.test',
    }
    const token = await signSubscriptionToken(settings, mail?.recipientId ?? '')
    const written = mail && (await composeMail(settings, mail, owner.workspaceId))
    expect(written?.text).toContain(`https://insikt.test/reports/unsubscribe#${token}`)
    expect(written?.text).not.toMatch(/View report|\/reports\/interactive/)
    const anon = await visitor({ app })
    const call = async (path: string, json: object) => {
      const answer = await anon.fetch(`/api/report-subscriptions${path}`, { method: 'POST', json })
      return { status: answer.status, body: await answer.json<object>() }
    }
    expect((await call('/check', { token })).body).toMatchObject({ report: report.name, subscribed: true })
    const foreign = await signSubscriptionToken(
      { SESSION_SECRET: 'another secret that is long enough' },
      mail?.recipientId ?? '',
    )
    const flipped = `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`
    for (const forged of [foreign, flipped])
      expect((await call('', { token: forged, subscribed: false })).status).toBe(410)
    expect((await call('', { token: 'rcp_', subscribed: false })).status).toBe(422)
    // Looking changes nothing.
    await round(dateOf(one, 1))
    expect(await mailsTo('j@bank.example', report)).toHaveLength(2)
    for (const _twice of [1, 2])
      expect((await call('', { token, subscribed: false })).body).toMatchObject({ subscribed: false })
    await round(dateOf(one, 2))
    expect((await log(report, one))[0]).toBe('skipped: unsubscribed')
    expect((await sent<ReportSchedule>(owner, at(report, one))).body.recipients[0]?.unsubscribed).toBe(true)
    expect((await call('', { token, subscribed: true })).body).toMatchObject({ subscribed: true })
    await round(dateOf(one, 2) + 7 * DAY_MS)
    expect(await mailsTo('j@bank.example', report)).toHaveLength(3)

    // A mail program, at one click (RFC 8058): no cookie, no page; it can end and never renew.
    const oneClick = await signUnsubscribeToken(settings, mail?.recipientId ?? '')
    expect(written?.unsubscribe).toBe(`https://insikt.test/unsubscribe/${oneClick}`)
    const isSubscribed = async () => (await call('/check', { token })).body
    const form = (value: string) => new URLSearchParams({ 'List-Unsubscribe': value })
    const post = (of: string, body: BodyInit) => callApp(app, `/unsubscribe/${of}`, { method: 'POST', body })
    const opened = await callApp(app, `/unsubscribe/${oneClick}`, { redirect: 'manual' })
    expect([opened.status, opened.headers.get('location')]).toEqual([302, `/reports/unsubscribe#${token}`])
    for (const forged of [token, flipped, `${oneClick}0`, 'rcp_'])
      expect((await post(forged, form('One-Click'))).status).toBe(410)
    for (const other of [form('Later'), '{"List-Unsubscribe":"One-Click"}', 'x'.repeat(5_000)])
      expect((await post(oneClick, other)).status).toBeGreaterThanOrEqual(400)
    expect((await call('', { token: oneClick, subscribed: true })).status).toBe(410)
    expect(await isSubscribed()).toMatchObject({ subscribed: true })
    const multipart = new FormData()
    multipart.set('List-Unsubscribe', 'One-Click')
    for (const body of [form('One-Click'), multipart]) {
      const answer = await post(oneClick, body)
      expect([answer.status, answer.headers.get('set-cookie')]).toEqual([200, null])
      expect(await isSubscribed()).toMatchObject({ subscribed: false })
    }
  })

  it('download what is too large for a mail, while they may see what is in it', async () => {
    const report = await published()
    const reader = await workspace.join('analyst')
    const one = await schedule(report, { recipients: [member(reader)], hold: false })
    await round(dateOf(one))
    const { body } = await sent<ListPage<ReportDelivery>>(owner, `${at(report, one)}/deliveries`)
    const path = `/files/reports/${report.id}/deliveries/${body.items[0]?.id ?? ''}`
    const answer = await reader.fetch(path)
    expect([answer.status, (await answer.arrayBuffer()).byteLength > 1000]).toEqual([200, true])
    expect((await owner.fetch(path)).status).toBe(404)
    const only = onlyRegion(workspace.datasetId, 'North', { kind: 'member', id: reader.userId })
    await savePolicy(owner, { rules: [only] })
    expect((await reader.fetch(path)).status).toBe(404)
    await savePolicy(owner, { rules: [] })
  })

  it('are nobody’s outside the workspace: foreign ids answer 404, and of two savers the second is told', async () => {
    const report = await published()
    const one = await schedule(report, { recipients: [member(owner)] })
    const stranger = await otherWorkspace()
    for (const path of ['', '/deliveries']) expect((await stranger.fetch(at(report, one) + path)).status).toBe(404)
    const other = await published()
    expect((await owner.fetch(at(other, one))).status).toBe(404)
    const change = { timing: WEEKLY, format: 'pdf', recipients: [member(owner)], active: false, version: one.version }
    expect((await sent<ReportSchedule>(owner, at(report, one), change, 'PUT')).body.paused).toBe('person')
    expect((await sent(owner, at(report, one), change, 'PUT')).body.code).toBe('version_conflict')
    expect((await owner.fetch(`${at(report, one)}?version=2`, { method: 'DELETE' })).status).toBe(200)
    expect((await owner.fetch(at(report, one))).status).toBe(404)
    expect(await aPerson()).toMatch(/^usr_/)
  })
})
