import { expect, it } from 'vitest'
import type { ColumnTable } from '../column-table'
import { runQuery } from '../../../../test/worker/run-query'
import {
  CALENDAR,
  column,
  columnsIn,
  DATASET,
  EVERYTHING,
  inSqlite,
  tableOf,
} from '../../../../test/worker/warehouse-rows'
import type { QueryResult } from '../../../shared/query/result'
import { queryPlanSchema } from '../../../shared/query/plan'
import { unwrap } from '../../../shared/errors'

const COLUMNS = [column(0, { type: 'text' }), column(1, { type: 'integer', role: 'measure' })]
const ROWS = ['a', 'b', null, 'a', 'c', 'b'].map((name, n) => [name, 2 ** n])
const at = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })

/** Sums by name, and how often the amounts of a chunk were read for that. */
const sumsByName = (topN?: number): Promise<{ rows: QueryResult['rows']; reads: number }> =>
  inSqlite('top-values', (sql) => {
    const plan = queryPlanSchema.parse({
      ...{ v: 3, kind: 'aggregate', filters: [], measures: [{ kind: 'column', agg: 'sum', field: at(1) }] },
      dimensions: [{ field: at(0), ...(topN ? { topN } : {}) }],
    })
    const dataset = tableOf(COLUMNS, ROWS, { perChunk: 2 })
    const columns = columnsIn(sql)
    let reads = 0
    const table = (of: Parameters<typeof columns.table>[0]): ColumnTable => {
      const stored = columns.table(of)
      return { ...stored, read: (key, chunk) => ((reads += Number(key === 'c1')), stored.read(key, chunk)) }
    }
    const request = { sql, columns: { ...columns, table }, catalogue: { find: () => dataset, edges: [] } }
    const { rows } = unwrap(runQuery({ ...request, scope: EVERYTHING, plan, calendar: CALENDAR, now: 0 }))
    return { rows, reads }
  })

it('ranks values only where there are more of them than are kept', async () => {
  const all = await sumsByName()
  expect(await sumsByName(4)).toEqual(all)
  expect(all).toEqual({
    reads: 3,
    rows: [
      ['b', 34],
      ['c', 16],
      ['a', 9],
      [null, 4],
    ],
  })
  const { rows, reads } = await sumsByName(2)
  expect(rows).toEqual([
    ['b', 34],
    ['c', 16],
    ['Other', 13],
  ])
  expect(reads).toBe(6)
})
