import { DAY_MS } from '../shared/dates'
import { env } from 'cloudflare:test'
import { expect, describe, it, beforeAll } from 'vitest'
import { createApp } from '../app'
import { systemIds } from '../deps'
import { ALERTS_MAX } from '../shared/alerts'
import { GROUPINGS_MAX, type Grouping } from '../shared/groupings/groupings'
import { NOTES_MAX } from '../shared/notes'
import { LONG } from '../../test/long'
import { signedIn, unique, type SignedIn } from '../../test/worker/factories'
import { loadedDataset } from '../../test/worker/loaded-dataset'
import { aRowOfEach } from '../../test/worker/resources'
import { column } from '../../test/worker/warehouse-rows'

const app = createApp()
/** Calls at once. */
const MANY = LONG ? 50 : 12
const COLUMNS = [
  column(0, { type: 'text', label: 'Country' }),
  column(1, { type: 'number', scale: 2, label: 'Amount', role: 'measure' }),
  column(2, { type: 'date', label: 'Day', role: 'time' }),
]
const NEW_YEAR = Date.UTC(2026, 0, 1) / DAY_MS
const ROWS = [['=1+1', 100, NEW_YEAR]]

/** Ids of things in one workspace that bodies may name. */
type Named = Record<'dataset' | 'metric' | 'grouping' | 'insight' | 'category' | 'user', string>
async function thingsOf(me: SignedIn): Promise<Named> {
  const ids = await aRowOfEach(me.workspaceId, me.userId)
  const dataset = await loadedDataset(me.workspaceId, ROWS, COLUMNS)
  const { metrics: metric = '', groupings: grouping = '', insights: insight = '', categories: category = '' } = ids
  const plan = planOf(dataset, { dimensions: [{ field: field(dataset, 'c2'), grain: 'month' }] })
  await env.DB.batch([
    env.DB.prepare('UPDATE metrics SET dataset_id = ?, time_field = ? WHERE id = ?').bind(
      ...[dataset, JSON.stringify(field(dataset, 'c2')), metric],
    ),
    env.DB.prepare('UPDATE insights SET plan = ? WHERE id = ?').bind(JSON.stringify(plan), insight),
  ])
  return { dataset, metric, grouping, insight, category, user: me.userId }
}
const nobodys = (): Named => ({
  ...{ dataset: systemIds.next('dataset'), metric: systemIds.next('metric'), grouping: systemIds.next('grouping') },
  ...{ insight: systemIds.next('insight'), category: systemIds.next('category'), user: systemIds.next('user') },
})

