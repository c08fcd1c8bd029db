import { beforeAll, describe, expect, it } from 'vitest'
import {
  guardedWorkspace,
  onlyRegion,
  savePolicy,
  type GuardedWorkspace,
} from '../../../test/worker/access/guarded-workspace'
import { askBotAs } from '../../../test/worker/bot/ask-bot'
import type { SignedIn } from '../../../test/worker/factories'
import { routeTable } from '../../../test/worker/http/route-table'
import { createApp } from '../../app'
import type { CreateAlertInput } from '../../shared/alerts'

const app = createApp()
/** What stands in rows, names and columns that the member may not see. */
const CANARY = /canary|98[\s.,\u00a0]?765|12[\s.,\u00a0]?345|111[\s.,\u00a0]?411/i

let at: GuardedWorkspace
let member: SignedIn
let admin: SignedIn
/** Ids of what the owner made, by the part of paths that they stand behind. */
const ids = new Map<string, string[]>()

async function make<T extends { id: string }>(part: string, path: string, json: unknown): Promise<T> {
  const answer = await at.owner.fetch(path, { method: 'POST', json })
  expect([path, answer.status, await answer.clone().text()]).toEqual([
    path,
    expect.toSatisfy((status: number) => status < 300),
    expect.anything(),
  ])
  const made = await answer.json<T>()
  ids.set(part, [...(ids.get(part) ?? []), made.id])
  return made
}

const planOf = (dataset: string, column: `c${number}`) => ({
  v: 3,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c2' } }],
  dimensions: [{ field: { dataset, column } }],
  filters: [],
})

