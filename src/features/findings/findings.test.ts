import { env } from 'cloudflare:test'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { analyzeDataset } from './analyze'
import type { CalendarContext } from '../../semantic/calendar'
import { listFindings, sweepFindings } from './service'
import { findingStore } from './store'
import { loadAnalysisCatalogue } from './analysis-catalogue'
import { depsAt } from '../../../test/worker/deps'
import { signedIn } from '../../../test/worker/factories'
import type { SignedIn } from '../../../test/worker/factories'
import { loadedDataset } from '../../../test/worker/loaded-dataset'
import { ORDER_LINE_COLUMNS, orderLines } from '../../../test/worker/planted/order-lines'
import { column, onlyRows } from '../../../test/worker/warehouse-rows'
import { Scope } from '../../scope'
import { systemIds } from '../../deps'
import type { Deps } from '../../deps'
import { ProductError } from '../../shared/errors'
import { isFactKind, type ChangeDrivers, type Finding, type FindingPage } from '../../shared/findings'
import type { QueryPlanInput } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'
import type { StorageValue } from '../../lib/storage-value'

const NOW = Date.now()
const TODAY = Math.floor(NOW / 86_400_000)
const DAYS = 1_150
const COLUMNS = [
  column(0, { type: 'date', role: 'time', label: 'Day' }),
  column(1, { type: 'text', label: 'Customer' }),
  column(2, { type: 'text', label: 'Region' }),
  column(3, { type: 'number', scale: 2, role: 'measure', label: 'Amount' }),
]
const LOST = 'Lost AB'

/** Nine customers of two regions over three years; the largest, of the west, bought last 130 days ago. */
function orders(): StorageValue[][] {
  return Array.from({ length: DAYS }, (_, n) => TODAY - DAYS + n).flatMap((day) =>
    Array.from({ length: 9 }, (_, who): StorageValue[] => {
      const amount = 10_000 + ((day * 31 + who * 17) % 97) * 10
      return [day, who === 0 ? LOST : `Customer ${who}`, who % 2 === 0 ? 'West' : 'East', amount * (who === 0 ? 4 : 1)]
    }).filter(([, who]) => who !== LOST || day < TODAY - 130),
  )
}

interface Scene {
  me: SignedIn
  home: CatalogueDataset
  looking: CalendarContext
}
const lookingAs = (scope: Scope, over: Partial<Deps> = {}): CalendarContext => ({
  deps: { ...depsAt(NOW), ...over },
  scope,
  calendar: {
    timeZone: 'UTC',
    weekStart: 'monday',
    fiscalYearStart: 1,
    today: new Date(NOW).toISOString().slice(0, 10),
  },
})

