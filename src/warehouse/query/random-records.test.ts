import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveRecords } from '../../../test/worker/naive/records'
import type { NaiveTable } from '../../../test/worker/naive/values'
import { visible } from '../../../test/worker/naive/visible'
import {
  COMPOSITE_EDGES,
  CUSTOMERS,
  EDGES,
  fieldsFor,
  rulesOfAccess,
  LINES,
  ORDERS,
  relatedTables,
  withCompositeKeys,
} from '../../../test/worker/random/joins'
import { calendars } from '../../../test/worker/random/plans'
import { recordPlansOver } from '../../../test/worker/random/records'
import { isSameFigure } from '../../../test/worker/compare-figures'
import { pageOf, storeTables, type RandomQuestion } from '../../../test/worker/random/stored-tables'
import { EVERYTHING, inSqlite } from '../../../test/worker/warehouse-rows'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import type { QueryResult } from '../../shared/query/result'
import { unwrap } from '../../shared/errors'

const LONG = env['LONG'] === '1'
/** 100 plans, or 100 000: in parts, so that each stays well within a test's time. */
const PARTS = LONG ? 20 : 1
const PLANS = LONG ? 5_000 : 60
const PLANS_PER_DATASET = 20
const HANG_MS = LONG ? 3_600_000 : 240_000

interface Related {
  tables: NaiveTable[]
  edges: typeof EDGES
}

function check(sql: SqlStorage, { tables, edges }: Related, asks: RandomQuestion[]): void {
  const catalogue = storeTables(tables, edges)
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.rules }
    const request = { sql, catalogue, scope, plan: ask.plan, calendar: ask.calendar, now: 0 }
    checkNaive(unwrap(runQuery(request)), { tables, edges }, ask)
  }
}

function checkNaive({ rows, rowCount }: QueryResult, { tables, edges }: Related, ask: RandomQuestion): void {
  const { plan, calendar } = ask
  const all = naiveRecords({ tables: visible(tables, { ...ask, edges }), edges, calendar }, plan)
  const page = pageOf(plan, all)
  const right =
    rowCount === all.length &&
    rows.length === page.length &&
    page.every((cells, i) =>
      cells.every((cell, n) => (cell === undefined ? rows[i]?.[n] !== null : isSameFigure(rows[i]?.[n], cell))),
    )
  if (!right) throw new Error(`differs:\n${JSON.stringify({ rowCount, rows, ask, tables })}`)
}

const questions = fc
  .constantFrom(ORDERS, LINES, CUSTOMERS)
  .chain((home) => fc.record({ plan: recordPlansOver(fieldsFor([home])), calendar: calendars, rules: rulesOfAccess }))

it.each(Array.from({ length: PARTS }, (_, i) => i + 1))(
  `answers ${PLANS} random questions for records as a naive evaluator does (part %i of ${PARTS})`,
  async (part) => {
    let answered = 0
    await inSqlite(`random-records-${part}`, (sql) => {
      const asks = fc.array(questions, { minLength: PLANS_PER_DATASET, maxLength: PLANS_PER_DATASET })
      const property = fc.property(relatedTables, asks, (tables, each) => {
        // Every other one is related by two columns.
        const isComposite = (answered / PLANS_PER_DATASET) % 2 === 1
        if (isComposite) check(sql, { tables: withCompositeKeys(tables), edges: COMPOSITE_EDGES }, each)
        else check(sql, { tables, edges: EDGES }, each)
        answered += each.length
      })
      fc.assert(property, { numRuns: PLANS / PLANS_PER_DATASET, endOnFailure: true, seed: seedOf(LONG) })
    })
    expect(answered).toBe(PLANS)
  },
  HANG_MS,
)
