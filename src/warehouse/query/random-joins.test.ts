import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { visible } from '../../../test/worker/naive/visible'
import { EDGES, guards, relatedPlans, relatedTables } from '../../../test/worker/random/joins'
import { calendars } from '../../../test/worker/random/plans'
import { bothAnswers, isNaiveAnswer, storeTables } from '../../../test/worker/random/stored-tables'
import { EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { runQuery } from '../../../test/worker/run-query'
import type { ScopeWire } from '../../identity/scope'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { Calendar } from '../../shared/dates'

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

function check(sql: SqlStorage, tables: NaiveTable[], asks: QueryInput[]): void {
  const catalogue = storeTables(tables, EDGES)
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.guard ? [ask.guard] : [] }
    checkOne({ sql, catalogue, scope, plan: ask.plan, calendar: ask.calendar, now: 0 }, { tables, ask })
  }
}

function checkOne(
  request: Parameters<typeof runQuery>[0],
  { tables, ask }: { tables: NaiveTable[]; ask: QueryInput },
): void {
  const { plan, calendar, guard } = ask
  const result = unwrap(runQuery(request))
  const naive = naiveAnswer({ tables: visible(tables, ask), edges: EDGES, calendar }, plan)
  if (isNaiveAnswer(result, naive, plan)) return
  const told = { ...bothAnswers(result, naive, plan), plan, calendar, guard }
  throw new Error(`differs:\n${JSON.stringify(told)}\n${JSON.stringify(tables)}`)
}

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans over related rows as a naive evaluator does (INJ-8, part %i of ${PARTS})`,
  async (part) => {
    const ask = fc.record({ plan: relatedPlans, calendar: calendars, guard: guards })
    const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
    let answered = 0
    await inSqlite(`random-joins-${part}`, (sql) => {
      const property = fc.property(relatedTables, asks, (tables, each) => {
        check(sql, tables, each)
        answered += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true })
    })
    expect(answered).toBe(PLANS)
  },
  HANG_MS,
)
