import { columnsIn, columnTableOf, withoutDictionary } from '../column-tables'
import { isSameFigure } from '../compare-figures'
import type { NaiveAnswer } from '../naive/evaluator'
import type { NaiveTable } from '../naive/values'
import { tableOf } from '../warehouse-rows'
import type { QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import type { LiveDataset } from '../../../src/warehouse/physical-layout'
import type { ColumnSources } from '../../../src/warehouse/columns/column-table'

export interface StoredTables {
  find: (id: string) => LiveDataset | null
  /** The same rows by column. */
  columns: ColumnSources
  /** Takes the rows off again: many cases share one database. */
  drop: () => void
}

/** As narrow as is asked for, so that a case of few rows goes over the ends of tables and chunks. */
interface StoredShape {
  columnsPerTable: number
  rowsPerChunk: number
  /** Some text columns have no dictionary. */
  hasLongTexts: boolean
}

/** Tables of a random case as rows of an object's SQLite and as columns in memory; what is computed is stored nowhere. */
export function storeTables(sql: SqlStorage, tables: readonly NaiveTable[], shape: StoredShape): StoredTables {
  const stored = tables.map(({ id, columns: all, rows: cells }) => {
    const kept = all.flatMap((column, at) => (column.computed ? [] : [{ column, at }]))
    const rows = cells.map((row) => kept.map(({ at }) => row[at] ?? null))
    const columns = kept.map(({ column }) => column)
    const longTexts = shape.hasLongTexts ? withoutDictionary(columns, rows) : []
    return {
      dataset: { ...tableOf(sql, columns, rows, shape.columnsPerTable), id, name: id, columns: all },
      byColumn: columnTableOf(columns, rows, shape.rowsPerChunk, longTexts),
    }
  })
  const find = (id: string) => stored.find(({ dataset }) => dataset.id === id)
  return {
    find: (id) => find(id)?.dataset ?? null,
    columns: columnsIn(sql, ({ id }) => find(id)?.byColumn ?? null),
    drop: () => {
      for (const { tableSet, layout } of stored.map(({ dataset }) => dataset))
        layout.forEach((_, group) => sql.exec(`DROP TABLE t${tableSet}${group === 0 ? '' : `_${group}`}`))
    },
  }
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
    naive.totals.every((cell, n) => isSameFigure(totals?.[n], cell))
  )
}
