import { expect } from 'vitest'
import { columnsIn, columnTableOf, countingRows, withoutFigures } from './column-tables'
import { runQuery } from './run-query'
import { CALENDAR, DATASET, EVERYTHING, inSqlite, tableOf } from './warehouse-rows'
import { clearResultCache } from '../../src/warehouse/query/result-cache'
import { queryPlanSchema, type QueryPlanInput } from '../../src/shared/query/plan'
import type { QueryResult } from '../../src/shared/query/result'
import type { Calendar } from '../../src/shared/dates'
import type { Column } from '../../src/shared/data-sources/data-sources'
import type { SerializedError } from '../../src/shared/errors'
import type { StorageValue } from '../../src/lib/storage-value'

export interface BothQuestion {
  columns: Column[]
  rows: StorageValue[][]
  plan: Partial<QueryPlanInput>
  calendar?: Partial<Calendar>
}
type Outcome = { ok: true; value: QueryResult } | { ok: false; error: SerializedError }

/** Asks the rows, and columns in chunks of three rows; both must say the same, and columns must not ask the rows. */
export function askBoth(name: string, { columns, rows, plan, calendar }: BothQuestion): Promise<Outcome> {
  return inSqlite(name, (sql) => {
    const dataset = tableOf(sql, columns, rows)
    const request = {
      catalogue: { find: (id: string) => (id === DATASET ? dataset : null), edges: [] },
      scope: EVERYTHING,
      plan: queryPlanSchema.parse({
        ...{ v: 3, kind: 'aggregate', dataset: DATASET, dimensions: [], filters: [] },
        measures: [{ kind: 'column', agg: 'count' }],
        ...plan,
      }),
      calendar: { ...CALENDAR, ...calendar },
      now: 0,
    }
    const told = runQuery({ ...request, sql })
    if (!told.ok) return told
    clearResultCache(sql)
    const counting = countingRows(sql)
    const table = columnTableOf(columns, rows, 3)
    const found = runQuery({ ...request, sql: counting.sql, columns: columnsIn(sql, () => table) })
    if (!found.ok) throw new Error(`Columns refuse what rows answer: ${JSON.stringify(found.error)}`)
    expect({ rows: found.value.rows, totals: found.value.totals }).toEqual({
      rows: told.value.rows,
      totals: told.value.totals,
    })
    expect(withoutFigures(found.value)).toEqual(withoutFigures(told.value))
    expect(counting.asked()).toBe(0)
    return told
  })
}

export async function answerBoth(name: string, question: BothQuestion): Promise<QueryResult> {
  const outcome = await askBoth(name, question)
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.error))
  return outcome.value
}