beforeAll(async () => {
  at = await guardedWorkspace(app)
  const { owner, datasetId, sourceId } = at
  member = await at.join('analyst')
  admin = await at.join('admin')
  ids.set('datasets', [datasetId])
  ids.set('data-sources', [sourceId])
  const field = { dataset: datasetId, column: 'c1' as const }
  const insight = await make<{ id: string }>('insights', '/api/insights', {
    name: 'Pay by person',
    plan: planOf(datasetId, 'c1'),
    viz: { chart: 'table' },
  })
  await make('insights', '/api/insights', {
    name: 'Canary mails',
    plan: planOf(datasetId, 'c4'),
    viz: { chart: 'table' },
  })
  const metric = await make<{ id: string }>('metrics', '/api/metrics', {
    name: 'Paid',
    dataset: datasetId,
    formula: 'sum([pay])',
    time: { dataset: datasetId, column: 'c0' },
  })
  await make('metrics', '/api/metrics', {
    name: 'Canary metric',
    dataset: datasetId,
    formula: 'count([email])',
  })
  await make('groupings', '/api/groupings', {
    name: 'People',
    target: { kind: 'column', ...field },
    kind: 'values',
    eras: [
      {
        from: null,
        groups: [
          {
            id: 'gpm_00000000000000000001',
            parentId: null,
            name: 'Some',
            color: null,
            order: 0,
            rules: [{ kind: 'in', values: ['Cleo Canary'] }],
          },
        ],
      },
    ],
  })
  const alert: Partial<CreateAlertInput> = {
    name: 'Pay',
    subject: { kind: 'metric', id: metric.id },
    condition: { kind: 'value', op: 'above', limit: 1 },
    receivers: [owner.userId],
  }
  await make('alerts', '/api/alerts', alert)
  await make('forecasts', '/api/forecasts', {
    name: 'Pay',
    subject: { kind: 'metric', id: metric.id },
    grain: 'month',
    horizon: 3,
  })
  const report = await make<{ id: string }>('reports', '/api/reports', { kind: 'interactive', name: 'Pay' })
  const place = { x: 0, y: 0, w: 6, h: 6 }
  const blocks = [
    ...(ids.get('insights') ?? []).map((id, at) => ({ id: `block${at}`, kind: 'insight', insight: id, place })),
    { id: 'figures', kind: 'text', text: '{{metric.Canary metric}} and {{metric.Paid}}', place },
  ]
  const content = {
    ...{ v: 1, period: { range: null, compare: 'none' }, pages: [{ id: 'page01', name: 'Page', blocks }] },
    filters: [{ id: 'filter1', label: 'Canary mail', field: { dataset: datasetId, column: 'c4' } }],
  }
  const inReport = (path: string, method: string, json: unknown) =>
    owner.fetch(`/api/reports/${report.id}${path}`, { method, json })
  await inReport('', 'PUT', { name: 'Pay', content, version: 1 })
  expect((await inReport('/publish', 'POST', { version: 2 })).status).toBe(200)
  await inReport('/tiles', 'POST', { of: 'published', page: 'page01', filters: [] })
  expect((await inReport('/editions', 'POST', { publication: 1 })).status).toBe(201)
  await owner.fetch(`/api/insights/${insight.id}/notes`, { method: 'POST', json: { body: 'Look at this' } })
  await owner.fetch('/api/findings/refresh', { method: 'POST' })
  const run = await (await owner.fetch(`/api/data-sources/${sourceId}/runs`)).json<{ items: { id: string }[] }>()
  ids.set(
    'runs',
    run.items.map(({ id }) => id),
  )
  const asked = await make<{ id: string }>('conversations', '/api/bot/conversations', {})
  ids.set('shared', [asked.id])
  const question = { kind: 'text', text: 'total pay by person' }
  const first = await askBotAs(owner, question.text, asked.id)
  // The words of a change are those of its plan.
  const plan = { ...planOf(datasetId, 'c4'), filters: [{ field, any: [{ op: 'eq', value: 'Cleo Canary' }] }] }
  const changed = await askBotAs(owner, { kind: 'plan', message: first.message.id, plan: plan as never }, asked.id)
  const wrong = { kind: 'wrongFigures', reason: 'no' }
  await owner.fetch(`/api/bot/messages/${changed.message.id}/feedback`, { method: 'POST', json: wrong })
  await owner.fetch(`/api/bot/conversations/${asked.id}/share`, { method: 'POST', json: { version: 1 } })
  await make('verified-answers', '/api/bot/verified-answers', {
    ...{ question: 'who has a canary mail', viz: { chart: 'table' } },
    plan: planOf(datasetId, 'c4'),
  })
  const boss = [{ field, any: [{ op: 'eq', value: 'Cleo Canary' }] }]
  await make('verified-answers', '/api/bot/verified-answers', {
    ...{ question: 'pay of the boss', viz: { chart: 'table' } },
    plan: { ...planOf(datasetId, 'c3'), filters: boss },
  })
  await make('glossary', '/api/bot/glossary', { term: 'the boss', means: '', filters: boss })
  await make('glossary', '/api/bot/glossary', {
    ...{ term: 'canary people', means: '' },
    filters: [{ field: { dataset: datasetId, column: 'c4' }, any: [{ op: 'startsWith', value: 'cleo' }] }],
  })
  // The owner's answers stand in every cache before anybody else asks.
  for (const id of ids.get('insights') ?? []) await owner.fetch(`/api/insights/${id}`)
  await owner.fetch('/api/query', { method: 'POST', json: { plan: planOf(datasetId, 'c1') } })
  await savePolicy(owner, {
    rules: [member, admin].map(({ userId }) => ({
      ...onlyRegion(datasetId, 'North', { kind: 'member', id: userId }),
      columns: [{ key: 'c4', grant: 'hide' }],
    })),
  })
  const own = await member.fetch('/api/bot/conversations', { method: 'POST', json: {} })
  ownConversation = (await own.json<{ id: string }>()).id
})

/** Where the member asks the bot. */
let ownConversation = ''
const ownBot = (): string => `/api/bot/conversations/${ownConversation}/messages`

/** Every address of a route, with each thing that it can name. */
function addressesOf(path: string): string[] {
  const part = /\/([a-z-]+)\/:id/.exec(path)?.[1]
  const known = part === undefined ? [''] : (ids.get(part) ?? [])
  return known.map((id) => path.replace(':id', id).replace(/:[A-Za-z]+(\{[^}]*\})?/g, '1'))
}

