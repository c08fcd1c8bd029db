import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import {
  aggregatePlans,
  calendars,
  COLUMNS,
  datasets,
  formulaPlans,
  ownGuards,
} from '../../../test/worker/random/plans'
import { visible } from '../../../test/worker/naive/visible'
import { isNaiveAnswer, pageOf, storeTables } from '../../../test/worker/random/stored-tables'
import { toReadableRows } from '../../../test/worker/compare-figures'
import { countingRows, withoutFigures } from '../../../test/worker/column-tables'
import { runQuery } from '../../../test/worker/run-query'
import { DATASET, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { clearResultCache } from './result-cache'
import type { QueryRequest } from './request'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryResult } from '../../shared/query/result'
import type { ScopeWire } from '../../identity/scope'
import type { Calendar } from '../../shared/dates'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
/** 340 plans, or 100 000: in parts, so that each stays well within a test's time. */
const PARTS = LONG ? 20 : 1
const PLANS = LONG ? 5_000 : 340
/** Of plans that hold four formulas each. */
const FORMULA_PLANS = LONG ? 2_000 : 140
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 1_200_000 : 180_000

interface RandomQuestion {
  plan: QueryPlan
  calendar: Calendar
  guard: ScopeWire['rowFilters'][number] | null
  /** Every measure in a statement of its own, as of many rows. */
  isSplit: boolean
}

/** Answers how many of the questions were answered from columns. */
function check(sql: SqlStorage, rows: StorageValue[][], asks: RandomQuestion[]): number {
  const stored = storeTables(sql, [{ id: DATASET, columns: COLUMNS, rows }], {
    ...{ columnsPerTable: 4, rowsPerChunk: 7, hasLongTexts: true },
  })
  const catalogue = { find: stored.find, edges: [] }
  let fromColumns = 0
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.guard ? [ask.guard] : [] }
    const told = checkOne(sql, { ...ask, rows }, (given) => ({ catalogue, scope, ...given }))
    clearResultCache(sql)
    const counting = countingRows(sql)
    const found = checkOne(counting.sql, { ...ask, rows }, (given) => ({
      ...{ catalogue, scope, columns: stored.columns },
      ...given,
    }))
    expect(found).toEqual(told)
    if (counting.asked() === 0) fromColumns += 1
  }
  stored.drop()
  return fromColumns
}

/** Answers what is told beside the figures. */
function checkOne(
  sql: SqlStorage,
  { plan, calendar, guard, isSplit, rows }: RandomQuestion & { rows: StorageValue[][] },
  request: (given: Pick<QueryRequest, 'sql' | 'plan' | 'calendar' | 'now' | 'partMs'>) => QueryRequest,
): Partial<QueryResult> {
  const partMs = isSplit ? 0 : undefined
  const result = unwrap(runQuery(request({ sql, plan, calendar, now: 0, partMs })))
  const naive = naiveAnswer(
    { tables: visible([{ id: DATASET, columns: COLUMNS, rows }], { guard, calendar }), edges: [], calendar },
    plan,
  )
  if (isNaiveAnswer(result, naive, plan)) return withoutFigures(result)
  throw new Error(
    `differs:\n${JSON.stringify({ plan, calendar, guard, isSplit, data: rows, got: { n: result.rowCount, rows: result.rows, totals: result.totals }, wanted: { n: naive.rows.length, rows: toReadableRows(pageOf(plan, naive.rows)), totals: toReadableRows([naive.totals]) } })}`,
  )
}

async function answers(
  part: number,
  { plans, count, name, share }: { plans: fc.Arbitrary<QueryPlan>; count: number; name: string; share: number },
): Promise<void> {
  const ask = fc.record({ plan: plans, calendar: calendars, guard: ownGuards, isSplit: fc.boolean() })
  const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
  let answered = 0
  let fromColumns = 0
  await inSqlite(`${name}-${part}`, (sql) => {
    const property = fc.property(datasets, asks, (rows, each) => {
      fromColumns += check(sql, rows, each)
      answered += each.length
    })
    // The message says which plan over which rows; shrinking twenty plans would take minutes.
    fc.assert(property, { numRuns: count / PLANS_PER_DATASET, endOnFailure: true })
  })
  expect(answered).toBe(count)
  expect(fromColumns / count).toBeGreaterThanOrEqual(share)
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans from rows and from columns as a naive evaluator does (INJ-8, part %i of ${PARTS})`,
  (part) => answers(part, { plans: aggregatePlans, count: PLANS, name: 'random-plans', share: 1 }),
  HANG_MS,
)
it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${FORMULA_PLANS * 4} random formulas of rows from rows and from columns as a naive evaluator does (part %i of ${PARTS})`,
  (part) => answers(part, { plans: formulaPlans, count: FORMULA_PLANS, name: 'random-formulas', share: 0.9 }),
  HANG_MS,
)