const count = (dataset: string) => ({ kind: 'column', agg: 'count', dataset })
const field = (dataset: string, key = 'c0') => ({ dataset, column: key })
const planOf = (dataset: string, more: object = {}) => ({
  ...{ v: 2, kind: 'aggregate', dataset, measures: [count(dataset)], dimensions: [], filters: [] },
  ...more,
})
const compared = (dataset: string) => ({
  field: field(dataset, 'c2'),
  range: { kind: 'absolute', from: '2026-01-01', to: '2026-01-31' },
  compare: 'previous',
})
/** Plans that name a thing of somebody else beside my own dataset. */
const plansNaming = (mine: Named, other: Named): Record<string, object> => ({
  dataset: planOf(other.dataset),
  measure: planOf(mine.dataset, { measures: [count(other.dataset)] }),
  metric: planOf(mine.dataset, { measures: [{ kind: 'metric', id: other.metric }] }),
  split: planOf(mine.dataset, { dimensions: [{ field: field(other.dataset) }] }),
  grouping: planOf(mine.dataset, { dimensions: [{ field: field(mine.dataset), grouping: { id: other.grouping } }] }),
  filter: planOf(mine.dataset, { filters: [{ field: field(other.dataset), any: [{ op: 'in', values: ['x'] }] }] }),
})
const metric = (dataset: string, more: object = {}) => ({
  ...{ name: unique('M'), dataset, formula: 'count(*)', direction: 'up', ...more },
})
const alert = (subject: object, receivers: string[] = [], by: object | null = null) => ({
  ...{ name: unique('A'), subject, receivers, by, condition: { kind: 'value', op: 'above', limit: 1 } },
})
type Call = [what: string, method: string, path: string, body: object]
function callsNaming(mine: Named, other: Named): Call[] {
  const plans = Object.entries(plansNaming(mine, other))
  const byOther = { field: field(mine.dataset), grouping: { id: other.grouping } }
  const own = { kind: 'metric', id: mine.metric }
  return [
    ...plans.map(([what, plan]): Call => [`query ${what}`, 'POST', '/api/query', { plan }]),
    ...plans.map(([what, plan]): Call => [
      `insight ${what}`,
      'POST',
      '/api/insights',
      { name: unique('I'), plan, viz: { chart: 'number' } },
    ]),
    // Drivers leave out how a plan is split.
    ...plans
      .filter(([what]) => what !== 'split' && what !== 'grouping')
      .map(([what, plan]): Call => [
        ...([`drivers ${what}`, 'POST', '/api/findings/drivers'] as const),
        { plan: { ...plan, period: compared(mine.dataset) } },
      ]),
    ['metric', 'POST', '/api/metrics', metric(other.dataset)],
    [
      'metric filter',
      'POST',
      '/api/metrics',
      metric(mine.dataset, { filters: [{ field: field(other.dataset), any: [{ op: 'in', values: ['x'] }] }] }),
    ],
    ['metric time', 'POST', '/api/metrics', metric(mine.dataset, { time: field(other.dataset, 'c2') })],
    ['formula', 'POST', '/api/metrics/formula', { dataset: other.dataset, formula: 'count(*)' }],
    [
      'grouping target',
      'POST',
      '/api/groupings',
      { name: unique('G'), kind: 'values', target: { kind: 'column', ...field(other.dataset) } },
    ],
    ['alert of an insight', 'POST', '/api/alerts', alert({ kind: 'insight', id: other.insight })],
    ['alert of a metric', 'POST', '/api/alerts', alert({ kind: 'metric', id: other.metric })],
    [
      'alert test',
      'POST',
      '/api/alerts/test',
      { subject: { kind: 'metric', id: other.metric }, condition: { kind: 'value', op: 'above', limit: 1 } },
    ],
    ['alert receiver', 'POST', '/api/alerts', alert(own, [other.user])],
    ['alert by', 'POST', '/api/alerts', alert(own, [], { field: field(other.dataset) })],
    ['alert grouping', 'POST', '/api/alerts', alert(own, [], byOther)],
    [
      'targets by',
      'PUT',
      `/api/metrics/${mine.metric}/targets`,
      { grain: 'month', by: { field: field(other.dataset) }, lines: [], version: 0 },
    ],
    [
      'targets grouping',
      'PUT',
      `/api/insights/${mine.insight}/targets`,
      { grain: 'month', by: byOther, lines: [], version: 1 },
    ],
    ['mention', 'POST', `/api/insights/${mine.insight}/notes`, { body: '@x', mentions: [other.user] }],
    ['category', 'PUT', `/api/insights/${mine.insight}/settings`, { categoryId: other.category, findings: 'on' }],
    ['order of categories', 'PUT', '/api/categories', { ids: [other.category] }],
    ['findings', 'POST', '/api/findings/refresh', { dataset: other.dataset }],
  ]
}

describe('a body that names things of another workspace (IDOR-3)', () => {
  let me: SignedIn
  let mine: Named
  let theirs: Named
  beforeAll(async () => {
    me = await signedIn({ app })
    ;[mine, theirs] = [await thingsOf(me), await thingsOf(await signedIn({ app }))]
  })

  it('is answered like one that names what is nowhere, and changes nothing', async () => {
    const answer = async ([, method, path, json]: Call) => {
      const given = await me.fetch(path, { method, json })
      const { code, fields } = await given.json<{ code?: string; fields?: object }>()
      return [given.status, code, fields]
    }
    const unknown = callsNaming(mine, nobodys())
    const taken: unknown[] = []
    for (const [at, call] of callsNaming(mine, theirs).entries()) {
      const got = await answer(call)
      expect(got, call[0]).toEqual(await answer(unknown[at] ?? call))
      if (![404, 422].includes(Number(got[0]))) taken.push([call[0], ...got])
    }
    expect(taken).toEqual([])
    // And none of it is refused for anything but the ids: with one's own all of it is taken.
    const refused: unknown[] = []
    for (const call of callsNaming(mine, mine)) {
      const got = await answer(call)
      if (Number(got[0]) >= 400) refused.push([call[0], ...got])
    }
    expect(refused).toEqual([])
  })
})

