import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { naiveAnswer } from '../../../../test/worker/naive/evaluator'
import type { NaiveTable } from '../../../../test/worker/naive/values'
import { visible } from '../../../../test/worker/naive/visible'
import { EDGES, guards, relatedPlans, relatedTables } from '../../../../test/worker/random/joins'
import { calendars } from '../../../../test/worker/random/plans'
import { isSameFigure, toReadableRows } from '../../../../test/worker/compare-figures'
import { EVERYTHING, inSqlite, tableOf } from '../../../../test/worker/warehouse-rows'
import {
  columnsIn,
  columnTableOf,
  countingRows,
  withoutDictionary,
  withoutFigures,
} from '../../../../test/worker/column-tables'
import { runQuery } from '../../../../test/worker/run-query'
import type { ScopeWire } from '../../../identity/scope'
import { clearResultCache } from '../result-cache'
import type { QueryRequest } from '../request'
import type { QueryResult } from '../../../shared/query/result'
import type { ColumnTable } from '../../columns/column-table'
import { unwrap } from '../../../shared/errors'
import type { QueryPlan } from '../../../shared/query/plan'
import type { LiveDataset } from '../../physical-layout'
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
  const kept = new Map<string, ColumnTable>()
  const live = tables.map((table): LiveDataset => {
    const stored = table.columns.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))
    const rows = table.rows.map((row) => stored.map(({ at }) => row[at] ?? null))
    const columns = stored.map(({ column }) => column)
    kept.set(table.id, columnTableOf(columns, rows, 3, withoutDictionary(columns, rows)))
    return { ...tableOf(sql, columns, rows, 7), id: table.id, name: table.id, columns: table.columns }
  })
  const catalogue = { find: (id: string) => live.find((dataset) => dataset.id === id) ?? null, edges: EDGES }
  let fromColumns = 0
  for (const ask of asks) {
    const scope = { ...EVERYTHING, rowFilters: ask.guard ? [ask.guard] : [] }
    const { plan, calendar } = ask
    const request = { sql, catalogue, scope, plan, calendar, now: 0 }
    const told = checkOne(request, { tables, ask })
    clearResultCache(sql)
    const counting = countingRows(sql)
    const columns = columnsIn(sql, ({ id }) => kept.get(id) ?? null)
    expect(checkOne({ ...request, sql: counting.sql, columns }, { tables, ask })).toEqual(told)
    if (counting.asked() === 0) fromColumns += 1
  }
  for (const { tableSet, layout } of live)
    layout.forEach((_, group) => sql.exec(`DROP TABLE t${tableSet}${group === 0 ? '' : `_${group}`}`))
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
  const offset = plan.offset ?? 0
  const page = naive.rows.slice(offset, offset + (plan.limit ?? Infinity))
  const right =
    result.rowCount === naive.rows.length &&
    result.rows.length === page.length &&
    page.every((cells, i) => cells.every((cell, n) => isSameFigure(result.rows[i]?.[n], cell))) &&
    naive.totals.every((cell, n) => isSameFigure(result.totals?.[n], cell))
  if (right) return withoutFigures(result)
  const got = { n: result.rowCount, rows: result.rows, totals: result.totals }
  const wanted = { n: naive.rows.length, rows: toReadableRows(page), totals: toReadableRows([naive.totals]) }
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
