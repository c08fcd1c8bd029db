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
import { seedOf } from '../../../test/seed'
import { bothAnswers, isNaiveAnswer, storeTables } from '../../../test/worker/random/stored-tables'
import { columnsIn, DATASET, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { validateGrouping } from '../../shared/groupings/validation'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { RelationEdge } from '../query/plan/relation-graph'
import { runQuery } from '../../../test/worker/run-query'
import type { WarehouseContext } from '../context'
import type { Calendar } from '../../shared/dates'

const LONG = env['LONG'] === '1'
const PLANS = LONG ? 20_010 : 45
const RELATED = LONG ? 10_005 : 45
const PLANS_PER_DATASET = 15
const HANG_MS = LONG ? 3_600_000 : 120_000

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
  const catalogue = storeTables(tables, edges, 5)
  const versions = defined.map(({ id }) => ({ id, version }))
  for (const { plan, calendar } of asks) {
    const columns = columnsIn(sql)
    const ask = { scope: EVERYTHING, plan, calendar, groupings: versions, catalogueFor: () => catalogue, columns }
    const views = buildMapsNow(context, ask)
    const request = { sql, catalogue, scope: EVERYTHING, plan, calendar, now: 0, groupings: views }
    const result = unwrap(runQuery(request))
    const naive = naiveAnswer({ tables, edges, calendar, groupings: defined }, plan)
    if (isNaiveAnswer(result, naive, plan)) continue
    const told = { ...bothAnswers(result, naive, plan), plan, calendar, defined }
    throw new Error(
      `differs:\n${JSON.stringify(told)}\n${JSON.stringify(tables.map(({ id, rows }) => ({ id, rows })))}`,
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
    fc.assert(property, { numRuns: plans / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
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