async function scene(rows = orders(), columns = COLUMNS): Promise<Scene> {
  const me = await signedIn({ timeZone: 'UTC' })
  const datasetId = await loadedDataset(me.workspaceId, rows, columns)
  const looking = lookingAs(Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' }))
  const home = (await loadAnalysisCatalogue(looking.deps, looking.scope)).find(datasetId)
  if (!home) throw new Error('the dataset is there')
  return { me, home, looking }
}
const run = async (at: CalendarContext, home: CatalogueDataset): Promise<boolean> =>
  analyzeDataset(at, await loadAnalysisCatalogue(at.deps, at.scope), home)
const rowsOf = async ({ looking }: Pick<Scene, 'looking'>) => {
  const kept = await findingStore(looking.deps.db, looking.scope).list()
  return kept
    .map(({ key, id, firstFoundAt }) => ({ key, id, firstFoundAt }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
}
const lostOf = ({ items }: FindingPage): Finding | undefined =>
  items.find(({ kind, member }) => kind === 'lostMember' && member?.value === LOST)
const asked = async <T>(me: SignedIn, path: string, json?: unknown): Promise<T> => {
  const answer = await me.fetch(path, json === undefined ? {} : { method: 'POST', json })
  expect([path, answer.status]).toEqual([path, 200])
  return answer.json<T>()
}

/** Scopes of people who see some rows do not exist yet: one that says so. */
function limitedTo(scope: Scope, dataset: string, region: string): Scope {
  const limited = Scope.forJob({ workspaceId: scope.workspaceId, userId: scope.actorId, epoch: '1.1' })
  const rules = [{ field: { dataset, column: 'c2' as const }, any: [{ op: 'eq' as const, value: region }] }]
  const wire = { ...scope.wire(), rowFilters: [onlyRows(dataset, ...rules)] }
  vi.spyOn(limited, 'wire').mockReturnValue(wire)
  return limited
}

/** A sentence with its figures as they are. */
const plainText = ({ sentence }: Finding): string =>
  sentence
    .map((part) => {
      if ('text' in part) return part.text
      if ('figure' in part) return String(part.figure)
      if ('member' in part) return String(part.member.value)
      const { from, to } = 'period' in part ? part.period : part.season
      return from === to ? from.slice(0, 7) : `${from.slice(0, 7)}–${to.slice(0, 7)}`
    })
    .join('')

describe('findings of a dataset', () => {
  let at: Scene
  beforeAll(async () => {
    at = await scene()
    expect(await run(at.looking, at.home)).toBe(true)
  })

  it('are told best first, five at first and the rest by cursor, each once', async () => {
    const page = await asked<FindingPage>(at.me, '/api/findings?limit=2')
    expect([page.behind, page.items.length <= 2, lostOf(page)?.about.label]).toEqual([false, true, 'Amount'])
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: FindingPage = await asked(at.me, `/api/findings?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      seen.push(...next.items.map(({ id }) => id))
      cursor = next.nextCursor
    }
    expect(seen.toSorted()).toEqual((await rowsOf(at)).map(({ id }) => id).toSorted())
  })

  it('keep their name, their age and what a person thinks of them when they are found again', async () => {
    const { items } = await asked<FindingPage>(at.me, '/api/findings?limit=50')
    const last = items.at(-1)
    expect(await asked<Finding>(at.me, `/api/findings/${last?.id ?? ''}/pin`, { on: true })).toMatchObject({
      pinned: true,
    })
    await asked(at.me, `/api/findings/${last?.id ?? ''}/rate`, { rating: 'useless' })
    const before = await rowsOf(at)
    const later = lookingAs(at.looking.scope, depsAt(NOW + 3_600_000))
    expect(await run(later, at.home)).toBe(true)
    expect(await rowsOf(at)).toEqual(before)
    const [first] = (await asked<FindingPage>(at.me, '/api/findings')).items
    expect(first).toMatchObject({ id: last?.id, pinned: true, rating: 'useless' })
    await asked(at.me, `/api/findings/${last?.id ?? ''}/pin`, { on: false })
  })

  it('are hidden for one person, and come back', async () => {
    const other = await signedIn({ workspaceId: at.me.workspaceId, role: 'viewer' })
    const id = lostOf(await asked<FindingPage>(at.me, '/api/findings'))?.id ?? ''
    await asked(at.me, `/api/findings/${id}/hide`, { on: true })
    const idsOf = async (who: SignedIn, search = '') =>
      (await asked<FindingPage>(who, `/api/findings?limit=50${search}`)).items.map((each) => each.id)
    expect([(await idsOf(at.me)).includes(id), (await idsOf(other)).includes(id)]).toEqual([false, true])
    expect(await idsOf(at.me, '&hidden=1')).toEqual([id])
    await asked(at.me, `/api/findings/${id}/hide`, { on: false })
    expect(await idsOf(at.me)).toContain(id)
  })

  it('show no row, name or sum of rows that the asker may not see', async () => {
    const limited = limitedTo(at.looking.scope, at.home.id, 'East')
    const page = await listFindings(lookingAs(limited), { hidden: '0', limit: 50 })
    expect([page.behind, JSON.stringify(page).includes(LOST)]).toEqual([false, false])
    const whole = await listFindings(at.looking, { hidden: '0', limit: 50 })
    expect(lostOf(whole)).toBeDefined()
    const foreign = await findingStore(at.looking.deps.db, limited).get(lostOf(whole)?.id ?? '')
    expect(foreign).toBeNull()
  })

  it('go with their dataset, and when nobody has asked by rights of their own for 30 days', async () => {
    const limited = limitedTo(at.looking.scope, at.home.id, 'West')
    await listFindings(lookingAs(limited), { hidden: '0', limit: 1 })
    const { db } = at.looking.deps
    const { workspaceId } = at.looking.scope
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES ('s', ?, 'file', 'S', 's', 'ready', ?, 1, 1)",
      ).bind(workspaceId, at.me.userId),
      env.DB.prepare("INSERT INTO datasets (id, workspace_id, source_id, name) VALUES (?, ?, 's', 'S')").bind(
        ...[at.home.id, workspaceId],
      ),
    ])
    const left = async (scope: Scope) => {
      const store = findingStore(db, scope)
      return [(await store.list()).length > 0, (await store.runs()).length > 0]
    }
    const sweptAt = (ms: number) => sweepFindings({ db, clock: { now: () => ms } })
    const later = NOW + 30 * 86_400_000
    await sweptAt(later - 1)
    expect([await left(limited), await left(at.looking.scope)]).toEqual([
      [true, true],
      [true, true],
    ])
    await sweptAt(later)
    expect([await left(limited), await left(at.looking.scope)]).toEqual([
      [false, false],
      [true, true],
    ])
    await env.DB.prepare('DELETE FROM datasets WHERE id = ?').bind(at.home.id).run()
    await run(at.looking, at.home)
    await sweptAt(NOW)
    expect(await left(at.looking.scope)).toEqual([false, false])
    await run(at.looking, at.home)
  })

  it('say what a change is made of, to the cent', async () => {
    const { id } = at.home
    const field = { dataset: id, column: 'c0' as const }
    const plan: QueryPlanInput = {
      v: 2,
      kind: 'aggregate',
      dataset: id,
      measures: [{ kind: 'column', agg: 'sum', field: { dataset: id, column: 'c3' } }],
      dimensions: [],
      filters: [],
      period: { field, range: { kind: 'relative', span: 'last', unit: 'month', n: 3 }, compare: 'year' },
    }
    const drivers = await asked<ChangeDrivers>(at.me, '/api/findings/drivers', { plan })
    const cents = (text: string | null | undefined): number => Math.round(Number(text) * 100)
    expect(drivers.tables.map(({ label }) => label).toSorted()).toEqual(['Customer', 'Region'])
    for (const { lines } of drivers.tables)
      expect(lines.reduce((sum, { change }) => sum + cents(change), 0)).toBe(cents(drivers.change))
    const [line] = drivers.tables.find(({ label }) => label === 'Customer')?.lines ?? []
    expect([line?.member, Number(line?.value)]).toEqual([LOST, 0])
    const without = await at.me.fetch('/api/findings/drivers', {
      method: 'POST',
      json: { plan: { ...plan, period: undefined } },
    })
    expect(without.status).toBe(422)
  })

  it('go as soon as nobody asks for the figure any more', async () => {
    const before = await rowsOf(at)
    const plan = {
      v: 1,
      kind: 'aggregate',
      dataset: at.home.id,
      measures: [{ kind: 'column', agg: 'count', dataset: at.home.id }],
      dimensions: [],
      filters: [],
    }
    const json = { name: 'How many orders?', plan, viz: { chart: 'number' } }
    const made = await at.me.fetch('/api/insights', { method: 'POST', json })
    const { id } = await made.json<{ id: string }>()
    expect((await asked<FindingPage>(at.me, '/api/findings?limit=50')).items).toEqual([])
    const own = await asked<FindingPage>(at.me, `/api/insights/${id}/findings`)
    expect([own.behind, own.items.every(({ about }) => about.insights.includes(id))]).toEqual([false, true])
    const keys = new Set((await rowsOf(at)).map(({ key }) => key))
    expect(before.some(({ key }) => keys.has(key))).toBe(false)
  })

  it('are told of a metric by its name, as soon as somebody asks', async () => {
    const input = { name: 'Revenue', dataset: at.home.id, formula: 'sum([Amount])' }
    const made = await at.me.fetch('/api/metrics', { method: 'POST', json: input })
    expect(made.status).toBe(201)
    const { id } = await made.json<{ id: string }>()
    const page = await asked<FindingPage>(at.me, `/api/findings?metric=${id}`)
    expect([page.behind, lostOf(page)?.about.metric, lostOf(page)?.about.label]).toEqual([false, id, 'Revenue'])
    const measures = [{ kind: 'metric', id }]
    const period = {
      field: { dataset: at.home.id, column: 'c0' },
      range: { kind: 'relative', span: 'last', unit: 'month', n: 1 },
    }
    const plan = { v: 2, kind: 'aggregate', dataset: at.home.id, measures, dimensions: [], filters: [], period }
    const drivers = await asked<ChangeDrivers>(at.me, '/api/findings/drivers', { plan })
    expect([drivers.label, drivers.whyNot]).toEqual(['Revenue', null])
    const again = await asked<FindingPage>(at.me, '/api/findings/refresh', { dataset: at.home.id })
    expect(again.behind).toBe(false)
  })

  it('of one figure do not wait for another one, which nobody has asked of yet', async () => {
    const make = async (name: string, formula: string): Promise<string> => {
      const json = { name, dataset: at.home.id, formula }
      const made = await at.me.fetch('/api/metrics', { method: 'POST', json })
      return (await made.json<{ id: string }>()).id
    }
    const id = await make('Average amount', 'avg([Amount])')
    expect((await asked<FindingPage>(at.me, `/api/findings?metric=${id}`)).behind).toBe(false)
    await make('Largest amount', 'max([Amount])')
    expect((await asked<FindingPage>(at.me, `/api/findings?metric=${id}`)).behind).toBe(false)
  })
})

describe('what is looked at', () => {
  it('is read in as many statements however many metrics and insights there are', async () => {
    const { me, home, looking } = await scene([[TODAY, LOST, 'West', 100]])
    const make = async (n: number): Promise<void> => {
      const metric = await me.fetch('/api/metrics', {
        method: 'POST',
        json: { name: `Figure ${n}`, dataset: home.id, formula: `sum([Amount]) * ${n}` },
      })
      const { id } = await metric.json<{ id: string }>()
      const plan = { v: 2, kind: 'aggregate', measures: [{ kind: 'metric', id }], dimensions: [], filters: [] }
      const json = { name: `Insight ${n}`, plan, viz: { chart: 'number' } }
      expect((await me.fetch('/api/insights', { method: 'POST', json })).status).toBe(201)
    }
    const asked = async (): Promise<[figures: number, statements: number]> => {
      const prepare = vi.spyOn(looking.deps.db.d1, 'prepare')
      const workspace = await loadAnalysisCatalogue(looking.deps, looking.scope)
      const statements = prepare.mock.calls.length
      prepare.mockRestore()
      return [workspace.candidates.length, statements]
    }
    await make(1)
    const [, once] = await asked()
    await make(2)
    await make(3)
    expect(await asked()).toEqual([3, once])
  })

  it('is another once the groups that it is seen through are others', async () => {
    const { me, home, looking } = await scene()
    const target = { kind: 'column', dataset: home.id, column: 'c1' }
    const group = { id: systemIds.next('grouped'), parentId: null, name: 'Large', color: null, order: 0 }
    const content = { name: 'Sizes', description: '', target, kind: 'values', fallback: { kind: 'exclude' } }
    const holding = (...values: string[]) => ({
      ...{ ...content, eras: [{ from: null, groups: [{ ...group, rules: [{ kind: 'in', values }] }] }] },
    })
    const made = await me.fetch('/api/groupings', { method: 'POST', json: holding(LOST) })
    const { id } = await made.json<{ id: string }>()
    const plan = {
      ...{ v: 2, kind: 'aggregate', measures: [{ kind: 'column', agg: 'count', dataset: home.id }], dimensions: [] },
      filters: [
        { field: { dataset: home.id, column: 'c1' }, grouping: { id }, any: [{ op: 'in', values: [group.id] }] },
      ],
    }
    const json = { name: 'Of the large', plan, viz: { chart: 'number' } }
    const insight = await (await me.fetch('/api/insights', { method: 'POST', json })).json<{ id: string }>()
    const path = `/api/insights/${insight.id}/findings`
    const looks = async () => {
      const { lookedAt, items } = await asked<FindingPage>(me, path)
      const found = items.map(({ kind, member, sentence }) => ({ kind, member, sentence }))
      return {
        subjects: (await findingStore(looking.deps.db, looking.scope).runs()).flatMap((look) => look.subjects),
        lookedAt,
        found,
      }
    }
    const before = await looks()
    expect((await looks()).subjects).toEqual(before.subjects)
    const changed = { ...holding(LOST, 'Customer 1', 'Customer 2'), version: 1 }
    expect((await me.fetch(`/api/groupings/${id}`, { method: 'PUT', json: changed })).status).toBe(200)
    const after = await looks()
    expect(after.subjects).not.toEqual(before.subjects)
    expect(after.found).not.toEqual(before.found)
  })
})

describe('the page of one figure', () => {
  const steady = (rise: (n: number) => number) =>
    Array.from({ length: DAYS }, (_, n): StorageValue[] => {
      const day = TODAY - DAYS + n
      return [day, 'Customer', 'West', 10_000 + rise(n) + ((day * 31) % 97) * 10]
    })
  /** What is told of the sum by month: in the list of the workspace, and on its own page. */
  async function toldOf(rows: StorageValue[][]) {
    const { me, home, looking } = await scene(rows)
    const at = (key: string) => ({ field: { dataset: home.id, column: key } })
    const plan = {
      ...{ v: 2, kind: 'aggregate', dataset: home.id, filters: [] },
      measures: [{ kind: 'column', agg: 'sum', ...at('c3') }],
      dimensions: [{ ...at('c0'), grain: 'month' }],
    }
    const json = { name: 'Sales by month', plan, viz: { chart: 'line' } }
    const { id } = await (await me.fetch('/api/insights', { method: 'POST', json })).json<{ id: string }>()
    await run(looking, home)
    const all = await asked<FindingPage>(me, '/api/findings?limit=50')
    const own = await asked<FindingPage>(me, `/api/insights/${id}/findings`)
    const told = all.items.filter(({ about }) => about.insights.includes(id)).map(({ kind }) => kind)
    return { told, own: own.items.map(({ kind }) => kind) }
  }

  it('tells its facts where nothing is unusual: whoever follows one there finds it', async () => {
    const { told, own } = await toldOf(steady((n) => n * 5))
    expect(told).toContain('growth')
    expect(told.filter((kind) => !isFactKind(kind))).toEqual([])
    expect(own).toEqual(told)
  })

  it('tells what is unusual first, and its facts all the same', async () => {
    const { told, own } = await toldOf(steady((n) => n * 5 + (n > DAYS - 120 ? 30_000 : 0)))
    expect(told).toContain('growth')
    expect(own.toSorted()).toEqual(told.toSorted())
    // What comes every year is told last.
    const facts = own.filter((kind) => kind !== 'season').map((kind) => isFactKind(kind))
    expect(facts[0]).toBe(false)
    expect(facts).toEqual(facts.toSorted((a, b) => Number(a) - Number(b)))
  })
})

describe('two looks at the same rows', () => {
  let at: Scene
  beforeAll(async () => {
    at = await scene()
  })

  it('write one set between them, and one over older rows writes nothing', async () => {
    const { looking, home } = at
    const both = await Promise.all([run(looking, home), run(looking, home)])
    expect(both).toContain(true)
    const once = await rowsOf({ looking })
    expect([once.length > 0, new Set(once.map(({ key }) => key)).size]).toEqual([true, once.length])
    expect(await run(looking, { ...home, dataVersion: home.dataVersion - 1 })).toBe(false)
    expect(await rowsOf({ looking })).toEqual(once)
  })

  it('leave no half of a set when one dies half-way', async () => {
    const { looking, home } = at
    await run(looking, home)
    const whole = await rowsOf({ looking })
    // A new finding cannot be written: somebody else's has the id it is given.
    const taken = systemIds.next('finding')
    await env.DB.batch([
      env.DB.prepare("UPDATE findings SET key = 'gone ' || key WHERE workspace_id = ?").bind(looking.scope.workspaceId),
      env.DB.prepare(
        "INSERT INTO findings (id, workspace_id, rights, key, dataset_id, about, effect, first_found_at, found_at) VALUES (?, ?, 'other', 'k', 'd', '{}', '{}', 1, 1)",
      ).bind(taken, looking.scope.workspaceId),
    ])
    const left = await rowsOf({ looking })
    const ids: Deps['ids'] = { next: () => taken, token: (bytes) => looking.deps.ids.token(bytes) }
    await expect(run(lookingAs(looking.scope, { ids }), home)).rejects.toThrow(/UNIQUE/)
    expect(await rowsOf({ looking })).toEqual(left)
    const dying = (error: Error) => {
      const warehouse = looking.deps.warehouse(looking.scope)
      let questions = 0
      const query: typeof warehouse.query = (ask) => {
        questions += 1
        return questions > 4 ? Promise.reject(error) : warehouse.query(ask)
      }
      return lookingAs(looking.scope, { warehouse: () => ({ ...warehouse, query }) })
    }
    // A refusal that passes by itself is no answer either: what it hides would be taken for gone.
    for (const error of [new Error('the object is gone'), new ProductError('busy'), new ProductError('internal')])
      await expect(run(dying(error), home)).rejects.toThrow(error)
    expect(await rowsOf({ looking })).toEqual(left)
    expect(await run(looking, home)).toBe(true)
    expect((await rowsOf({ looking })).map(({ key }) => key)).toEqual(whole.map(({ key }) => key))
  })
})

describe('a workspace that is gone', () => {
  it('is looked at no more, by a follow-up that was under way', async () => {
    const workspaceId = systemIds.next('workspace')
    const scope = Scope.forJob({ workspaceId, userId: systemIds.next('user'), epoch: '1.1' })
    const { db } = depsAt(Date.now())
    const run = { dataset: systemIds.next('dataset'), dataVersion: 1, claim: 'one', now: 1 }
    expect(await findingStore(db, scope).claim(run)).toBe(false)
  })
})

it('tells of a lost customer by what it bought for, before what that cost and how many it was', async () => {
  const columns = [
    ...COLUMNS.slice(0, 3),
    column(3, { type: 'number', scale: 0, role: 'measure', label: 'Quantity' }),
    column(4, { type: 'number', scale: 2, role: 'measure', label: 'Cost of goods' }),
    column(5, { type: 'number', scale: 2, role: 'measure', label: 'Sales' }),
  ]
  const rows = orders().map(([day, who, region, amount]) => [
    ...[day ?? null, who ?? null, region ?? null],
    ...[Math.round(Number(amount) / 1_000), Math.round(Number(amount) / 2), amount ?? null],
  ])
  const at = await scene(rows, columns)
  expect(await run(at.looking, at.home)).toBe(true)
  const { items } = await listFindings(at.looking, { hidden: '0', limit: 50 })
  const lost = items.filter(({ kind, member }) => kind === 'lostMember' && member?.value === LOST)
  const labels = lost.map(({ about }) => about.label)
  expect(labels.slice(0, 2).toSorted()).toEqual(['Gross profit', 'Sales'])
  expect(labels.slice(2)).toEqual(['Cost of goods', 'Quantity'])
  const [first = Infinity, second = 0] = lost.map((one) => items.indexOf(one))
  expect([first < 2, second > 3], 'once among the first').toEqual([true, true])
})

describe('a file of order lines that nobody has asked anything of', () => {
  it('is opened with what an analyst would tell first', async () => {
    const me = await signedIn({ timeZone: 'UTC' })
    await loadedDataset(me.workspaceId, orderLines(), ORDER_LINE_COLUMNS)
    const looking = lookingAs(Scope.forJob({ workspaceId: me.workspaceId, userId: me.userId, epoch: '1.1' }))
    const workspace = await loadAnalysisCatalogue(looking.deps, looking.scope)
    for (const home of workspace.datasets) expect(await analyzeDataset(looking, workspace, home)).toBe(true)
    const { items } = await listFindings(looking, { hidden: '0', limit: 30 })
    const told = items.map(plainText)
    const [first, ...rest] = told
    expect(first).toMatch(/^Profit turned to a loss: -30102.79 in 2022-10–2022-12 vs 14787.5 in 2021-10–2021-12\./)
    const next = rest.slice(0, 13).join('\n')
    // By hand: half of the regions lose money in the last quarter, one group's loss is several times as large, deep
    // discounts are sold at a loss, one group is, and chairs come back from companies.
    for (const one of [
      /Profit for Central turned to a loss/,
      /Profit for South turned to a loss/,
      /Profit for Tables: loss grew from -3650.01 to -20392.86/,
      /Discount from 0.3: Profit below zero in 1 of 2302 records vs 0.144 of the rest, 6.9 times as often/,
      /Tables: Profit below zero in 0.706 of 1712 records/,
      /Corporate and Chairs: Returned in 0.258 of 570 records vs 0.06 of the rest/,
      /Sales rose/,
    ])
      expect(next).toMatch(one)
    // What nothing was put into is not told.
    expect(told.filter((one) => /for (West|East)|^(West|East|Home office)/.test(one))).toEqual([])
    const deep = items.find(({ conditions }) => conditions?.some(({ op }) => op === 'ge'))
    const field = { dataset: deep?.about.dataset, column: 'c4' }
    expect(deep?.conditions).toEqual([{ field, op: 'ge', value: 0.3 }])
  })
})
