import { withoutDictionary } from '../column-tables'
import { isSameFigure, toReadableRows } from '../compare-figures'
import type { NaiveAnswer } from '../naive/evaluator'
import type { NaiveTable } from '../naive/values'
import { tableOf } from '../warehouse-rows'
import type { RowRule } from '../../../src/scope'
import type { Calendar } from '../../../src/shared/dates'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import type { LiveDataset } from '../../../src/warehouse/physical-layout'
import type { RelationEdge } from '../../../src/warehouse/query/plan/relation-graph'

/** A question of a random case, and the rules of access of who asks it. */
export interface RandomQuestion {
  plan: QueryPlan
  calendar: Calendar
  rules: RowRule[]
}

interface StoredTables {
  find: (id: string) => LiveDataset | null
  edges: RelationEdge[]
}

/** Tables of a random case as columns in memory, some texts without a dictionary; what is computed is stored nowhere. */
export function storeTables(tables: readonly NaiveTable[], edges: RelationEdge[], perChunk?: number): StoredTables {
  const live = tables.map(({ id, columns: all, rows: cells }): LiveDataset => {
    const kept = all.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))
    const rows = cells.map((row) => kept.map(({ at }) => row[at] ?? null))
    const columns = kept.map(({ column }) => column)
    const shape = { texts: withoutDictionary(columns, rows), ...(perChunk === undefined ? {} : { perChunk }) }
    return { ...tableOf(columns, rows, shape), id, name: id, columns: all }
  })
  return { find: (id) => live.find((dataset) => dataset.id === id) ?? null, edges }
}

/** The rows of the page that a plan asks for, of all that it has. */
export const pageOf = <Row>({ offset = 0, limit = Infinity }: QueryPlan, rows: readonly Row[]): Row[] =>
  rows.slice(offset, offset + limit)

/** Whether an answer is the naive one, cell by cell, totals included. */
export function isNaiveAnswer({ rows, rowCount, totals }: QueryResult, naive: NaiveAnswer, plan: QueryPlan): boolean {
  const page = pageOf(plan, naive.rows)
  return (
    rowCount === naive.rows.length &&
    rows.length === page.length &&
    page.every(
      (cells, i) => cells.length === rows[i]?.length && cells.every((cell, n) => isSameFigure(rows[i]?.[n], cell)),
    ) &&
    (plan.having ? totals === null : naive.totals.every((cell, n) => isSameFigure(totals?.[n], cell)))
  )
}

/** Both answers, for the message of a test that fails. */
export const bothAnswers = (result: QueryResult, naive: NaiveAnswer, plan: QueryPlan) => ({
  got: { n: result.rowCount, rows: result.rows, totals: result.totals },
  wanted: {
    n: naive.rows.length,
    rows: toReadableRows(pageOf(plan, naive.rows)),
    totals: toReadableRows([naive.totals]),
  },
})
