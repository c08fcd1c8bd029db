import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { visible } from '../../../test/worker/naive/visible'
import { EDGES, rulesOfAccess, relatedTables } from '../../../test/worker/random/joins'
import { namedPlans } from '../../../test/worker/random/names'
import { calendars } from '../../../test/worker/random/plans'
import { bothAnswers, isNaiveAnswer, storeTables, type RandomQuestion } from '../../../test/worker/random/stored-tables'
import { EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { unwrap } from '../../shared/errors'
import { leafMeasuresOf } from '../../shared/query/plan-fields'
import type { QueryResult } from '../../shared/query/result'

const LONG = env['LONG'] === '1'
/** 60 plans, or 20 000. */
const PLANS = LONG ? 20_000 : 60
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 120_000

function check(sql: SqlStorage, tables: NaiveTable[], asks: RandomQuestion[]): void {
  const catalogue = storeTables(tables, EDGES)
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.rules }
    const { plan, calendar } = ask
    const result = unwrap(runQuery({ sql, catalogue, scope, plan, calendar, now: 0 }))
    assertSame(result, tables, ask)
  }
}

function assertSame(result: QueryResult, tables: NaiveTable[], ask: RandomQuestion): void {
  const { plan, calendar, rules } = ask
  const naive = naiveAnswer({ tables: visible(tables, { ...ask, edges: EDGES }), edges: EDGES, calendar }, plan)
  // Every key of the page is called as it should be.
  const isNamed = naive.names.every((names, i) =>
    result.rows.every(([...cells], row) => {
      const key = String(cells[i])
      const isOther = result.otherCells?.some((cell) => cell.row === row && cell.dimension === i) === true
      if (!names || cells[i] === null || isOther) return true
      return result.columns[i]?.names?.of[key] === names.get(key) && names.get(key) !== undefined
    }),
  )
  if (isNamed && isNaiveAnswer(result, naive, plan)) return
  const names = { got: result.columns.map((column) => column.names), wanted: naive.names.map((own) => own && [...own]) }
  const told = { ...bothAnswers(result, naive, plan), names, plan, calendar, rules }
  throw new Error(`differs:\n${JSON.stringify(told)}\n${JSON.stringify(tables)}`)
}

it(
  `answers ${PLANS} random plans with labelled keys and values at the least or largest of others as a naive evaluator does`,
  async () => {
    const ask = fc.record({ plan: namedPlans, calendar: calendars, rules: rulesOfAccess })
    const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
    const met = { labelled: 0, ordered: 0 }
    await inSqlite('random-names', (sql) => {
      const property = fc.property(relatedTables, asks, (tables, each) => {
        for (const { plan } of each) {
          if (plan.dimensions.some(({ label }) => label)) met.labelled += 1
          if (plan.measures.flatMap(leafMeasuresOf).some(({ by }) => by)) met.ordered += 1
        }
        check(sql, tables, each)
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
    })
    expect(met.labelled).toBeGreaterThan(PLANS / 5)
    expect(met.ordered).toBeGreaterThan(PLANS / 5)
  },
  HANG_MS,
)
