import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '../../app'
import { evaluateAlert, evaluateDependentAlerts, evaluateDueAlerts } from './evaluate'
import { accessFingerprint, FULL_RIGHTS, Scope } from '../../scope'
import { savePolicy } from '../../../test/worker/access/guarded-workspace'
import { depsAt } from '../../../test/worker/deps'
import { signedIn, type Caller, type SignedIn, type SignedInOptions } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { column } from '../../../test/worker/warehouse-rows'
import type { Deps } from '../../deps'
import type { QueuedMail } from '../../mail/queued-mail'
import type { Alert, AlertEvent, CreateAlertInput, AlertTestRun } from '../../shared/alerts'
import type { Insight } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'

/** Rows are loaded now; the clock of every test stands a year later, on 10 March at nine in Stockholm. */
const NOW = Date.UTC(new Date().getUTCFullYear() + 1, 2, 10, 8)
const YEAR = new Date(NOW).getUTCFullYear()
const DAY_MS = 86_400_000
const app = createApp({ clock: { now: () => NOW }, onOutbox: () => undefined })
const dayOf = (iso: string): number => Date.parse(`${iso}T00:00:00Z`) / DAY_MS
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]
type Sale = [country: string, amount: number, day: string]
const rowsOf = (sales: Sale[]) => sales.map(([country, amount, day]) => [country, amount * 100, dayOf(day)])

let me: SignedIn
const joined = (options: SignedInOptions): Promise<SignedIn> =>
  signedIn({ app, session: { createdAt: NOW - 60_000 }, ...options })
beforeEach(async () => {
  me = await joined({ createdAt: NOW - 60_000 })
})

/** An insight over sales, months before the clock's: the newest complete month holds the last of `months`. */
async function sales(months: number[], more: Sale[] = []) {
  const first = months.length
  const day = (at: number): string => new Date(Date.UTC(YEAR, 2 - (first - at), 15)).toISOString().slice(0, 10)
  const rows = months.map((amount, at): Sale => ['SE', amount, day(at)])
  return { insight: await insightOver([...rows, ...more]), day }
}
async function insightOver(rows: Sale[]): Promise<Insight> {
  const dataset = await loadedDataset(me.workspaceId, rowsOf(rows), COLUMNS)
  await loadedAt(dataset)
  const field = (key: 'c0' | 'c1' | 'c2') => ({ dataset, column: key })
  const json = {
    name: `Sales ${dataset}`,
    plan: {
      v: 1,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: field('c1') }],
      dimensions: [{ field: field('c2'), grain: 'month' }],
      filters: [],
    },
    viz: { chart: 'line' },
  }
  return (await me.fetch('/api/insights', { method: 'POST', json })).json()
}
/** As if the rows had been loaded when the clock of the tests stands. */
async function loadedAt(dataset: string): Promise<void> {
  const { runInDurableObject } = await import('cloudflare:test')
  await runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(me.workspaceId)), (_object, state) => {
    state.storage.sql.exec('UPDATE datasets SET loaded_at = ? WHERE id = ?', NOW, dataset)
  })
}
const datasetOf = (insight: Insight): string => {
  const [measure] = insight.plan.measures
  return measure?.kind === 'column' ? (measure.field?.dataset ?? '') : ''
}
const above = (insight: Insight, limit: number, more: Partial<CreateAlertInput> = {}): CreateAlertInput => ({
  name: 'Much sold',
  subject: { kind: 'insight', id: insight.id },
  condition: { kind: 'value', op: 'above', limit },
  receivers: [me.userId],
  ...more,
})
const post = (path: string, json: unknown, who: Caller = me) => who.fetch(path, { method: 'POST', json })
async function made(input: CreateAlertInput): Promise<Alert> {
  const answer = await post('/api/alerts', input)
  expect(answer.status).toBe(201)
  return answer.json()
}
const read = async (id: string, who: Caller = me): Promise<Alert> => (await who.fetch(`/api/alerts/${id}`)).json()
const emailOf = async (userId: string): Promise<string> =>
  (await env.DB.prepare('SELECT email FROM users WHERE id = ?').bind(userId).first<string>('email')) ?? ''
async function mails(userId = me.userId): Promise<QueuedMail[]> {
  const { results } = await env.DB.prepare(
    "SELECT payload FROM outbox WHERE kind = 'mail' AND json_extract(payload, '$.to') = ? ORDER BY created_at, rowid",
  )
    .bind(await emailOf(userId))
    .all<{ payload: string }>()
  return results.map(({ payload }) => JSON.parse(payload))
}
const told = async (userId?: string): Promise<string[]> =>
  (await mails(userId)).map((mail) => (mail.template === 'alert' ? mail.event : mail.template))
