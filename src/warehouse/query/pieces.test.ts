import { expect, it } from 'vitest'
import { queryInSteps } from './run-query'
import { madeTable } from '../../../test/worker/column-tables'
import {
  CALENDAR,
  column,
  columnsIn,
  DATASET,
  EVERYTHING,
  inSqlite,
  tableOf,
} from '../../../test/worker/warehouse-rows'
import { queryPlanSchema, type Measure, type QueryPlanInput } from '../../shared/query/plan'
import type { QuerySteps } from '../scheduling/query-scheduler'
import type { QueryRequest } from './request'

const ROWS = 120_000
const COLUMNS = [column(0, { type: 'text' }), column(1, { type: 'date' }), column(2, { type: 'integer' })]
const WORDS = Array.from({ length: 20_000 }, (_, n) => `Customer ${n}`)
/** Every customer and day together is nearly a row. */
const TABLE = madeTable(ROWS, {
  c0: { valueAt: (row) => 1 + ((row * 7919) % WORDS.length), words: WORDS },
  c1: { valueAt: (row) => 19_000 + Math.floor(row / WORDS.length) * 100 + (row % 97) },
  c2: { valueAt: (row) => (row * 31) % 1009 },
})
const at = (index: number) => ({ dataset: DATASET, column: `c${index}` as const })
const median: Measure = { kind: 'column', agg: 'median', field: at(2) }

/** In how many pieces a plan is answered. */
const piecesOf = (given: Partial<QueryPlanInput>): Promise<number> =>
  inSqlite(`pieces-${JSON.stringify(given).length}`, (sql) => {
    const plan = queryPlanSchema.parse({ v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [], ...given })
    const dataset = { ...tableOf(COLUMNS, []), rowCount: ROWS, bounds: { c1: { min: 19_000, max: 19_600 } } }
    const columns = { ...columnsIn(sql), table: () => TABLE }
    function* ask(): QuerySteps<QueryRequest> {
      yield undefined
      return {
        ...{ sql, columns, plan, scope: EVERYTHING, calendar: CALENDAR, now: 0 },
        catalogue: { find: () => dataset, edges: [] },
      }
    }
    return Array.from(queryInSteps({ ask, written: () => 0 })).length
  })

it('answers with as many groups as rows in pieces of some thousand of them, folding and sorting included', async () => {
  const dimensions = [{ field: at(0) }, { field: at(1), grain: 'day' as const }]
  const sum: Measure = { ...median, agg: 'sum' }
  expect(await piecesOf({ measures: [median], dimensions })).toBeGreaterThan(80)
  expect(await piecesOf({ measures: [sum], dimensions })).toBeGreaterThan(30)
})

it('sorts the values of one large group in pieces', async () => {
  expect(await piecesOf({ measures: [median] })).toBeGreaterThan(10)
})

it('adds few columns up in one piece, as each pause takes longer than that', async () => {
  expect(await piecesOf({ measures: [{ ...median, agg: 'sum' }] })).toBeLessThan(6)
})
