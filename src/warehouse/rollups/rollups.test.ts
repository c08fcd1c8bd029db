import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { beginRollup, buildingCalendar, buildSlice, rolledDataset } from './build'
import { rollupRequirements } from './requirements'
import { buildRequestedRollups, rollupFor, shapeFor } from './rollups'
import { recordRequestedShape, rollupsOf } from './store'
import { aggregatePlans, calendars, COLUMNS, datasets } from '../../../test/worker/random/plans'
import { column, scopeOf, warehouse } from '../../../test/worker/warehouse-driver'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { LiveDataset } from '../physical-layout'
import { queryCatalogue } from '../query-catalogue'
import type { AggregateQuery } from '../query/aggregates/compile-aggregate'
import { clearResultCache } from '../query/result-cache'
import { sqlExecutor } from '../query/sources/sql'
import { relationGraph } from '../query/plan/relation-graph'
import { runQuery } from '../../../test/worker/run-query'
import { compileContextOf } from '../query/sources/compile-context'
import type { WarehouseContext } from '../context'
import type { ScopeWire } from '../../identity/scope'
import type { Calendar } from '../../shared/dates'

const LONG = env['LONG'] === '1'
const PLANS = LONG ? 20_000 : 200
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 1_200_000 : 120_000
const ROWS_PER_SLICE = 5

/** Builds a rollup for exactly this question at once, in tiny slices, and answers the dataset it stands for. */
function built(
  context: WarehouseContext,
  scope: ScopeWire,
  at: { dataset: LiveDataset; question: AggregateQuery; zone: string },
) {
  const needs = rollupRequirements(at.question, at.dataset, scope)
  const shape = needs && shapeFor(at.dataset, { needs, zone: at.zone })
  if (!needs || !shape) return null
  const catalogue = queryCatalogue(context, scopeOf(scope.workspaceId))
  const dataset = catalogue.find(at.dataset.id)
  if (!dataset) return null
  const calendar = buildingCalendar(shape.zone)
  const means = { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) }
  const world = compileContextOf({ scope: scopeOf(scope.workspaceId), calendar, catalogue }, means)
  let rollup = context.transaction(() => beginRollup(context, dataset, shape))
  while (rollup.state === 'building') rollup = buildSlice(context, { rollup, dataset, world, rows: ROWS_PER_SLICE })
  if (!needs.whole.every((key) => rollup.whole.includes(key))) return null
  return rolledDataset(at.dataset, rollup)
}

function answerOf(
  context: WarehouseContext,
  scope: ScopeWire,
  ask: {
    plan: QueryPlan
    calendar: Calendar
    rollup?: (dataset: LiveDataset, query: AggregateQuery) => LiveDataset | null
  },
): QueryResult {
  clearResultCache(context.sql)
  return unwrap(runQuery({ sql: context.sql, catalogue: queryCatalogue(context, scope), scope, now: 0, ...ask }))
}
const figures = ({ rolled: _rolled, ...rest }: QueryResult) => rest