describe('what leaves the product (RLS-3)', () => {
  const reads = routeTable(app).filter(
    ({ method, path, guards }) => method === 'GET' && path !== '/live' && guards.some(({ kind }) => kind === 'may'),
  )

  it.each(reads)(
    '$path tells a member nothing of rows, columns and things that are hidden from them',
    async ({ path }) => {
      for (const address of addressesOf(path)) {
        const withWorkspace = address.startsWith('/files/') ? `${address}?w=${member.workspaceId}` : address
        for (const who of [member, admin]) {
          const answer = await who.fetch(withWorkspace)
          const bytes = await answer.text()
          expect([address, answer.status, CANARY.exec(bytes)?.[0]]).toEqual([address, answer.status, undefined])
          expect([address, answer.status]).toEqual([address, expect.toSatisfy((status: number) => status < 500)])
        }
      }
    },
  )

  it('would have told the owner: the canaries are there', async () => {
    const told = await Promise.all(
      [
        '/api/metrics',
        '/api/insights',
        `/api/datasets/${at.datasetId}/preview`,
        `/api/groupings/${ids.get('groupings')?.[0]}`,
      ].map(async (path) => CANARY.test(await (await at.owner.fetch(path)).text())),
    )
    expect(told).toEqual([true, true, true, true])
  })

  it.each([
    ['query', () => ['/api/query', { plan: planOf(at.datasetId, 'c1') }]],
    [
      'records',
      () => ['/api/query', { plan: { ...planOf(at.datasetId, 'c1'), kind: 'rows', measures: [], dimensions: [] } }],
    ],
    ['values', () => ['/api/query', { plan: { ...planOf(at.datasetId, 'c1'), measures: [] } }]],
    ['hidden column', () => ['/api/query', { plan: planOf(at.datasetId, 'c4') }]],
    [
      'filter by a hidden column',
      () => {
        const filter = { field: { dataset: at.datasetId, column: 'c4' }, any: [{ op: 'startsWith', value: 'cleo' }] }
        return ['/api/query', { plan: { ...planOf(at.datasetId, 'c1'), filters: [filter] } }]
      },
    ],
    [
      'drivers',
      () => ['/api/findings/drivers', { plan: { ...planOf(at.datasetId, 'c1'), dimensions: [] }, measure: 0 }],
    ],
    [
      'alert on trial',
      () => [
        '/api/alerts/test',
        {
          subject: { kind: 'metric', id: ids.get('metrics')?.[0] },
          condition: { kind: 'value', op: 'above', limit: 1 },
        },
      ],
    ],
    [
      'forecast',
      () => [
        '/api/forecasts/preview',
        { subject: { kind: 'metric', id: ids.get('metrics')?.[0] }, grain: 'month', horizon: 3 },
      ],
    ],
    [
      'hidden metric',
      () => [
        '/api/query',
        { plan: { ...planOf(at.datasetId, 'c1'), measures: [{ kind: 'metric', id: ids.get('metrics')?.[1] }] } },
      ],
    ],
    ['file of a dataset', () => [`/api/datasets/${at.datasetId}/reopen`, {}]],
    ['suggested groups', () => [`/api/groupings/${ids.get('groupings')?.[0]}/suggest`, {}]],
    [
      'tiles of a report',
      () => [`/api/reports/${ids.get('reports')?.[0]}/tiles`, { of: 'published', page: 'page01', filters: [] }],
    ],
    ['report as a file', () => [`/api/reports/${ids.get('reports')?.[0]}/export`, { format: 'xlsx' }]],
    ['copy of a report', () => [`/api/reports/${ids.get('reports')?.[0]}/duplicate`, {}]],
    ['findings anew', () => ['/api/findings/refresh', {}]],
    ['question to the bot', () => [ownBot(), { kind: 'text', text: 'total pay by person' }]],
    ['hidden column to the bot', () => [ownBot(), { kind: 'text', text: 'list of email' }]],
    ['largest to the bot', () => [ownBot(), { kind: 'text', text: 'which person has the highest pay' }]],
    ['misspelt value to the bot', () => [ownBot(), { kind: 'text', text: 'total pay for Cleo Canray' }]],
  ] satisfies [string, () => [string, unknown]][])('%s', async (_name, call) => {
    const [path, json] = call()
    const answer = await member.fetch(path, { method: 'POST', json })
    const text = await answer.text()
    expect([answer.status, CANARY.exec(text)?.[0]]).toEqual([answer.status, undefined])
    expect(answer.status).toBeLessThan(500)
  })
})
