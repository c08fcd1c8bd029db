import { env, runInDurableObject } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { runSync } from './run-sync'
import { questions, type Question } from '../../../test/bench/questions'
import { LONG } from '../../../test/long'
import { seedOf } from '../../../test/seed'
import { CLOSED_DOORS } from '../../../test/worker/connectors/doors'
import { clickhouseAnswer, clickhouseDoors } from '../../../test/worker/connectors/clickhouse-fixture'
import { portOf, socketDoors, statementsOn } from '../../../test/worker/connectors/database-fixtures'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { findConnector } from '../../connectors/registry'
import { createDeps, type Deps } from '../../deps'
import { Scope, type ScopeWire } from '../../scope'
import { readSettings } from '../../settings'
import type { Column, DataSource } from '../../shared/data-sources/data-sources'
import type { StreamMode } from '../../shared/data-sources/connectors'
import type { ErrorBody } from '../../shared/errors'
import type { Doors } from '../../outbound/doors'
import type { Field } from '../../shared/query/field'
import { queryPlanSchema, type Condition, type Filter, type QueryPlanInput } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import { contextFor, sealCredentials } from '../../sync/credentials'
import { connectionStore } from '../../sync/connection-store'
import type { DurableSteps } from '../../sync/durable-steps'
import { startSync } from '../../sync/start-sync'
import { evaluateAlert } from '../../features/alerts/evaluate'
import { prepareForecast } from '../../features/forecasts/prepare'
import { forecastRunStore } from '../../features/forecasts/run-store'
import { executeRun } from '../../features/forecasts/runner'
import type { Alert, CreateAlertInput } from '../../shared/alerts'
import type { FindingPage } from '../../shared/findings'
import { previewForecastSchema, type Forecast } from '../../shared/forecasts/forecasts'
import type { Insight } from '../../shared/insights'
import { clearResultCache } from '../../warehouse/query/result-cache'
import type { Warehouse } from '../../warehouse/warehouse'

/** Of the first slice; each of the others has the one after. */
const FIRST_SEED = seedOf(LONG)
const TABLE = 'live_orders'
const HANG_MS = LONG ? 3_600_000 : 180_000
const HANG = { timeout: HANG_MS }
/** `HARDENING_COUNT` asks for so many, of small tables. */
const COUNT = Number(env.HARDENING_COUNT || 0)
const PLANS = COUNT || (LONG ? 500 : 8)
/** Plans of one test, each with a seed of its own, and of those the ones that are asked at the same time. */
const [SLICE, AT_ONCE] = [1_000, 4]
const SLICES = Array.from({ length: Math.ceil(PLANS / SLICE) }, (_, at) => ({
  count: Math.min(SLICE, PLANS - at * SLICE),
  seed: FIRST_SEED + at,
}))
const COLUMNS = `id integer PRIMARY KEY, ordered_at date, region varchar(20), item varchar(20), customer varchar(20),
  product_group varchar(20), amount numeric(12, 2), cost numeric(12, 1)`