describe('answers from rollups', () => {
  it(
    `are those from the rows themselves, for ${PLANS} random plans over random rows`,
    async () => {
      let rolled = 0
      const asks = fc.array(fc.record({ plan: aggregatePlans, calendar: calendars }), {
        minLength: PLANS_PER_DATASET,
        maxLength: PLANS_PER_DATASET,
      })
      const property = fc.asyncProperty(
        datasets.filter((rows) => rows.length > 0),
        asks,
        async (rows, each) => {
          const { inside, load, scope } = warehouse()
          const { datasetId } = await load({ columns: COLUMNS, rows })
          await inside(({ context }) => {
            for (const { plan: random, calendar } of each) {
              const plan: QueryPlan = JSON.parse(JSON.stringify(random).replaceAll(/ds_0{20}/g, datasetId))
              const wanted = answerOf(context, scope, { plan, calendar })
              const rollup = (dataset: LiveDataset, query: AggregateQuery) =>
                built(context, scope, { dataset, question: query, zone: calendar.timeZone })
              const got = answerOf(context, scope, { plan, calendar, rollup })
              if (got.rolled) rolled += 1
              if (JSON.stringify(figures(got)) !== JSON.stringify(figures(wanted)))
                throw new Error(`differs:\n${JSON.stringify({ plan, calendar, rows, got, wanted })}`)
            }
          })
        },
      )
      await fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true })
      // The figure says that rollups are really used, not how often.
      expect(rolled).toBeGreaterThan(PLANS / 20)
    },
    HANG_MS,
  )

  it('come from the rows where all of them at once, times a number, would leave 64 bits', async () => {
    const { inside, load, scope } = warehouse()
    const most = Number.MAX_SAFE_INTEGER
    const { datasetId } = await load({
      columns: [column(0, 'integer')],
      rows: Array.from({ length: 500 }, () => [most]),
    })
    const times = (value: number): QueryPlan => ({
      v: 1,
      kind: 'aggregate',
      measures: [
        {
          kind: 'expression',
          agg: 'sum',
          row: {
            kind: 'binary',
            op: 'multiply',
            left: { kind: 'field', field: { dataset: datasetId, column: 'c0' } },
            right: { kind: 'number', value },
          },
        },
      ],
      dimensions: [],
      filters: [],
    })
    await inside(({ context }) => {
      const ask = (plan: QueryPlan) =>
        answerOf(context, scope, {
          plan,
          calendar: CALENDAR,
          rollup: (dataset, question) => built(context, scope, { dataset, question, zone: 'UTC' }),
        })
      expect(ask(times(1))).toMatchObject({ rolled: true, rows: [[String(500n * BigInt(most))]] })
      const large = ask(times(100))
      expect(large.rows).toEqual([[String(500n * BigInt(most) * 100n)]])
      expect(large.rolled).toBeUndefined()
    })
  })

  it('keep to the rules of access: a rule along a split is applied to them, one along a sum makes the rows be read', async () => {
    const { inside, load, scope } = warehouse()
    const rows = Array.from({ length: 60 }, (_, n) => [n % 2 === 0 ? 'North' : 'South', n])
    const { datasetId } = await load({ columns: [column(0), column(1, 'integer')], rows })
    const field = (n: 0 | 1) => ({ dataset: datasetId, column: `c${n}` as const })
    const plan: QueryPlan = {
      v: 1,
      kind: 'aggregate',
      measures: [{ kind: 'column', agg: 'sum', field: field(1) }],
      dimensions: [{ field: field(0) }],
      filters: [],
    }
    const ruled = (n: 0 | 1, value: string | number): ScopeWire => ({
      ...scope,
      rowFilters: [{ dataset: datasetId, filters: [{ field: field(n), any: [{ op: 'eq', value }] }] }],
    })
    await inside(({ context }) => {
      const ask = (who: ScopeWire) =>
        answerOf(context, who, {
          plan,
          calendar: CALENDAR,
          rollup: (dataset, question) => built(context, who, { dataset, question, zone: 'UTC' }),
        })
      expect(ask(ruled(0, 'North'))).toMatchObject({ rolled: true, rows: [['North', 870]] })
      const byRow = ask(ruled(1, 7))
      expect(byRow.rows).toEqual([['South', 7]])
      expect(byRow.rolled).toBeUndefined()
    })
  })
})

const CALENDAR: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' }
const MANY = 60_000
const sumBy = (datasetId: string): QueryPlan => ({
  v: 1,
  kind: 'aggregate',
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: datasetId, column: 'c1' } }],
  dimensions: [{ field: { dataset: datasetId, column: 'c0' } }],
  filters: [],
})
const rowsOf = (groups: number) => Array.from({ length: MANY }, (_, n) => [`G${n % groups}`, 1])

