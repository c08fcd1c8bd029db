import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../../test/worker/naive/values'
import { visible } from '../../../../test/worker/naive/visible'
import { groupedPlans, groupedPlansOver } from '../../../../test/worker/random/grouped'
import {
  EDGES,
  fieldsFor,
  rulesOfAccess,
  LINES,
  ORDERS,
  PAYMENTS,
  relatedTables,
} from '../../../../test/worker/random/joins'
import { calendars, COLUMNS, datasets, ownRules } from '../../../../test/worker/random/plans'
import {
  bothAnswers,
  isNaiveAnswer,
  storeTables,
  type RandomQuestion,
} from '../../../../test/worker/random/stored-tables'
import { DATASET, EVERYTHING, inSqlite } from '../../../../test/worker/warehouse-rows'
import { runQuery } from '../../../../test/worker/run-query'
import { seedOf } from '../../../../test/seed'
import { unwrap } from '../../../shared/errors'
import type { RelationEdge } from '../../query/plan/relation-graph'

const LONG = env['LONG'] === '1'
const PLANS = LONG ? 20_000 : 40
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 180_000

function check(
  sql: SqlStorage,
  { tables, edges }: { tables: NaiveTable[]; edges: RelationEdge[] },
  asks: RandomQuestion[],
) {
  const catalogue = storeTables(tables, edges, 5)
  for (const { plan, calendar, rules } of asks) {
    const scope = { ...EVERYTHING, rowFilters: rules }
    const result = unwrap(runQuery({ sql, catalogue, scope, plan, calendar, now: 0 }))
    const naive = naiveAnswer({ tables: visible(tables, { rules, calendar, edges }), edges, calendar }, plan)
    if (isNaiveAnswer(result, naive, plan)) continue
    const told = { ...bothAnswers(result, naive, plan), plan, calendar, rules }
    throw new Error(`differs:\n${JSON.stringify(told)}\n${JSON.stringify(tables)}`)
  }
}

async function answers(
  name: string,
  planContext: { tables: fc.Arbitrary<NaiveTable[]>; edges: RelationEdge[] },
  ask: fc.Arbitrary<RandomQuestion>,
): Promise<void> {
  const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
  let answered = 0
  await inSqlite(name, (sql) => {
    const property = fc.property(planContext.tables, asks, (tables, each) => {
      check(sql, { tables, edges: planContext.edges }, each)
      answered += each.length
    })
    fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
  })
  expect(answered).toBe(PLANS)
}

it(
  `answers ${PLANS} random plans with figures over groups as a naive evaluator does`,
  () =>
    answers(
      'random-grouped',
      { tables: datasets.map((rows) => [{ id: DATASET, columns: COLUMNS, rows }]), edges: [] },
      fc.record({ plan: groupedPlans, calendar: calendars, rules: ownRules }),
    ),
  HANG_MS,
)
it(
  `answers ${PLANS} random plans with figures over groups of related rows as a naive evaluator does`,
  () =>
    answers(
      'random-grouped-joins',
      { tables: relatedTables, edges: EDGES },
      fc.record({
        plan: fc
          .constantFrom<string[][]>([ORDERS], [LINES], [ORDERS, PAYMENTS])
          .chain((facts) => groupedPlansOver(fieldsFor(facts))),
        calendar: calendars,
        rules: rulesOfAccess,
      }),
    ),
  HANG_MS,
)
