import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { putGrouping } from './store'
import { buildMapsNow } from './grouping-maps'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveGrouping } from '../../../test/worker/naive/groupings'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { groupings, plansWithGroupings } from '../../../test/worker/random/groupings'
import { EDGES, relatedPlans, relatedTables } from '../../../test/worker/random/joins'
import { aggregatePlans, calendars, COLUMNS, datasets } from '../../../test/worker/random/plans'
import { isSameFigure, toReadableRows } from '../../../test/worker/compare-figures'
import { columnsIn, DATASET, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import { validateGrouping } from '../../shared/groupings/validation'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { LiveDataset } from '../physical-layout'
import type { RelationEdge } from '../query/plan/relation-graph'
import { runQuery } from '../../../test/worker/run-query'
import type { WarehouseContext } from '../context'
import type { Calendar } from '../../shared/dates'

const LONG = env['LONG'] === '1'
const PLANS = LONG ? 20_010 : 60
const RELATED = LONG ? 10_005 : 45
const PLANS_PER_DATASET = 15
const HANG_MS = LONG ? 1_200_000 : 120_000

interface Case {
  tables: NaiveTable[]
  edges: RelationEdge[]
  defined: NaiveGrouping[]
  asks: { plan: QueryPlan; calendar: Calendar }[]
}
let version = 0

function check(sql: SqlStorage, { tables, edges, defined, asks }: Case): void {
  version += 1
  const context: WarehouseContext = {
    sql,
    transaction: (work) => work(),
    clock: { now: () => 1 },
    pause: () => Promise.resolve(),
  }
  for (const each of defined) {
    expect(validateGrouping(each)).toEqual({})
    putGrouping(context, { ...each, name: 'Regions', version, draft: false })
  }
  const live = tables.map((table): LiveDataset => {
    const stored = table.columns.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))
    const rows = table.rows.map((row) => stored.map(({ at }) => row[at] ?? null))
    const columns = stored.map(({ column }) => column)
    return { ...tableOf(columns, rows, { perChunk: 5 }), id: table.id, name: table.id, columns: table.columns }
  })
  const catalogue = { find: (id: string) => live.find((dataset) => dataset.id === id) ?? null, edges }
  const versions = defined.map(({ id }) => ({ id, version }))
  for (const { plan, calendar } of asks) {
    const columns = columnsIn(sql)
    const ask = { scope: EVERYTHING, plan, calendar, groupings: versions, catalogueFor: () => catalogue, columns }
    const views = buildMapsNow(context, ask)
    const request = { sql, catalogue, scope: EVERYTHING, plan, calendar, now: 0, groupings: views }
    const result = unwrap(runQuery(request))
    const naive = naiveAnswer({ tables, edges, calendar, groupings: defined }, plan)
    const offset = plan.offset ?? 0
    const page = naive.rows.slice(offset, offset + (plan.limit ?? Infinity))
    const isRight =
      result.rowCount === naive.rows.length &&
      result.rows.length === page.length &&
      page.every((cells, i) => cells.every((cell, n) => isSameFigure(result.rows[i]?.[n], cell))) &&
      naive.totals.every((cell, n) => isSameFigure(result.totals?.[n], cell))
    if (isRight) continue
    const got = { n: result.rowCount, rows: result.rows, totals: result.totals }
    const wanted = { n: naive.rows.length, rows: toReadableRows(page), totals: toReadableRows([naive.totals]) }
    throw new Error(
      `differs:\n${JSON.stringify({ got, wanted, plan, calendar, defined })}\n${JSON.stringify(tables.map(({ id, rows }) => ({ id, rows })))}`,
    )
  }
}

const typeIn =
  (tables: { id: string; columns: NaiveTable['columns'] }[]) => (field: { dataset: string; column: string }) =>
    tables.find(({ id }) => id === field.dataset)?.columns.find(({ key }) => key === field.column)?.type

const asksOf = (plans: fc.Arbitrary<QueryPlan>) =>
  fc.array(fc.record({ plan: plans, calendar: calendars }), {
    minLength: PLANS_PER_DATASET,
    maxLength: PLANS_PER_DATASET,
  })

async function holds(name: string, plans: number, cases: fc.Arbitrary<Case>): Promise<number> {
  let answered = 0
  await inSqlite(name, (sql) => {
    const property = fc.property(cases, (each) => {
      check(sql, each)
      answered += each.asks.length
    })
    fc.assert(property, { numRuns: plans / PLANS_PER_DATASET, endOnFailure: true })
  })
  return answered
}

it(
  `sees ${PLANS} random plans through random groupings as a naive evaluator does`,
  async () => {
    const alone = [{ id: DATASET, columns: COLUMNS }]
    const cases = fc
      .tuple(datasets, groupings, asksOf(plansWithGroupings(aggregatePlans, typeIn(alone))))
      .map(([rows, defined, asks]): Case => ({
        tables: [{ id: DATASET, columns: COLUMNS, rows }],
        edges: [],
        defined,
        asks,
      }))
    expect(await holds('random-groupings', PLANS, cases)).toBe(PLANS)
  },
  HANG_MS,
)

it(
  `sees ${RELATED} random plans over related rows through random groupings as a naive evaluator does`,
  async () => {
    const cases = relatedTables.chain((tables) =>
      fc
        .tuple(groupings, asksOf(plansWithGroupings(relatedPlans, typeIn(tables))))
        .map(([defined, asks]): Case => ({ tables, edges: EDGES, defined, asks })),
    )
    expect(await holds('random-related-groupings', RELATED, cases)).toBe(RELATED)
  },
  HANG_MS,
)
