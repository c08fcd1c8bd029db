import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import { aggregatePlans, calendars, COLUMNS, datasets, formulaPlans, ownRules } from '../../../test/worker/random/plans'
import { visible } from '../../../test/worker/naive/visible'
import { bothAnswers, isNaiveAnswer, storeTables, type RandomQuestion } from '../../../test/worker/random/stored-tables'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { DATASET, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
/** 160 plans, or 100 000: in parts, so that each stays well within a test's time. */
const PARTS = LONG ? 20 : 1
const PLANS = LONG ? 5_000 : 160
/** Of plans that hold four formulas each. */
const FORMULA_PLANS = LONG ? 2_000 : 60
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 180_000

function check(sql: SqlStorage, rows: StorageValue[][], asks: readonly RandomQuestion[]): void {
  const tables = [{ id: DATASET, columns: COLUMNS, rows }]
  // A few chunks, so that what is folded goes over their ends.
  const catalogue = storeTables(tables, [], 7)
  for (const { plan, calendar, rules } of asks) {
    const scope = { ...EVERYTHING, rowFilters: rules }
    const result = unwrap(runQuery({ sql, catalogue, scope, plan, calendar, now: 0 }))
    const naive = naiveAnswer({ tables: visible(tables, { rules, calendar, edges: [] }), edges: [], calendar }, plan)
    if (isNaiveAnswer(result, naive, plan)) continue
    const told = { plan, calendar, rules, data: rows, ...bothAnswers(result, naive, plan) }
    throw new Error(`differs:\n${JSON.stringify(told)}`)
  }
}

async function answers(
  part: number,
  { plans, count, name }: { plans: fc.Arbitrary<QueryPlan>; count: number; name: string },
): Promise<void> {
  const ask = fc.record({ plan: plans, calendar: calendars, rules: ownRules })
  const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
  let answered = 0
  await inSqlite(`${name}-${part}`, (sql) => {
    const property = fc.property(datasets, asks, (rows, each) => {
      check(sql, rows, each)
      answered += each.length
    })
    // The message says which plan over which rows; shrinking twenty plans would take minutes.
    fc.assert(property, { numRuns: count / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
  })
  expect(answered).toBe(count)
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans as a naive evaluator does (INJ-8, part %i of ${PARTS})`,
  (part) => answers(part, { plans: aggregatePlans, count: PLANS, name: 'random-plans' }),
  HANG_MS,
)
it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${FORMULA_PLANS * 4} random formulas of rows as a naive evaluator does (part %i of ${PARTS})`,
  (part) => answers(part, { plans: formulaPlans, count: FORMULA_PLANS, name: 'random-formulas' }),
  HANG_MS,
)
