import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../../test/worker/naive/values'
import { visible } from '../../../../test/worker/naive/visible'
import { groupedPlans, groupedPlansOver } from '../../../../test/worker/random/grouped'
import { EDGES, fieldsFor, guards, LINES, ORDERS, PAYMENTS, relatedTables } from '../../../../test/worker/random/joins'
import { calendars, COLUMNS, datasets, ownGuards } from '../../../../test/worker/random/plans'
import { isSameFigure, toReadableRows } from '../../../../test/worker/compare-figures'
import { DATASET, EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import { withoutDictionary } from '../../../../test/worker/column-tables'
import { runQuery } from '../../../../test/worker/run-query'
import { unwrap } from '../../../shared/errors'
import type { Calendar } from '../../../shared/dates'
import type { QueryPlan } from '../../../shared/query/plan'
import type { ScopeWire } from '../../../identity/scope'
import type { RelationEdge } from '../../query/plan/relation-graph'

const LONG = env['LONG'] === '1'
const PLANS = LONG ? 20_000 : 60
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 1_200_000 : 180_000

interface Question {
  plan: QueryPlan
  calendar: Calendar
  guard: ScopeWire['rowFilters'][number] | null
}

function check(sql: SqlStorage, { tables, edges }: { tables: NaiveTable[]; edges: RelationEdge[] }, asks: Question[]) {
  const live = tables.map((table) => {
    const stored = table.columns.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))
    const rows = table.rows.map((row) => stored.map(({ at }) => row[at] ?? null))
    const columns = stored.map(({ column }) => column)
    const kept = tableOf(columns, rows, { perChunk: 5, texts: withoutDictionary(columns, rows) })
    return { ...kept, id: table.id, name: table.id, columns: table.columns }
  })
  const catalogue = { find: (id: string) => live.find((dataset) => dataset.id === id) ?? null, edges }
  for (const { plan, calendar, guard } of asks) {
    const scope = { ...EVERYTHING, rowFilters: guard ? [guard] : [] }
    const result = unwrap(runQuery({ sql, catalogue, scope, plan, calendar, now: 0 }))
    const naive = naiveAnswer({ tables: visible(tables, { guard, calendar }), edges, calendar }, plan)
    const offset = plan.offset ?? 0
    const page = naive.rows.slice(offset, offset + (plan.limit ?? Infinity))
    const right =
      result.rowCount === naive.rows.length &&
      result.rows.length === page.length &&
      page.every((cells, i) => cells.every((cell, n) => isSameFigure(result.rows[i]?.[n], cell))) &&
      naive.totals.every((cell, n) => isSameFigure(result.totals?.[n], cell))
    if (right) continue
    const got = { n: result.rowCount, rows: result.rows, totals: result.totals }
    const wanted = { n: naive.rows.length, rows: toReadableRows(page), totals: toReadableRows([naive.totals]) }
    throw new Error(`differs:\n${JSON.stringify({ got, wanted, plan, calendar, guard })}\n${JSON.stringify(tables)}`)
  }
}

async function answers(
  name: string,
  world: { tables: fc.Arbitrary<NaiveTable[]>; edges: RelationEdge[] },
  ask: fc.Arbitrary<Question>,
): Promise<void> {
  const asks = fc.array(ask, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
  let answered = 0
  await inSqlite(name, (sql) => {
    const property = fc.property(world.tables, asks, (tables, each) => {
      check(sql, { tables, edges: world.edges }, each)
      answered += each.length
    })
    fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true })
  })
  expect(answered).toBe(PLANS)
}

it(
  `answers ${PLANS} random plans with figures over groups as a naive evaluator does`,
  () =>
    answers(
      'random-grouped',
      { tables: datasets.map((rows) => [{ id: DATASET, columns: COLUMNS, rows }]), edges: [] },
      fc.record({ plan: groupedPlans, calendar: calendars, guard: ownGuards }),
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
        guard: guards,
      }),
    ),
  HANG_MS,
)