interface Engine {
  kind: 'postgresql' | 'mysql' | 'clickhouse'
  /** Of the databases of this machine. */
  name: string
  rows: number
  login: { database: string; user: string }
  /** What stands behind the table's name. */
  columns: string
  /** Rows 1 to n. */
  lines: (n: number) => string
  /** What lets the user of the login in. */
  grants: string[]
  /** Columns that hold what is no value, and bytes. */
  odd: Record<'numbers' | 'times' | 'texts', string[]>
}
const POSTGRES_GRANTS = [
  `CREATE ROLE live_reader LOGIN PASSWORD 'secret-of-reader'`,
  'GRANT SELECT ON ALL TABLES IN SCHEMA public TO live_reader',
]
const ENGINES: Engine[] = [
  {
    ...{ kind: 'postgresql', rows: LONG && COUNT === 0 ? 1_000_000 : 2_000 },
    ...(env.HAS_POSTGRES === '1'
      ? { name: 'postgres-live', login: { database: 'postgres', user: 'live_reader' }, grants: POSTGRES_GRANTS }
      : { name: 'pglite-live', login: { database: 'postgres', user: 'postgres' }, grants: [] }),
    odd: { numbers: ['whole', 'ratio', 'price'], times: ['until', 'seen'], texts: ['raw'] },
    columns: `(${COLUMNS}, whole numeric(9, 0), ratio double precision, price numeric, until date, seen timestamptz, raw bytea)`,
    lines: (n) => `SELECT n,
      CASE WHEN n % 211 = 0 THEN DATE 'infinity' ELSE DATE '2023-01-01' + (n * 7919::bigint % 1000)::integer END, (ARRAY['Skåne', 'Gotland', 'Norrbotten', NULL])[1 + n % 4],
      'Item ' || n % 90, 'Customer ' || n % 400, (ARRAY['Tools', 'Paint', ''])[1 + n % 3],
      CASE WHEN n % 53 = 0 THEN 'NaN' WHEN n % 50 <> 0 THEN (n * 104729::bigint % 100000)::numeric / 100 - 50 END,
      (n % 700)::numeric / 10, CASE WHEN n % 7 = 0 THEN 'NaN' ELSE n::numeric END,
      (ARRAY['NaN', 'Infinity', '-Infinity', '0.25', '-8']::double precision[])[1 + n % 5],
      CASE WHEN n % 9 = 0 THEN 'NaN' WHEN n % 9 = 1 THEN 'Infinity' ELSE n::numeric / 4 END,
      (ARRAY['infinity', '-infinity', '2024-02-29', NULL]::date[])[1 + n % 4],
      (ARRAY['infinity', '2024-02-29T23:30:00Z', '-infinity']::timestamptz[])[1 + n % 3],
      decode(lpad(to_hex(n % 9), 2, 'f'), 'hex')
      FROM generate_series(1, ${n}) AS n`,
  },
  {
    ...{
      kind: 'mysql',
      name: 'mariadb',
      rows: COUNT === 0 ? 20_000 : 2_000,
      columns: `(${COLUMNS}, until date, raw varbinary(4))`,
    },
    login: { database: 'plans', user: 'live_reader' },
    odd: { numbers: [], times: ['until'], texts: ['raw'] },
    lines: (
      n,
    ) => `SELECT seq, DATE '2023-01-01' + INTERVAL (seq * 7919 % 1000) DAY, ELT(1 + seq % 4, 'Skåne', 'Gotland', 'Norrbotten', NULL),
      CONCAT('Item ', seq % 90), CONCAT('Customer ', seq % 400), ELT(1 + seq % 3, 'Tools', 'Paint', ''),
      CASE WHEN seq % 50 <> 0 THEN (seq * 104729 % 100000) / 100 - 50 END, (seq % 700) / 10,
      ELT(1 + seq % 3, '0000-00-00', '2024-02-29', NULL), UNHEX(CONCAT('F', seq % 9)) FROM seq_1_to_${n}`,
    grants: [
      "CREATE USER IF NOT EXISTS live_reader IDENTIFIED BY 'secret-of-reader'",
      'GRANT SELECT ON plans.* TO live_reader',
    ],
  },
  {
    ...{ kind: 'clickhouse', name: 'clickhouse', rows: COUNT === 0 ? 20_000 : 2_000, grants: [] },
    login: { database: 'plans', user: 'reader' },
    odd: { numbers: [], times: [], texts: [] },
    columns: `(id Int32, ordered_at Date, region LowCardinality(Nullable(String)), item String, customer String,
      product_group Nullable(String), amount Nullable(Decimal(12, 2)), cost Decimal(12, 1)) ENGINE = MergeTree ORDER BY id`,
    lines: (
      n,
    ) => `SELECT n, toDate('2023-01-01') + n * 7919 % 1000, ['Skåne', 'Gotland', 'Norrbotten', NULL][1 + n % 4],
      concat('Item ', toString(n % 90)), concat('Customer ', toString(n % 400)), ['Tools', 'Paint', ''][1 + n % 3],
      if(n % 50 <> 0, toDecimal64(n * 104729 % 100000, 2) / 100 - 50, NULL), toDecimal64(n % 700, 1) / 10
      FROM (SELECT toInt64(number + 1) AS n FROM numbers(${n}))`,
  },
]
const isHere: Record<Engine['kind'], boolean> = {
  postgresql: true,
  mysql: env.HAS_MARIADB === '1',
  clickhouse: env.HAS_CLICKHOUSE === '1',
}
const offered = ENGINES.filter(({ kind }) => isHere[kind])
/** Doors that lead to the database. */
const openDoors = (): Doors => (engine.kind === 'clickhouse' ? clickhouseDoors() : socketDoors(databasePort))
const STEPS: DurableSteps = { do: (_name, work) => work(), sleep: () => Promise.resolve() }