describe('limits, when many come at once', () => {
  const many = (me: SignedIn, path: string, body: () => object) =>
    Promise.all(Array.from({ length: MANY }, () => me.fetch(path, { method: 'POST', json: body() })))
  const made = (answers: Response[]): number => answers.filter(({ status }) => status === 201).length
  const refusedBy = async (answers: Response[]) =>
    new Set(
      await Promise.all(
        answers.filter(({ status }) => status !== 201).map(async (one) => (await one.json<{ code: string }>()).code),
      ),
    )

  it('hold for groupings: those of the plan, never more', async () => {
    const me = await signedIn({ app, subscription: { override: { groupings: 3 } } })
    const answers = await many(me, '/api/groupings', () => ({
      ...{ name: unique('G'), kind: 'rules', target: { kind: 'account' } },
    }))
    expect([made(answers), await refusedBy(answers)]).toEqual([3, new Set(['limit_reached'])])
    expect(GROUPINGS_MAX).toBeGreaterThan(3)
  })

  it('hold for alerts and for notes of an insight', async () => {
    const me = await signedIn({ app })
    const { metric: id, insight } = await thingsOf(me)
    const fill = (sql: string, n: number) =>
      env.DB.batch(
        Array.from({ length: n }, () => env.DB.prepare(sql).bind(systemIds.token(12), me.workspaceId, me.userId)),
      )
    // aRowOfEach made one of each.
    await fill(
      "INSERT INTO alerts (id, workspace_id, owner_id, name, name_key, subject_kind, subject_id, rules, receivers, due_at, created_at, updated_at) VALUES (?1, ?2, ?3, ?1, ?1, 'insight', 'x', '{}', '[]', 0, 1, 1)",
      ALERTS_MAX - 3,
    )
    await fill(
      `INSERT INTO notes (id, workspace_id, author_id, insight_id, body, created_at) VALUES (?1, ?2, ?3, '${insight}', 'n', 1)`,
      NOTES_MAX - 3,
    )
    const alerts = await many(me, '/api/alerts', () => alert({ kind: 'metric', id }))
    expect([made(alerts), await refusedBy(alerts)]).toEqual([2, new Set(['limit_reached'])])
    const notes = await many(me, `/api/insights/${insight}/notes`, () => ({ body: 'more' }))
    expect([made(notes), await refusedBy(notes)]).toEqual([2, new Set(['limit_reached'])])
    const { results } = await env.DB.prepare('SELECT count(*) AS n FROM notes WHERE workspace_id = ?')
      .bind(me.workspaceId)
      .all()
    expect(results).toEqual([{ n: NOTES_MAX }])
  })
})

