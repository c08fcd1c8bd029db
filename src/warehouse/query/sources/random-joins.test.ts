import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../../test/worker/naive/values'
import { visible } from '../../../../test/worker/naive/visible'
import { EDGES, guards, relatedPlans, relatedTables } from '../../../../test/worker/random/joins'
import { calendars } from '../../../../test/worker/random/plans'
import { isNaiveAnswer, pageOf, storeTables } from '../../../../test/worker/random/stored-tables'
import { toReadableRows } from '../../../../test/worker/compare-figures'
import { EVERYTHING, inSqlite } from '../../../../test/worker/warehouse-rows'
import { countingRows, withoutFigures } from '../../../../test/worker/column-tables'
import { runQuery } from '../../../../test/worker/run-query'
import type { ScopeWire } from '../../../identity/scope'
import { clearResultCache } from '../result-cache'
import type { QueryRequest } from '../request'
import type { QueryResult } from '../../../shared/query/result'
import { unwrap } from '../../../shared/errors'
import type { QueryPlan } from '../../../shared/query/plan'
import type { Calendar } from '../../../shared/dates'

const LONG = env['LONG'] === '1'
/** 160 plans, or 100 000: in parts, so that each stays well within a test's time. */
const PARTS = LONG ? 20 : 1
const PLANS = LONG ? 5_000 : 160
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 1_200_000 : 240_000

interface QueryInput {
  plan: QueryPlan
  calendar: Calendar
  guard: ScopeWire['rowFilters'][number] | null
}

/** Answers how many of the questions were answered from columns. */
function check(sql: SqlStorage, tables: NaiveTable[], asks: QueryInput[]): number {
  const stored = storeTables(sql, tables, { columnsPerTable: 7, rowsPerChunk: 3, hasLongTexts: true })
  const catalogue = { find: stored.find, edges: EDGES }
  let fromColumns = 0
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.guard ? [ask.guard] : [] }
    const { plan, calendar } = ask
    const request = { sql, catalogue, scope, plan, calendar, now: 0 }
    const told = checkOne(request, { tables, ask })
    clearResultCache(sql)
    const counting = countingRows(sql)
    expect(checkOne({ ...request, sql: counting.sql, columns: stored.columns }, { tables, ask })).toEqual(told)
    if (counting.asked() === 0) fromColumns += 1
  }
  stored.drop()
  return fromColumns
}

/** Answers what is told beside the figures. */
function checkOne(
  request: QueryRequest,
  { tables, ask }: { tables: NaiveTable[]; ask: QueryInput },
): Partial<QueryResult> {
  const { plan, calendar, guard } = ask
  const result = unwrap(runQuery(request))
  const naive = naiveAnswer({ tables: visible(tables, ask), edges: EDGES, calendar }, plan)
  if (isNaiveAnswer(result, naive, plan)) return withoutFigures(result)
  const got = { n: result.rowCount, rows: result.rows, totals: result.totals }
  const wanted = {
    n: naive.rows.length,
    rows: toReadableRows(pageOf(plan, naive.rows)),
    totals: toReadableRows([naive.totals]),
  }
  throw new Error(`differs:\n${JSON.stringify({ got, wanted, plan, calendar, guard })}\n${JSON.stringify(tables)}`)
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans over related rows, from rows and from columns, as a naive evaluator does (INJ-8, part %i of ${PARTS})`,
  async (part) => {
    const ask = fc.record({ plan: relatedPlans, calendar: calendars, guard: guards })
    const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
    let answered = 0
    let fromColumns = 0
    await inSqlite(`random-joins-${part}`, (sql) => {
      const property = fc.property(relatedTables, asks, (tables, each) => {
        fromColumns += check(sql, tables, each)
        answered += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true })
    })
    expect(answered).toBe(PLANS)
    expect(fromColumns).toBe(PLANS)
  },
  HANG_MS,
)
