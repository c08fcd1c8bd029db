import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { visible } from '../../../test/worker/naive/visible'
import {
  COMPOSITE_EDGES,
  EDGES,
  rulesOfAccess,
  relatedPlans,
  relatedTables,
  withCompositeKeys,
} from '../../../test/worker/random/joins'
import { calendars } from '../../../test/worker/random/plans'
import { bothAnswers, isNaiveAnswer, storeTables } from '../../../test/worker/random/stored-tables'
import { columnsIn, EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { seedOf } from '../../../test/seed'
import { runQuery } from '../../../test/worker/run-query'
import { MEMORY } from '../columns/memory'
import type { RowRule } from '../../scope'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { Calendar } from '../../shared/dates'

const LONG = env['LONG'] === '1'
/** 80 plans, or 100 000: in parts, so that each stays well within a test's time. */
const PARTS = LONG ? 20 : 1
const PLANS = LONG ? 5_000 : 80
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 240_000

interface QueryInput {
  plan: QueryPlan
  calendar: Calendar
  rules: RowRule[]
  /** What vectors and what is held of related rows may take. */
  vectorBytes: number
}

/** Keys of one column, and of two. */
const KEYS = {
  one: { of: (tables: NaiveTable[]) => tables, edges: EDGES },
  two: { of: withCompositeKeys, edges: COMPOSITE_EDGES },
}
type Keys = (typeof KEYS)[keyof typeof KEYS]

/** Answers how many were refused for want of memory. */
function check(sql: SqlStorage, given: { tables: NaiveTable[]; keys: Keys }, asks: QueryInput[]): number {
  const { edges } = given.keys
  const tables = given.keys.of(given.tables)
  const catalogue = storeTables(tables, edges)
  let refused = 0
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.rules }
    const columns = { ...columnsIn(sql), memory: { ...MEMORY, vectorBytes: ask.vectorBytes } }
    const request = { sql, catalogue, columns, scope, plan: ask.plan, calendar: ask.calendar, now: 0 }
    refused += Number(!checkOne(request, { tables, edges, ask }))
  }
  return refused
}

function checkOne(
  request: Parameters<typeof runQuery>[0],
  { tables, edges, ask }: { tables: NaiveTable[]; edges: Keys['edges']; ask: QueryInput },
): boolean {
  const { plan, calendar, rules, vectorBytes } = ask
  const outcome = runQuery(request)
  const isRefused = !outcome.ok && outcome.error.code === 'query_too_complex'
  if (isRefused && outcome.error.details?.['max'] === vectorBytes && vectorBytes !== MEMORY.vectorBytes) return false
  const result = unwrap(outcome)
  const naive = naiveAnswer({ tables: visible(tables, { ...ask, edges }), edges, calendar }, plan)
  if (isNaiveAnswer(result, naive, plan)) return true
  const told = { ...bothAnswers(result, naive, plan), plan, calendar, rules, vectorBytes }
  throw new Error(`differs:\n${JSON.stringify(told)}\n${JSON.stringify(tables)}`)
}

const asksWith = (vectorBytes: fc.Arbitrary<number>): fc.Arbitrary<QueryInput[]> =>
  fc.array(fc.record({ plan: relatedPlans, calendar: calendars, rules: rulesOfAccess, vectorBytes }), {
    minLength: PLANS_PER_DATASET,
    maxLength: PLANS_PER_DATASET,
  })

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans over related rows as a naive evaluator does (INJ-8, part %i of ${PARTS})`,
  async (part) => {
    let answered = 0
    await inSqlite(`random-joins-${part}`, (sql) => {
      const property = fc.property(relatedTables, asksWith(fc.constant(MEMORY.vectorBytes)), (tables, each) => {
        check(sql, { tables, keys: KEYS.one }, each)
        answered += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
    })
    expect(answered).toBe(PLANS)
  },
  HANG_MS,
)

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random plans over rows related by two columns as a naive evaluator does (part %i of ${PARTS})`,
  async (part) => {
    let answered = 0
    await inSqlite(`random-joins-composite-${part}`, (sql) => {
      const property = fc.property(relatedTables, asksWith(fc.constant(MEMORY.vectorBytes)), (tables, each) => {
        check(sql, { tables, keys: KEYS.two }, each)
        answered += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
    })
    expect(answered).toBe(PLANS)
  },
  HANG_MS,
)

it(
  `answers ${PLANS} random plans in little memory, or refuses them with what may be held`,
  async () => {
    let [asked, refused] = [0, 0]
    await inSqlite('random-joins-little', (sql) => {
      const property = fc.property(relatedTables, asksWith(fc.integer({ min: 500, max: 16_000 })), (tables, each) => {
        refused += check(sql, { tables, keys: asked % 40 === 0 ? KEYS.one : KEYS.two }, each)
        asked += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
    })
    expect(refused).toBeGreaterThan(0)
    expect(asked).toBeGreaterThan(refused * 2)
  },
  HANG_MS,
)