describe('rollups in the background', () => {
  it('are made after a question was asked, used by the next one, and made again when the rows change', async () => {
    const { inside, load, scope, stub } = warehouse()
    const columns = [column(0), column(1, 'integer')]
    const { datasetId } = await load({ columns, rows: rowsOf(10) })
    const ask = async (cold: number) => {
      const plan = sumBy(datasetId)
      plan.measures = plan.measures.map((measure) => ({ ...measure, label: `Cold ${cold}` }))
      return unwrap(await stub().query(scope, { plan, calendar: CALENDAR }))
    }
    expect((await ask(1)).rolled).toBeUndefined()
    await inside(({ context }) => buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId }))
    const second = await ask(2)
    expect(second.rolled).toBe(true)
    expect(second.rows[0]?.[1]).toBe(MANY / 10)
    await load({ datasetId, mode: 'append', columns, rows: [['G0', 1000]] })
    const third = await ask(3)
    expect(third.rows.find(([group]) => group === 'G0')?.[1]).toBe(MANY / 10 + 1000)
    await inside(({ context }) => buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId }))
    const fourth = await ask(4)
    expect(fourth.rolled).toBe(true)
    expect(fourth.rows).toEqual(third.rows)
  })

  it('are not kept where rows do not fold into few, and take no room then', async () => {
    const { inside, load, scope, stub, storedSets } = warehouse()
    const { datasetId } = await load({ columns: [column(0), column(1, 'integer')], rows: rowsOf(MANY) })
    const before = await storedSets()
    unwrap(await stub().query(scope, { plan: sumBy(datasetId), calendar: CALENDAR }))
    await inside(async (object) => {
      await buildRequestedRollups(object.context, { workspaceId: scope.workspaceId, datasetId })
      expect(rollupsOf(object.context, datasetId).map(({ state }) => state)).toEqual(['refused'])
      await object.alarm()
    })
    expect(await storedSets()).toEqual(before)
  })

  it('are not made by days of no zone, when a column came to have one since it was asked for', async () => {
    const { inside, load, scope } = warehouse()
    const moment = { ...column(0, 'datetime'), zoned: true }
    const { datasetId } = await load({ columns: [moment, column(1, 'integer')], rows: rowsOf(1).map(() => [0, 1]) })
    const made = (zone: string | null) =>
      inside(async ({ context }) => {
        recordRequestedShape(context, datasetId, { dims: ['c0'], measures: ['c1'], zone })
        await buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId })
        return rollupsOf(context, datasetId).map(({ shape }) => shape.zone)
      })
    expect(await made(null)).toEqual([])
    expect(await made('Europe/Stockholm')).toEqual(['Europe/Stockholm'])
  })

  it('go when going back leaves too few rows for any, without a question being asked', async () => {
    const { inside, load, scope, stub } = warehouse()
    const columns = [column(0), column(1, 'integer')]
    const { datasetId } = await load({ columns, rows: [['G0', 1]] })
    await load({ datasetId, mode: 'replace', columns, rows: rowsOf(10) })
    unwrap(await stub().query(scope, { plan: sumBy(datasetId), calendar: CALENDAR }))
    const known = () => inside(({ context }) => rollupsOf(context, datasetId).length)
    await inside(({ context }) => buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId }))
    expect(await known()).toBe(1)
    unwrap(await stub().rollback(scope, { datasetId, dataVersion: 1, runId: 'run_back' }))
    await expect.poll(known).toBe(0)
  })

  it('take no more cells than are left for them', async () => {
    const { inside, load, scope } = warehouse()
    const { datasetId } = await load({ columns: [column(0), column(1, 'integer')], rows: rowsOf(10) })
    await inside(({ context }) => {
      const catalogue = queryCatalogue(context, scope)
      const dataset = catalogue.find(datasetId)
      if (!dataset) throw new Error('no dataset')
      const means = { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) }
      const world = compileContextOf({ scope, calendar: CALENDAR, catalogue }, means)
      // A row has its split, how many it stands for, and four figures of the one column added up.
      const stateWith = (cellsLeft: number) => {
        const rollup = context.transaction(() =>
          beginRollup(context, dataset, { dims: ['c0'], measures: ['c1'], zone: null }),
        )
        return buildSlice(context, { rollup, dataset, world, cellsLeft }).state
      }
      expect(stateWith(60)).toBe('building')
      expect(stateWith(59)).toBe('refused')
    })
  })

  it('go on from their last slice after the object was stopped half-way, and are exact then', async () => {
    const { inside, load, scope, stub } = warehouse()
    const { datasetId } = await load({ columns: [column(0), column(1, 'integer')], rows: rowsOf(7) })
    await inside(({ context }) => {
      const dataset = queryCatalogue(context, scope).find(datasetId)
      if (!dataset) throw new Error('no dataset')
      const shape = { dims: ['c0' as const], measures: ['c1' as const], zone: null }
      const catalogue = queryCatalogue(context, scope)
      const means = { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) }
      const world = compileContextOf({ scope, calendar: CALENDAR, catalogue }, means)
      const begun = context.transaction(() => beginRollup(context, dataset, shape))
      expect(buildSlice(context, { rollup: begun, dataset, world }).state).toBe('building')
      const needs = { dims: ['c0' as const], measures: ['c1' as const], whole: [], monthly: false }
      expect(rollupFor(context, dataset, { needs, zone: 'UTC' }), 'half a rollup answers nothing').toBeNull()
    })
    await inside(({ context }) => buildRequestedRollups(context, { workspaceId: scope.workspaceId, datasetId }))
    const answer = unwrap(await stub().query(scope, { plan: sumBy(datasetId), calendar: CALENDAR }))
    expect(answer.rolled).toBe(true)
    expect(answer.rows.reduce((total, [, sum]) => total + Number(sum), 0)).toBe(MANY)
  })
})