describe('texts that attack', () => {
  const HTML = '<img src=x onerror=alert(1)><script>alert(1)</script>'
  it('are kept as plain text and answered as JSON that no browser reads as a page', async () => {
    const me = await signedIn({ app })
    const { insight } = await thingsOf(me)
    const json = { body: HTML }
    const answer = await me.fetch(`/api/insights/${insight}/notes`, { method: 'POST', json })
    expect(answer.headers.get('content-type')).toMatch(/^application\/json/)
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.json()).toMatchObject({ body: HTML })
  })

  it('compute nothing when a grouping is taken along', async () => {
    const me = await signedIn({ app })
    const values = ['=1+1', '+1', '-1', '@x', '\t=1', '"=1', '＝1']
    const groups = [
      {
        id: 'gpm_00000000000000000001',
        parentId: null,
        name: '=cmd()',
        color: null,
        order: 0,
        rules: [{ kind: 'in', values }],
      },
    ]
    const made = await me.fetch('/api/groupings', {
      method: 'POST',
      json: { name: '=G', kind: 'rules', target: { kind: 'account' }, eras: [{ from: null, groups }] },
    })
    const { id } = await made.json<Grouping>()
    const file = await me.fetch(`/files/groupings/${id}/export`)
    const cells = (await file.text()).replace('\ufeff', '').split(/,|\r\n/)
    for (const cell of cells) expect(cell.replace(/^"/, ''), cell).not.toMatch(/^\s*[=+\-@\t＝]/)
  })

  it('of expressions take no time: what would be slow is linear or refused', async () => {
    const me = await signedIn({ app })
    const evil = ['(a+)+$', '(a|aa)+$', '(.*a){20}', '^(([a-z])+.)+[A-Z]([a-z])+$', '(x+x+)+y', '(?=a)', '(a)\\1']
    const rows = Array.from({ length: 40 }, (_, n) => [`${'a'.repeat(900)}${n}!`, 1, NEW_YEAR])
    const dataset = await loadedDataset(me.workspaceId, rows, COLUMNS)
    const began = performance.now()
    for (const pattern of evil) {
      const groups = [
        {
          id: 'gpm_00000000000000000001',
          parentId: null,
          name: 'A',
          color: null,
          order: 0,
          rules: [{ kind: 'regex', pattern }],
        },
      ]
      const json = {
        name: unique('G'),
        kind: 'rules',
        target: { kind: 'column', ...field(dataset) },
        eras: [{ from: null, groups }],
      }
      const made = await me.fetch('/api/groupings', { method: 'POST', json })
      expect([201, 422], pattern).toContain(made.status)
      if (made.status === 201) {
        const { id } = await made.json<Grouping>()
        const plan = planOf(dataset, { dimensions: [{ field: field(dataset), grouping: { id } }] })
        expect((await me.fetch('/api/query', { method: 'POST', json: { plan } })).status, pattern).toBe(200)
      }
    }
    expect(performance.now() - began).toBeLessThan(20_000)
  })
})

describe('a call that is sent again with its key', () => {
  it('makes one thing, and another body under the key is refused', async () => {
    const me = await signedIn({ app })
    const { insight } = await thingsOf(me)
    const calls: [string, object, object][] = [
      [`/api/insights/${insight}/notes`, { body: 'one' }, { body: 'two' }],
      [
        '/api/groupings',
        { name: unique('G'), kind: 'rules', target: { kind: 'account' } },
        { name: unique('G'), kind: 'rules', target: { kind: 'account' } },
      ],
      ['/api/categories', { name: unique('C'), icon: 'star' }, { name: unique('C'), icon: 'star' }],
    ]
    for (const [path, json, other] of calls) {
      const headers = { 'idempotency-key': systemIds.token(16) }
      const ask = (body: object) => me.fetch(path, { method: 'POST', json: body, headers })
      const [first, second] = [await ask(json), await ask(json)]
      expect([first.status, second.status], path).toEqual([201, 201])
      expect(await second.json(), path).toEqual(await first.json())
      expect((await ask(other)).status, path).toBeGreaterThanOrEqual(400)
    }
  })
})

describe('a workspace that may not be written to (BIL-2)', () => {
  it('takes nobody new as a follower, and lets them go and be quiet', async () => {
    const me = await signedIn({ app })
    const { insight } = await thingsOf(me)
    const follow = (method: string) => me.fetch(`/api/insights/${insight}/follow`, { method })
    expect((await follow('POST')).status).toBe(200)
    await env.DB.prepare("UPDATE subscriptions SET state = 'trial_expired' WHERE workspace_id = ?")
      .bind(me.workspaceId)
      .run()
    expect((await follow('DELETE')).status).toBe(200)
    const refused = await follow('POST')
    expect([refused.status, await refused.json()]).toMatchObject([402, { code: 'read_only', reason: 'trial_expired' }])
    expect((await me.fetch('/api/digest', { method: 'PUT', json: { cadence: 'off' } })).status).toBe(200)
  })
})