const scopeOf = (): Scope => Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' })
const evaluated = (alert: Alert, deps: Deps = depsAt(NOW)) => evaluateAlert(deps, scopeOf(), alert.id)
const setLimit = async (alert: Alert, limit: number): Promise<Alert> => {
  const { name, subject, receivers, reminderDays } = alert
  const json = {
    name,
    subject,
    receivers,
    reminderDays,
    condition: { kind: 'value', op: 'above', limit },
    version: alert.version,
  }
  const answer = await me.fetch(`/api/alerts/${alert.id}`, { method: 'PUT', json })
  expect(answer.status).toBe(200)
  return answer.json()
}

describe('alerts', () => {
  it('open by the newest complete month, and are told of in one mail with the figure', async () => {
    const { insight } = await sales([100, 250], [['SE', 9_999, `${YEAR}-03-02`]])
    const alert = await made(above(insight, 200))
    expect(alert).toMatchObject({ state: 'open', groups: [{ value: 250, period: `${YEAR}-02-01`, label: null }] })
    expect(await mails()).toMatchObject([
      {
        template: 'alert',
        event: 'opened',
        condition: 'above 200',
        lines: [`${insight.name}: 250 in Feb ${YEAR}.`],
      },
    ])
    await evaluated(alert)
    await evaluated(alert)
    expect(await told()).toEqual(['opened'])
  })

  it('are mailed to nobody without a proven address, and by an owner without one to nobody at all', async () => {
    const { insight } = await sales([100, 250])
    const other = await joined({ workspaceId: me.workspaceId })
    const unproven = (userId: string) =>
      env.DB.prepare('UPDATE users SET email_proven_at = NULL WHERE id = ?').bind(userId).run()
    await unproven(other.userId)
    await made(above(insight, 200, { receivers: [me.userId, other.userId] }))
    expect([await told(), await told(other.userId)]).toEqual([['opened'], []])
    await env.DB.prepare('UPDATE users SET email_proven_at = 1 WHERE id = ?').bind(other.userId).run()
    await unproven(me.userId)
    await made(above(insight, 200, { name: 'Again', receivers: [me.userId, other.userId] }))
    expect([await told(), await told(other.userId)]).toEqual([['opened'], []])
  })

  it('judge the last period of data that ended, and say so until newer rows are loaded', async () => {
    const old = await insightOver([
      ['SE', 100, `${YEAR - 4}-01-10`],
      ['SE', 250, `${YEAR - 3}-02-20`],
    ])
    const alert = await made(above(old, 200))
    const end = `${YEAR - 3}-02-20`
    const judged = { value: 250, period: `${YEAR - 3}-02-01` }
    expect(alert).toMatchObject({ state: 'open', groups: [judged], trouble: { code: 'data_ended', dataTo: end } })
    expect(await told()).toEqual(['opened'])
    const run = await (await post(`/api/alerts/${alert.id}/test`, undefined)).json<AlertTestRun>()
    expect(run.periods.at(-1)).toBe(judged.period)
    expect(run).toMatchObject({ dataTo: end, fired: 1 })
    const { insight } = await sales([100, 250])
    const current = await made(above(insight, 300, { name: 'Current' }))
    expect(current.trouble).toBeNull()
    expect(await (await post(`/api/alerts/${current.id}/test`, undefined)).json()).toMatchObject({ dataTo: null })
  })

  it('close past the band only, with one mail', async () => {
    const { insight } = await sales([100, 250])
    let alert = await made(above(insight, 200))
    const { name, subject, receivers } = alert
    const band = { name, subject, receivers, condition: { kind: 'value', op: 'above', limit: 260, band: 20 } }
    await me.fetch(`/api/alerts/${alert.id}`, { method: 'PUT', json: { ...band, version: 1 } })
    alert = await read(alert.id)
    expect([alert.state, await told()]).toEqual(['open', ['opened']])
    alert = await setLimit(alert, 300)
    expect([alert.state, await told()]).toEqual(['ok', ['opened', 'resolved']])
    const { items } = await (await me.fetch(`/api/alerts/${alert.id}/events`)).json<ListPage<AlertEvent>>()
    expect(items.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'changed', 'opened', 'resolved'])
  })

  it('send one mail when two loads end at once, and ten', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 300))
    await env.DB.prepare("UPDATE alerts SET rules = replace(rules, '300', '200') WHERE id = ?").bind(alert.id).run()
    await Promise.all(
      Array.from({ length: 10 }, () => evaluateDependentAlerts(depsAt(NOW), { scope: scopeOf() }, datasetOf(insight))),
    )
    expect(await told()).toEqual(['opened'])
    expect((await read(alert.id)).state).toBe('open')
    const { items } = await (await me.fetch(`/api/alerts/${alert.id}/events`)).json<ListPage<AlertEvent>>()
    expect(items.map(({ kind }) => kind)).toEqual(['opened'])
  })

  it('keep what a person said while they were being evaluated', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 200))
    const deps = depsAt(NOW)
    const warehouse: Deps['warehouse'] = (scope) => {
      const own = deps.warehouse(scope)
      const query: typeof own.query = async (ask) => {
        const answer = await own.query(ask)
        await post(`/api/alerts/${alert.id}/acknowledge`, {})
        return answer
      }
      return { ...own, query }
    }
    await evaluated(alert, { ...deps, warehouse })
    expect((await read(alert.id)).state).toBe('acknowledged')
  })

  it('watch each member for itself, and tell of several in one mail', async () => {
    const { insight, day } = await sales([100, 250])
    const other = await insightOver([
      ['SE', 250, day(1)],
      ['NO', 300, day(1)],
      ['FI', 10, day(1)],
    ])
    const by = { field: { dataset: datasetOf(other), column: 'c0' as const } }
    const alert = await made(above(other, 200, { by }))
    expect(alert.groups.map(({ label, state }) => `${label} ${state}`).toSorted()).toEqual([
      'FI ok',
      'NO open',
      'SE open',
    ])
    expect(await mails()).toMatchObject([
      { event: 'opened', count: 2, lines: [expect.any(String), expect.any(String)] },
    ])
    expect(insight.id).not.toBe(other.id)
  })

  it('take a month without sales as nothing sold, and a month that was not loaded as unknown', async () => {
    const { insight, day } = await sales([100, 100, 100])
    const other = await insightOver([
      ['SE', 100, day(1)],
      ['NO', 100, day(1)],
      ['SE', 100, day(2)],
    ])
    const by = { field: { dataset: datasetOf(other), column: 'c0' as const } }
    const below = { kind: 'value' as const, op: 'below' as const, limit: 50 }
    const alert = await made({ ...above(other, 0, { by }), condition: below })
    expect(alert.groups.map(({ label, state, value }) => [label, state, value])).toEqual(
      expect.arrayContaining([
        ['NO', 'open', 0],
        ['SE', 'ok', 100],
      ]),
    )
    // Loaded before February was over: January is the newest that can be judged.
    const { runInDurableObject } = await import('cloudflare:test')
    await runInDurableObject(env.WAREHOUSE.get(env.WAREHOUSE.idFromName(me.workspaceId)), (_object, state) => {
      state.storage.sql.exec('UPDATE datasets SET loaded_at = ?', Date.UTC(YEAR, 1, 20))
    })
    const early = await made({ ...above(insight, 0), name: 'Early', condition: below })
    expect(early.groups).toMatchObject([{ period: `${YEAR}-01-01`, state: 'ok' }])
  })

  it('hold a month against the same one a year ago, and a running one against as far into it', async () => {
    const insight = await insightOver([
      ['SE', 100, `${YEAR - 1}-02-10`],
      ['SE', 300, `${YEAR - 1}-03-05`],
      ['SE', 700, `${YEAR - 1}-03-25`],
      ['SE', 80, `${YEAR}-02-10`],
      ['SE', 200, `${YEAR}-03-04`],
    ])
    const fall = {
      kind: 'change' as const,
      against: 'year' as const,
      op: 'falls' as const,
      by: 0.1,
      unit: 'percent' as const,
    }
    const whole = await made({ ...above(insight, 0), condition: fall })
    expect(whole.groups).toMatchObject([{ value: 80, compared: 100, state: 'open' }])
    const running = await made({ ...above(insight, 0), name: 'So far', condition: fall, on: 'running' })
    expect(running.groups).toMatchObject([{ value: 200, compared: 300, state: 'open', period: `${YEAR}-03-01` }])
  })

  it('wait until the condition has held for as many periods', async () => {
    const { insight } = await sales([100, 250, 250])
    const hold = { n: 2, of: 'periods' as const }
    expect((await made(above(insight, 200, { hold }))).state).toBe('open')
    expect((await made(above(insight, 200, { hold: { ...hold, n: 3 }, name: 'Three' }))).state).toBe('ok')
    const twice = await made(above(insight, 200, { hold: { n: 2, of: 'evaluations' }, name: 'Twice' }))
    expect(twice.state).toBe('ok')
    await evaluated(twice)
    expect((await read(twice.id)).state).toBe('open')
  })

  it('judge a group that is known by its own rows, though many others are larger, and forget who is gone and quiet', async () => {
    const others = Array.from({ length: 105 }, (_, n): Sale => [`Country ${n}`, 1_000, `${YEAR}-02-15`])
    const { insight } = await sales([5, 5], others)
    const by = { field: { dataset: datasetOf(insight), column: 'c0' as const } }
    const alert = await made({ ...above(insight, 3), by, condition: { kind: 'value', op: 'below', limit: 3 } })
    const known = async (...members: string[]) => {
      const groups = members.map((member) => ({
        ...{ member, label: member, state: 'ok', since: NOW, streak: 0, told: 'ok', toldAt: null },
        ...{ period: null, value: null, compared: null },
      }))
      await env.DB.prepare('UPDATE alerts SET groups = ? WHERE id = ?').bind(JSON.stringify(groups), alert.id).run()
      await evaluated(alert)
      const { groups: seen } = await read(alert.id)
      return members.map((member) => seen.find((group) => group.member === member) ?? null)
    }
    expect(await known('SE', 'Atlantis')).toMatchObject([
      { value: 5, state: 'ok' },
      { value: 0, state: 'open' },
    ])
    const json = { ...above(insight, 3), by, version: (await read(alert.id)).version }
    await me.fetch(`/api/alerts/${alert.id}`, { method: 'PUT', json })
    expect(await known('SE', 'Atlantis')).toMatchObject([{ value: 5, state: 'open' }, null])
  })

  it('keep the newest thousand lines of their history', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 200))
    await env.DB.prepare(
      `INSERT INTO alert_events (id, workspace_id, alert_id, kind, at)
       SELECT 'old' || value, ?1, ?2, 'changed', value FROM json_each(?3)`,
    )
      .bind(me.workspaceId, alert.id, JSON.stringify(Array.from({ length: 1_000 }, (_, at) => at)))
      .run()
    await post(`/api/alerts/${alert.id}/acknowledge`, {})
    const { results } = await env.DB.prepare('SELECT kind, at FROM alert_events WHERE alert_id = ? ORDER BY at')
      .bind(alert.id)
      .all<{ kind: string; at: number }>()
    const newest = results.slice(-2).map(({ kind }) => kind)
    expect([results.length, results[0]?.at, newest.toSorted()]).toEqual([1_000, 2, ['acknowledged', 'opened']])
  })

  it('are quiet once acknowledged, while muted, and say afterwards what they kept to themselves', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 200, { reminderDays: 1 }))
    expect((await post(`/api/alerts/${alert.id}/acknowledge`, {})).status).toBe(200)
    await evaluated(alert, depsAt(NOW + 3 * DAY_MS))
    expect([(await read(alert.id)).state, await told()]).toEqual(['acknowledged', ['opened']])
    const muted: Alert = await (await post(`/api/alerts/${alert.id}/mute`, { days: 2 })).json()
    expect(muted.mutedUntil).toBe(new Date(NOW + 2 * DAY_MS).toISOString())
    await setLimit(await read(alert.id), 300)
    expect([(await read(alert.id)).state, await told()]).toEqual(['ok', ['opened']])
    await post(`/api/alerts/${alert.id}/mute`, { days: null })
    expect(await told()).toEqual(['opened', 'resolved'])
  })

  it('remind while they are open, in the scheduled round, and not twice in a day', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 200, { reminderDays: 2 }))
    await evaluateDueAlerts(depsAt(NOW + DAY_MS))
    expect(await told()).toEqual(['opened'])
    await evaluateDueAlerts(depsAt(NOW + 2 * DAY_MS))
    await evaluateDueAlerts(depsAt(NOW + 2 * DAY_MS))
    await evaluated(alert, depsAt(NOW + 2 * DAY_MS + 1))
    expect(await told()).toEqual(['opened', 'reminded'])
  })

  it('say why they cannot be evaluated, keep what was open, and go on when they can', async () => {
    const { insight } = await sales([100, 250])
    const alert = await made(above(insight, 200))
    const setMember = (status: string) =>
      env.DB.prepare('UPDATE members SET status = ? WHERE user_id = ?').bind(status, me.userId).run()
    await setMember('suspended')
    await evaluated(alert)
    await setMember('active')
    expect(await read(alert.id)).toMatchObject({ state: 'open', trouble: { code: 'owner_gone' } })
    await evaluated(alert)
    expect(await read(alert.id)).toMatchObject({ state: 'open', trouble: null })
    await me.fetch(`/api/insights/${insight.id}?version=1`, { method: 'DELETE' })
    await evaluated(alert)
    expect(await read(alert.id)).toMatchObject({ state: 'open', subjectName: null, trouble: { code: 'subject_gone' } })
    expect(await told()).toEqual(['opened'])
  })

  it.each([
    [
      'the workspace is restricted',
      "UPDATE subscriptions SET state = 'restricted', override = NULL WHERE workspace_id = ?1",
    ],
    ['the trial is over', "UPDATE subscriptions SET state = 'trial_expired' WHERE workspace_id = ?1"],
    ['the workspace is deleted', 'UPDATE workspaces SET deleted_at = 1 WHERE id = ?1'],
    [
      'the receiver is suspended',
      "UPDATE members SET status = 'suspended' WHERE workspace_id = ?1 AND role = 'viewer'",
    ],
    ['the receiver is removed', "DELETE FROM members WHERE workspace_id = ?1 AND role = 'viewer'"],
    ['the receiver is of the portal', "UPDATE members SET role = 'client' WHERE workspace_id = ?1 AND role = 'viewer'"],
    [
      'the receiver has no seat',
      `UPDATE subscriptions SET state = 'active', plan_id = 'professional', override = '{"users":1}' WHERE workspace_id = ?1`,
    ],
  ])('remind nobody any more when %s', async (_what, statement) => {
    const { insight } = await sales([100, 250])
    const other = await joined({ workspaceId: me.workspaceId, role: 'viewer' })
    const heard = async () => (await told(other.userId)).length
    await made(above(insight, 200, { receivers: [other.userId], reminderDays: 1 }))
    await evaluateDueAlerts(depsAt(NOW + DAY_MS))
    expect(await heard()).toBe(2)
    await env.DB.prepare(statement).bind(me.workspaceId).run()
    await evaluateDueAlerts(depsAt(NOW + 3 * DAY_MS))
    expect(await heard()).toBe(2)
  })

  it('go to the heir of their owner', async () => {
    const { insight } = await sales([100, 250])
    const leaver = await joined({ workspaceId: me.workspaceId, role: 'analyst' })
    const answer = await post('/api/alerts', above(insight, 200, { receivers: [leaver.userId] }), leaver)
    const alert = await answer.json<Alert>()
    expect(alert.ownerId).toBe(leaver.userId)
    const gone = await me.fetch(`/api/members/${leaver.userId}?version=1&heir=${me.userId}`, { method: 'DELETE' })
    expect(gone.status).toBe(200)
    expect(await read(alert.id)).toMatchObject({ ownerId: me.userId, receiverNames: [] })
  })

  it('are mailed to nobody from whom what they watch is hidden, and looked at all the same', async () => {
    const { insight } = await sales([100, 250])
    const { id } = await (await post('/api/categories', { name: 'Board', icon: 'folder' })).json<{ id: string }>()
    await env.DB.prepare('UPDATE insights SET category_id = ? WHERE id = ?').bind(id, insight.id).run()
    const limited = await joined({ workspaceId: me.workspaceId, role: 'viewer' })
    const subject = { kind: 'member', id: limited.userId } as const
    const rule = { name: 'Board', subject, resource: { kind: 'category', id }, effect: 'hide', rows: 'all' } as const
    await savePolicy(me, { rules: [{ ...rule, filters: [], columns: [], active: true }] })
    const alert = await made(above(insight, 200, { active: false, receivers: [me.userId, limited.userId] }))
    await env.DB.prepare('UPDATE alerts SET active = 1 WHERE id = ?').bind(alert.id).run()
    const rights = { ...FULL_RIGHTS, hiddenCategories: [id] }
    const scope = Scope.forReader({ workspaceId: me.workspaceId, userId: limited.userId, epoch: '1.1', rights })
    await evaluateDependentAlerts(depsAt(NOW), { scope }, datasetOf(insight))
    expect([await told(), await told(limited.userId)]).toEqual([['opened'], []])
  })

  it('tell people with other rights of nothing but that something happened (RLS-3)', async () => {
    const { insight } = await sales([100, 250_137])
    const limited = await joined({ workspaceId: me.workspaceId, role: 'viewer' })
    const real = Scope.forReader.bind(Scope)
    const hidden = [{ dataset: datasetOf(insight), column: 'c0' as const }]
    const forReader = vi
      .spyOn(Scope, 'forReader')
      .mockImplementation((started) =>
        real(started.userId === limited.userId ? { ...started, rights: { ...started.rights, hidden } } : started),
      )
    const alert = await made(above(insight, 200, { receivers: [me.userId, limited.userId] }))
    forReader.mockRestore()
    expect(await mails(limited.userId)).toMatchObject([{ event: 'opened', condition: null, lines: null }])
    expect(JSON.stringify(await mails(limited.userId))).not.toMatch(/250.?137/)
    expect(await told()).toEqual(['opened'])
    await env.DB.prepare("UPDATE alerts SET rights = 'others' WHERE id = ?").bind(alert.id).run()
    await env.DB.prepare("UPDATE alert_events SET rights = 'others' WHERE alert_id = ?").bind(alert.id).run()
    expect((await read(alert.id)).groups).toMatchObject([{ value: null, state: 'open' }])
    expect(await (await me.fetch(`/api/alerts/${alert.id}/events`)).json()).toMatchObject({ items: [{ value: null }] })
  })

  it('show before they are saved when they would have gone off', async () => {
    const { insight } = await sales([100, 250, 90, 100, 300, 310, 100])
    const rules = {
      subject: { kind: 'insight', id: insight.id },
      condition: { kind: 'value', op: 'above', limit: 200 },
    }
    const run: AlertTestRun = await (await post('/api/alerts/test', rules)).json()
    expect(run.fired).toBe(2)
    expect(run.periods).toHaveLength(12)
    expect(run.groups[0]?.readings.flatMap(({ event, value }) => (event ? [[event, value]] : []))).toEqual([
      ['opened', 250],
      ['resolved', 90],
      ['opened', 300],
      ['resolved', 100],
    ])
    expect((await mails()).length).toBe(0)
  })

  it('open when one of their kinds of finding is made about the newest period, and close when it is no more', async () => {
    const { insight } = await sales([100, 250])
    const condition = { kind: 'finding' as const, kinds: ['outlier' as const] }
    const alert = await made({ ...above(insight, 0), condition })
    expect(alert.state).toBe('ok')
    const about = JSON.stringify({ metric: null, insights: [insight.id] })
    const effect = JSON.stringify({ kind: 'outlier', period: { from: '', to: `${YEAR}-02-01`, grain: 'month' } })
    await env.DB.prepare(
      `INSERT INTO findings (id, workspace_id, rights, key, dataset_id, about, effect, first_found_at, found_at)
       VALUES (?1, ?2, ?3, ?1, 'ds', ?4, ?5, 1, 1)`,
    )
      .bind(`fnd_${alert.id}`, me.workspaceId, accessFingerprint(scopeOf()), about, effect)
      .run()
    await evaluated(alert)
    expect((await read(alert.id)).state).toBe('open')
    await env.DB.prepare('DELETE FROM findings WHERE workspace_id = ?').bind(me.workspaceId).run()
    await evaluated(alert)
    expect([(await read(alert.id)).state, await told()]).toEqual(['ok', ['opened', 'resolved']])
  })

  it('refuse what cannot be followed, strangers, one name twice and stale versions', async () => {
    const { insight } = await sales([100])
    const stranger = await joined({})
    const alert = await made(above(insight, 200))
    const fault = async (json: unknown) => {
      const answer = await post('/api/alerts', json)
      return [answer.status, (await answer.json<{ code: string }>()).code]
    }
    expect(await fault(above(insight, 1))).toEqual([409, 'name_taken'])
    expect(await fault(above(insight, 1, { name: 'B', receivers: [stranger.userId] }))).toEqual([422, 'invalid_input'])
    const plan = { ...insight.plan, dimensions: [] }
    const json = { name: 'Dateless', plan, viz: { chart: 'number' } }
    const dateless: Insight = await (await me.fetch('/api/insights', { method: 'POST', json })).json()
    expect(await fault(above(dateless, 1, { name: 'C' }))).toEqual([422, 'invalid_input'])
    const stale = await me.fetch(`/api/alerts/${alert.id}`, {
      method: 'PUT',
      json: { ...above(insight, 5), version: 7 },
    })
    expect([stale.status, await stale.json()]).toMatchObject([409, { current: { id: alert.id, version: 1 } }])
  })
})