interface Table {
  sourceId: string
  id: string
  columns: Column[]
}

let person: SignedIn
let deps: () => Deps
let [imported, live]: Table[] = []
let object: DurableObjectStub<Warehouse>
let databasePort = 0
let engine: Engine
/** What the warehouse speaks to. */
const reach = (doors: Doors): Promise<void> =>
  runInDurableObject(object, (warehouse) => {
    warehouse.doors = () => doors
  })

const fieldIn =
  (table: Table) =>
  (label: string): Field => {
    const column = table.columns.find((each) => each.label === label)
    if (!column) throw new Error(`There is no ${label}.`)
    return { dataset: table.id, column: column.key }
  }
const countOf = (table: Table, region: string): QueryPlanInput => ({
  ...{ v: 2, kind: 'aggregate', dataset: table.id, dimensions: [] },
  measures: [{ kind: 'column', agg: 'count', dataset: table.id }],
  filters: [{ field: fieldIn(table)('region'), any: [{ op: 'in', values: [region] }] }],
})
/** Of a refusal that crossed RPC. */
const codeOf = (answer: object): unknown => Reflect.get(Object(Reflect.get(answer, 'error')), 'code')
/** Asks as the product does, by some rights, without anybody's count of questions. */
async function askAs(rights: Partial<ScopeWire>, plan: QueryPlanInput): Promise<object> {
  const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-01-01' } as const
  const wire = Scope.forJob({ workspaceId: person.workspaceId, userId: person.userId, epoch: '' }).wire()
  const settings = { ...engine.login, tls: 'off', host: '127.0.0.1', port: String(databasePort) }
  const login = { sourceId: both()[1].sourceId, kind: engine.kind, settings, secrets: { password: 'secret-of-reader' } }
  const asked = { plan: queryPlanSchema.parse(plan), calendar, logins: [login] }
  const answer = await object.query({ ...wire, ...rights }, asked)
  if (!answer.ok) return { code: codeOf(answer) }
  const { rows, totals, rowCount, period, datasets } = answer.value
  return { rows, totals, rowCount, period, seen: datasets[0]?.rowCount }
}

