import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CHDB, MARIADB, PGLITE } from '../../../test/worker/foreign/engines'
import { askEngine, askForeign, foreignTables, type TestEngine } from '../../../test/worker/foreign/tables'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { groupedPlans } from '../../../test/worker/random/grouped'
import {
  CUSTOMERS,
  EDGES,
  fieldsFor,
  LINES,
  ORDERS,
  relatedPlans,
  relatedTables,
  rulesOfAccess,
} from '../../../test/worker/random/joins'
import {
  aggregatePlans,
  ALONE,
  calendars,
  COLUMNS,
  datasets,
  formulaPlans,
  ownRules,
} from '../../../test/worker/random/plans'
import { recordPlansOver } from '../../../test/worker/random/records'
import { storeTables } from '../../../test/worker/random/stored-tables'
import { seedOf } from '../../../test/seed'
import { runQuery } from '../../../test/worker/run-query'
import { DATASET, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import type { RowRule } from '../../scope'
import type { Calendar } from '../../shared/dates'
import { queryPlanSchema, type QueryPlan } from '../../shared/query/plan'
import type { RpcResult } from '../../shared/errors'
import type { QueryResult } from '../../shared/query/result'
import type { RelationEdge } from '../query/plan/relation-graph'
import { clearResultCache } from '../query/result-cache'

const LONG = env['LONG'] === '1'
const PLANS_PER_CASE = LONG ? 20 : 4
const PLANS = LONG ? 2_000 : PLANS_PER_CASE
const HANG_MS = LONG ? 3_600_000 : 180_000

interface AskedPlan {
  plan: QueryPlan
  calendar: Calendar
  rules: RowRule[]
}
interface Case {
  tables: NaiveTable[]
  edges: RelationEdge[]
  asks: AskedPlan[]
}

/** Equal: texts exactly, numbers to 1e-9 of their size. */
function isSame(a: unknown, b: unknown): boolean {
  if (typeof a === 'number' && typeof b === 'number')
    return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b))
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b
  const [one, two] = [Object.entries(a), Object.entries(b)]
  return one.length === two.length && one.every(([key, value]) => isSame(value, Reflect.get(b, key)))
}
const told = ({ hash: _hash, cached: _cached, ...result }: QueryResult): object => result

/** Which columns tables keep unique: the keys that relations lead to. */
const uniqueOf = (edges: readonly RelationEdge[]): Record<string, `c${number}`[][]> => {
  const unique: Record<string, `c${number}`[][]> = {}
  for (const { from, to, oneToOne } of edges)
    for (const end of oneToOne ? [from, to] : [to]) (unique[end.dataset] ??= []).push([end.key])
  return unique
}

async function check(engine: TestEngine, sql: SqlStorage, { tables, edges, asks }: Case): Promise<void> {
  const catalogue = storeTables(tables, edges)
  const database = await foreignTables(engine, tables, uniqueOf(edges))
  for (const { plan, calendar, rules } of asks) {
    const request = { sql, catalogue, plan, calendar, scope: { ...EVERYTHING, rowFilters: rules }, now: 0 }
    clearResultCache(sql)
    const here = runQuery(request)
    clearResultCache(sql)
    const there = await askForeign(request, database)
    const same = here.ok && there.ok ? isSame(told(here.value), told(there.value)) : isSame(here, there)
    if (!same)
      throw new Error(`differs:\n${JSON.stringify({ ...answers(here, there), plan, calendar, rules, tables })}`)
  }
}

const answers = (here: RpcResult<QueryResult>, there: RpcResult<QueryResult>) => ({
  here: here.ok ? pageOf(here.value) : here.error,
  there: there.ok ? pageOf(there.value) : there.error,
})
const pageOf = ({ rows, totals, rowCount }: QueryResult) => ({ rows, totals, rowCount })

const asksOf = (plans: fc.Arbitrary<QueryPlan>, rules: fc.Arbitrary<RowRule[]>): fc.Arbitrary<AskedPlan[]> =>
  fc.array(fc.record({ plan: plans, calendar: calendars, rules }), {
    minLength: PLANS_PER_CASE,
    maxLength: PLANS_PER_CASE,
  })
const alone = (plans: fc.Arbitrary<QueryPlan>): fc.Arbitrary<Case> =>
  fc.record({
    tables: datasets.map((rows) => [{ id: DATASET, columns: COLUMNS, rows }]),
    edges: fc.constant([]),
    asks: asksOf(plans, ownRules),
  })
const related = (plans: fc.Arbitrary<QueryPlan>): fc.Arbitrary<Case> =>
  fc.record({ tables: relatedTables, edges: fc.constant(EDGES), asks: asksOf(plans, rulesOfAccess) })

const CASES: Record<string, fc.Arbitrary<Case>> = {
  'of one table': alone(aggregatePlans),
  'with formulas of rows': alone(formulaPlans),
  'with figures over groups': alone(groupedPlans),
  'of related tables': related(relatedPlans),
  'for records': related(fc.constantFrom(ORDERS, LINES, CUSTOMERS).chain((home) => recordPlansOver(fieldsFor([home])))),
  'for records of one table': alone(recordPlansOver(ALONE)),
}

it.for([PGLITE, MARIADB, CHDB].flatMap((engine) => Object.keys(CASES).map((name) => ({ engine, name }))))(
  `$engine.name answers ${PLANS} random plans $name as columns do`,
  { timeout: HANG_MS },
  async ({ engine, name }, { skip }) => {
    skip(engine !== PGLITE && !LONG, 'Servers are started by the long run.')
    const cases = CASES[name]
    skip(!cases || !(await askEngine(engine.name, [])), `There is no ${engine.name} on this machine.`)
    if (!cases) return
    let answered = 0
    await inSqlite(`pushdown ${engine.name} ${name}`, async (sql) => {
      const property = fc.asyncProperty(cases, async (one) => {
        await check(engine, sql, one)
        answered += one.asks.length
      })
      await fc.assert(property, { seed: seedOf(LONG), numRuns: PLANS / PLANS_PER_CASE, endOnFailure: true })
    })
    expect(answered).toBe(PLANS)
  },
)

it.for([PGLITE, MARIADB, CHDB])(
  '$name puts amounts just below nothing into the step below it, however few decimals it keeps',
  { timeout: HANG_MS },
  async (engine, { skip }) => {
    skip(engine !== PGLITE && !LONG, 'Servers are started by the long run.')
    skip(!(await askEngine(engine.name, [])), `There is no ${engine.name} on this machine.`)
    const plan = queryPlanSchema.parse({
      ...{ v: 3, kind: 'aggregate', dataset: DATASET, filters: [], measures: [{ kind: 'column', agg: 'count' }] },
      dimensions: [{ field: { dataset: DATASET, column: 'c2' }, bins: { width: 10 } }],
    })
    const calendar: Calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-06-15' }
    const rows = [-1001, -1000, -999, -7, 0, 7, 999, 1000, null].map((cents) => [
      ...[null, null, cents, null, null, null, null, null],
    ])
    await inSqlite(`pushdown steps ${engine.name}`, (sql) =>
      check(engine, sql, {
        tables: [{ id: DATASET, columns: COLUMNS, rows }],
        edges: [],
        asks: [{ plan, calendar, rules: [] }],
      }),
    )
  },
)