interface Shape {
  aggs: { agg: 'sum' | 'avg' | 'min' | 'max' | 'median' | 'countDistinct'; label: string }[]
  splits: ({ label: string; topN?: number | undefined } | { grain: 'day' | 'week' | 'month' | 'quarter' | 'year' })[]
  regions: string[] | null
  days: [number, number] | null
  compare: boolean
  limit: number
}
const shapes: fc.Arbitrary<Shape> = fc.record({
  aggs: fc.array(
    fc.record({
      agg: fc.constantFrom('sum', 'avg', 'min', 'max', 'median', 'countDistinct'),
      label: fc.constantFrom('amount', 'cost', 'id'),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  splits: fc.uniqueArray(
    fc.oneof(
      fc.record({
        label: fc.constantFrom('region', 'item', 'customer', 'product_group'),
        topN: fc.option(fc.integer({ min: 1, max: 9 }), { nil: undefined }),
      }),
      fc.record({ grain: fc.constantFrom('day', 'week', 'month', 'quarter', 'year') }),
    ),
    { maxLength: 2, selector: (split) => ('grain' in split ? 'ordered_at' : split.label) },
  ),
  regions: fc.option(fc.subarray(['Skåne', 'Gotland', 'Norrbotten', 'Öland'], { minLength: 1 })),
  days: fc.option(fc.tuple(fc.integer({ min: -50, max: 1000 }), fc.integer({ min: 1, max: 500 }))),
  compare: fc.boolean(),
  limit: fc.integer({ min: 1, max: 300 }),
})
const dayAt = (day: number): string => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10)
const planOf = (shape: Shape, field: (label: string) => Field): QueryPlanInput => ({
  ...{ v: 2, kind: 'aggregate', limit: shape.limit },
  measures: shape.aggs.map(({ agg, label }) => ({ kind: 'column', agg, field: field(label) })),
  dimensions: shape.splits.map((split) =>
    'grain' in split
      ? { field: field('ordered_at'), grain: split.grain }
      : { field: field(split.label), ...(split.topN === undefined ? {} : { topN: split.topN }) },
  ),
  filters: shape.regions ? [{ field: field('region'), any: [{ op: 'in', values: shape.regions }] }] : [],
  ...(shape.days
    ? {
        period: {
          field: field('ordered_at'),
          range: { kind: 'absolute', from: dayAt(shape.days[0]), to: dayAt(shape.days[0] + shape.days[1]) },
          ...(shape.compare ? { compare: 'previous' as const } : {}),
        },
      }
    : {}),
})

/** Equal: texts exactly, numbers to 1e-9 of their size. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [one, two] = [Object.entries(a), Object.entries(b)]
  return one.length === two.length && one.every(([key, value]) => isSame(value, Reflect.get(b, key)))
}
const both = (): [Table, Table] => {
  if (!imported || !live) throw new Error('There are no tables.')
  return [imported, live]
}
async function ask(plan: QueryPlanInput): Promise<QueryResult & Partial<ErrorBody>> {
  const answer = await person.fetch('/api/query', { method: 'POST', json: { plan } })
  return answer.json()
}
const figuresOf = ({ columns, rows, rowCount, totals, period, code, message }: QueryResult & Partial<ErrorBody>) => ({
  ...{ rows, rowCount, totals, period, code, message },
  labels: columns?.map(({ label, type }) => [label, type]),
})
const tableOf = async (sourceId: string): Promise<Table> => {
  const { datasets } = await (await person.fetch(`/api/data-sources/${sourceId}`)).json<DataSource>()
  const [dataset] = datasets
  if (!dataset) throw new Error('There is no table.')
  return { sourceId, id: dataset.id, columns: dataset.columns }
}

async function post<T>(path: string, json: object): Promise<T> {
  const answer = await person.fetch(path, { method: 'POST', json })
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  return answer.json()
}
const insightOver = (table: Table, name: string): Promise<Insight> =>
  post('/api/insights', {
    ...{ name, description: '', viz: { chart: 'line' } },
    plan: {
      ...{ v: 2, kind: 'aggregate', filters: [] },
      measures: [{ kind: 'column', agg: 'sum', field: fieldIn(table)('cost') }],
      dimensions: [{ field: fieldIn(table)('ordered_at'), grain: 'month' }],
    },
  })
/** On each region. */
const alertOn = (insight: Insight, table: Table): CreateAlertInput => ({
  ...{ name: insight.name, subject: { kind: 'insight', id: insight.id }, receivers: [person.userId] },
  ...{ condition: { kind: 'change', against: 'previous', op: 'rises', by: 0.01, unit: 'percent' } },
  by: { field: fieldIn(table)('region') },
})
const forecasting = () => ({
  scope: Scope.forJob({ workspaceId: person.workspaceId, userId: person.userId, epoch: '' }),
  calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-01-01' } as const,
  country: 'SE',
})
/** Answers of live tables are given again for a minute. */
const clearAnswers = (): Promise<void> => runInDurableObject(object, ({ context }) => clearResultCache(context.sql))

/** A connection to the database of which one table is read in a mode. */
async function connect(port: number, mode: StreamMode): Promise<string> {
  const sourceId = deps().ids.next('source')
  const { workspaceId, userId } = person
  const store = connectionStore(deps().db, workspaceId)
  const settings = { ...engine.login, tls: 'off', host: '127.0.0.1', port: String(port), what: 'tables' }
  const sealed = await sealCredentials(deps(), { workspaceId, sourceId }, { password: 'secret-of-reader' })
  const registered = findConnector(engine.kind)
  if (!registered || !sealed) throw new Error('There is no such kind.')
  const connection = { settings, secrets: { password: 'secret-of-reader' } }
  const found = await registered.connector.discover(contextFor(deps(), registered, { connection, budgetOf: sourceId }))
  const stream = found.find(({ label }) => label === TABLE)
  if (!stream) throw new Error('The table is not offered.')
  expect(stream.modes).toContain('live')
  const { d1 } = deps().db
  const row = { sourceId, kind: engine.kind, settings, frequencyHours: 24, nextAt: 0, pushTokenHash: null }
  await d1.batch([
    d1
      .prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES (?, ?, ?, ?, ?, 'draft', ?, 0, 0)`,
      )
      .bind(sourceId, workspaceId, engine.kind, `Shop ${mode}`, `shop ${mode}`, userId),
    store.insert({ ...row, secrets: sealed.sealed }, sealed.keyId),
    ...store.replaceStreams(sourceId, [{ key: stream.key, stream, mode }]),
  ])
  return sourceId
}

async function failureOfSync(sourceId: string, slot: string): Promise<unknown> {
  const { workspaceId } = person
  const row = { sourceId, workspaceId, frequencyHours: 24 }
  const syncId = await startSync(deps(), { row, slot, trigger: 'schedule', actorId: null, planHours: 6 })
  if (syncId === null) throw new Error('not started')
  await runSync(STEPS, () => deps(), { syncId, sourceId, workspaceId })
  return (await connectionStore(deps().db, workspaceId).get(sourceId))?.failure
}
const sync = async (sourceId: string, slot: string): Promise<void> =>
  expect(await failureOfSync(sourceId, slot)).toBeNull()

async function begin(on: Engine): Promise<void> {
  engine = on
  const port = await portOf(on.name, [
    // A day 0 is kept where nobody asks for real ones.
    ...(on.kind === 'mysql' ? [`SET SESSION sql_mode = ''`] : []),
    `DROP TABLE IF EXISTS ${TABLE}`,
    `CREATE TABLE ${TABLE} ${on.columns}`,
    `INSERT INTO ${TABLE} ${on.lines(on.rows)}`,
    ...on.grants,
  ])
  const parsed = readSettings(env)
  if (!parsed.ok || port === null) throw new Error('There is no database.')
  const settings = { ...parsed.settings, TEST_ALLOWED_TARGETS: `127.0.0.1:${port}` }
  person = await signedIn()
  deps = () =>
    createDeps(
      env,
      settings,
      { waitUntil: () => undefined },
      {
        syncSource: { create: () => Promise.reject(new Error('not here')) } as never,
        reporter: { report: () => undefined } as never,
        ...(on.kind === 'clickhouse' ? { targetFetcher: clickhouseAnswer } : {}),
      },
    )
  object = env.WAREHOUSE.get(env.WAREHOUSE.idFromName(person.workspaceId))
  databasePort = port
  const [one, other] = [await connect(port, 'replace'), await connect(port, 'live')]
  await sync(one, 'a')
  // Only now: an object that nobody asks while many rows are read is put away, and what it was told with it.
  await reach(openDoors())
  await sync(other, 'a')
  imported = await tableOf(one)
  live = await tableOf(other)
}

describe.each(offered)('a table that stays in its $kind database', (on) => {
  beforeAll(() => begin(on), HANG_MS)

  it.each(questions((label) => ({ dataset: label, column: 'c0' })).map(({ name }: Question) => name))(
    'answers as the same table imported: %s',
    async (name) => {
      const figures = async (table: Table) => {
        const question = questions(fieldIn(table)).find((each) => each.name === name)
        if (!question) throw new Error(name)
        return figuresOf(await ask(question.plan))
      }
      const [here, there] = both()
      // One after the other, so that neither waits for what the other takes.
      const [known, found] = [await figures(here), await figures(there)]
      expect(known.rows.length).toBeGreaterThan(0)
      expect(found).toEqual(known)
    },
  )

  it('is told with its rows and days, and as of now', async () => {
    const [here, there] = await Promise.all(
      both().map(async (table) => (await ask(countOf(table, 'Skåne'))).datasets.find(({ id }) => id === table.id)),
    )
    expect([here?.rowCount, there?.rowCount]).toEqual([on.rows, on.rows])
    const { body } = { body: await (await person.fetch(`/api/data-sources/${both()[1].sourceId}`)).json<DataSource>() }
    expect(body.datasets[0]?.rowCount).toBe(on.rows)
  })

  it('shows the same to somebody with rules of access, and hides the same columns', async () => {
    const answers = await Promise.all(
      both().map(async (table) => {
        const field = fieldIn(table)
        const rule: Filter = { field: field('region'), any: [{ op: 'in', values: ['Gotland'] }] }
        const rights: Partial<ScopeWire> = {
          rowFilters: [{ dataset: table.id, anyOf: [[rule]], noneOf: [] }],
          hidden: [{ dataset: table.id, column: field('cost').column }],
        }
        const told = ['amount', 'cost'].map((label) =>
          askAs(rights, {
            ...{ v: 2, kind: 'aggregate', filters: [], dimensions: [{ field: field('product_group') }] },
            measures: [{ kind: 'column', agg: 'sum', field: field(label) }],
          }),
        )
        return Promise.all(told)
      }),
    )
    expect(answers[0]?.[0]).toMatchObject({ seen: on.rows / 4 })
    expect(answers[0]?.[1]).toEqual({ code: 'unknown_field' })
    expect(answers[1]).toEqual(answers[0])
  })

  it.each(SLICES)(
    'answers $count random plans of seed $seed as the same table imported',
    HANG,
    async ({ count, seed }) => {
      const [here, there] = both()
      let compared = 0
      const compare = async (shape: Shape): Promise<void> => {
        const [known, found] = await Promise.all([here, there].map((table) => askAs({}, planOf(shape, fieldIn(table)))))
        compared += 1
        if (!isSame(known, found)) throw new Error(`differs:\n${JSON.stringify({ shape, known, found })}`)
      }
      const some = fc.array(shapes, { minLength: AT_ONCE, maxLength: AT_ONCE })
      const property = fc.asyncProperty(some, async (asked) => {
        await Promise.all(asked.map(compare))
      })
      await fc.assert(property, { numRuns: Math.ceil(count / AT_ONCE), seed, endOnFailure: true })
      expect(compared).toBeGreaterThanOrEqual(count)
    },
  )

  it('shows the same records behind a figure', async () => {
    const [known, found] = await Promise.all(
      both().map((table) => {
        const columns = table.columns.map(({ key }) => ({ dataset: table.id, column: key }))
        const filters: Filter[] = [{ field: fieldIn(table)('region'), any: [{ op: 'in', values: ['Gotland'] }] }]
        const sort = [{ by: { column: 0 }, dir: 'desc' as const }]
        return askAs(
          {},
          { v: 2, kind: 'rows', dataset: table.id, measures: [], dimensions: [], filters, columns, sort, limit: 40 },
        )
      }),
    )
    expect(known).toMatchObject({ rowCount: on.rows / 4 })
    expect(found).toEqual(known)
  })

  it('counts what is no number, no day or has no end as no value, and shows bytes as digits', async () => {
    const { numbers, times, texts } = on.odd
    const answers = both().map(async (table) => {
      const field = fieldIn(table)
      const foldsOf = (label: string) =>
        (['sum', 'min', 'max', 'median', 'countDistinct'] as const).map((agg) => ({
          ...{ kind: 'column' as const, agg, field: field(label) },
        }))
      const counted = (label: string, condition: Condition): QueryPlanInput => ({
        ...{ v: 2, kind: 'aggregate', dataset: table.id, dimensions: [] },
        measures: [{ kind: 'column', agg: 'count', dataset: table.id }],
        filters: [{ field: field(label), any: [condition] }],
      })
      const plans: QueryPlanInput[] = [
        ...numbers.map((label): QueryPlanInput => {
          return { v: 2, kind: 'aggregate', measures: foldsOf(label), dimensions: [], filters: [] }
        }),
        ...times.map((label): QueryPlanInput => {
          const dimensions = [{ field: field(label), grain: 'month' as const }]
          return { v: 2, kind: 'aggregate', measures: foldsOf('id').slice(0, 1), dimensions, filters: [] }
        }),
        ...times.flatMap((label) => [
          counted(label, { op: 'ge', value: '2024-01-01' }),
          counted(label, { op: 'lt', value: '2024-01-01' }),
          counted(label, { op: 'ne', value: '2024-02-29' }),
        ]),
        ...[...times, ...numbers, ...texts].map((label) => counted(label, { op: 'empty' })),
        ...numbers.map((label) => counted(label, { op: 'gt', value: 0 })),
        ...texts.map((label): QueryPlanInput => {
          const dimensions = [{ field: field(label) }]
          return { v: 2, kind: 'aggregate', measures: foldsOf('id').slice(0, 1), dimensions, filters: [] }
        }),
      ]
      return Promise.all(plans.map((plan) => askAs({}, plan)))
    })
    const [known, found] = await Promise.all(answers)
    expect(known?.filter((answer) => 'code' in answer)).toEqual([])
    expect(found).toEqual(known)
  })

  it('is watched by alerts and forecast by the same figures, and says why it has no findings', async () => {
    const found = await Promise.all(
      both().map(async (table, at) => {
        const insight = await insightOver(table, `Sold ${at}`)
        const alert = await post<Alert>('/api/alerts', alertOn(insight, table))
        const settings = {
          subject: { kind: 'insight' as const, id: insight.id },
          by: { field: fieldIn(table)('region') },
        }
        const { prepared } = await prepareForecast(deps(), forecasting(), previewForecastSchema.parse(settings))
        const groups = alert.groups.map(({ label, value, period, compared }) => ({ label, value, period, compared }))
        const page = await (await person.fetch(`/api/insights/${insight.id}/findings`)).json<FindingPage>()
        return { groups, trouble: alert.trouble?.code, prepared: { ...prepared, dataAsOf: '' }, page }
      }),
    )
    const [here, there] = found.map(({ page: _page, ...rest }) => rest)
    expect(here?.groups).toHaveLength(4)
    expect(here?.prepared.total.values.length).toBeGreaterThan(20)
    expect(isSame(there, here) || { there, here }).toBe(true)
    expect(found[0]?.page).not.toHaveProperty('declined')
    expect(found[1]?.page).toMatchObject({ items: [], declined: expect.stringContaining('queried live') })
    // Nor does somebody look at it by hand.
    const again = await post<FindingPage>('/api/findings/refresh', { dataset: both()[1].id })
    expect(again.items).toEqual([])
  })

  it('tells of an alert and a forecast that its database was away, and looks again within the hour', async () => {
    const [, there] = both()
    const insight = await insightOver(there, 'Sold while away')
    const { id } = await post<Alert>('/api/alerts', alertOn(insight, there))
    const forecast = await post<Forecast>('/api/forecasts', {
      name: 'Away',
      subject: { kind: 'insight', id: insight.id },
    })
    await reach(CLOSED_DOORS)
    const key = Scope.forJob({ workspaceId: person.workspaceId, userId: person.userId, epoch: '' })
    await clearAnswers()
    await evaluateAlert(deps(), key, id)
    const run = await forecastRunStore(deps().db, key).findOpen(forecast.id)
    await executeRun(deps(), { workspaceId: person.workspaceId, runId: run?.id ?? '' })
    const alert = await (await person.fetch(`/api/alerts/${id}`)).json<Alert>()
    expect(alert.trouble).toMatchObject({ code: 'refused', message: 'Couldn’t reach the database.' })
    const dueAt = await env.DB.prepare('SELECT due_at FROM alerts WHERE id = ?').bind(id).first<number>('due_at')
    expect(Number(dueAt) - Date.now()).toBeLessThanOrEqual(3_600_000)
    const { state, lastRun } = await (await person.fetch(`/api/forecasts/${forecast.id}`)).json<Forecast>()
    expect([state, lastRun?.trouble?.message]).toEqual(['failed', 'Couldn’t reach the database.'])
    await reach(openDoors())
    await evaluateAlert(deps(), key, id)
    expect((await (await person.fetch(`/api/alerts/${id}`)).json<Alert>()).trouble?.code).not.toBe('refused')
  })

  it('has rows that were written a moment ago', async () => {
    const [here, there] = both()
    await statementsOn(on.name, [
      `INSERT INTO ${TABLE} (id, ordered_at, region, item, customer, product_group, amount, cost) VALUES (0, '2025-12-31', 'Öland', 'Item', 'C', 'Tools', 5, 1)`,
    ])
    expect((await ask(countOf(there, 'Öland'))).rows).toEqual([[1]])
    expect((await ask(countOf(here, 'Öland'))).rows).toEqual([[0]])
    await statementsOn(on.name, [`DELETE FROM ${TABLE} WHERE id = 0`])
  })

  it('is followed up by every sync, as a corrected amount changes neither its rows nor its days', async () => {
    const [, there] = both()
    const followUps = () =>
      env.DB.prepare(`SELECT COUNT(*) AS n FROM outbox WHERE kind = 'swapped' AND key LIKE ?`)
        .bind(`swapped:${there.id}:%`)
        .first<number>('n')
    const before = Number(await followUps())
    await sync(there.sourceId, 'corrected')
    expect(Number(await followUps())).toBe(before + 1)
  })

  it('says in words that its database is away, and answers once it is back', async () => {
    const [here, there] = both()
    await reach(CLOSED_DOORS)
    const plan = (table: Table) => countOf(table, 'Norrbotten')
    expect(await ask(plan(there))).toMatchObject({ code: 'source_failed', message: 'Couldn’t reach the database.' })
    expect((await ask(plan(here))).rows).toEqual([[on.rows / 4]])
    // Also where its connector reaches it and the warehouse does not.
    expect(await failureOfSync(there.sourceId, 'away')).toMatchObject({ reason: 'down', mend: expect.any(String) })
    await reach(openDoors())
    expect((await ask(plan(there))).rows).toEqual([[on.rows / 4]])
  })

  it('is imported from one sync to the next where that is chosen', async () => {
    const [, there] = both()
    const last: QueryPlanInput = {
      ...{ v: 2, kind: 'aggregate', dataset: there.id, filters: [], dimensions: [] },
      measures: [{ kind: 'column', agg: 'sum', field: fieldIn(there)('amount') }],
    }
    const store = connectionStore(deps().db, person.workspaceId)
    const [stream] = await store.streams(there.sourceId)
    if (!stream) throw new Error('There is no stream.')
    const before = (await ask(last)).rows
    await deps().db.d1.batch(store.replaceStreams(there.sourceId, [{ ...stream, mode: 'replace' }]))
    await sync(there.sourceId, 'b')
    await reach(CLOSED_DOORS)
    expect((await ask(last)).rows).toEqual(before)
  })
})
