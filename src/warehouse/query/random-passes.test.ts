import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { columnsIn, columnTableOf, countingRows, withoutDictionary } from '../../../test/worker/column-tables'
import { isSameFigure, toReadableRows } from '../../../test/worker/compare-figures'
import { naiveAnswer } from '../../../test/worker/naive/evaluator'
import { aggregatePlans, calendars, COLUMNS, datasets } from '../../../test/worker/random/plans'
import { runQuery } from '../../../test/worker/run-query'
import { seedOf } from '../../../test/seed'
import { DATASET, EVERYTHING, inSqlite, tableOf } from '../../../test/worker/warehouse-rows'
import { clearResultCache } from './result-cache'
import { MEMORY, type MemoryBounds } from '../columns/memory'
import { unwrap } from '../../shared/errors'
import type { Calendar } from '../../shared/dates'
import type { QueryPlan } from '../../shared/query/plan'
import type { StorageValue } from '../../lib/storage-value'

const LONG = env['LONG'] === '1'
const DATASETS = LONG ? 500 : 6
const PLANS = 12
const HANG_MS = LONG ? 1_200_000 : 180_000
const ROWS_PER_CHUNK = 7

/** So little memory that answers take many passes. */
const bounds: fc.Arbitrary<MemoryBounds> = fc.record({
  groups: fc.integer({ min: 1, max: 6 }),
  cells: fc.integer({ min: 40, max: 120 }),
  values: fc.integer({ min: 1, max: 8 }),
  pairs: fc.integer({ min: 1, max: 8 }),
  marks: fc.integer({ min: 0, max: 30 }),
  texts: fc.integer({ min: 1, max: 6 }),
  textBytes: fc.integer({ min: 400, max: 2_000 }),
  numbers: fc.integer({ min: 30 * ROWS_PER_CHUNK, max: 64 * ROWS_PER_CHUNK }),
})

interface Asked {
  plan: QueryPlan
  calendar: Calendar
}

/** Answers how many chunks were read. */
function answered(
  sql: SqlStorage,
  { plan, calendar, rows, memory }: Asked & { rows: StorageValue[][]; memory: MemoryBounds },
): number {
  const dataset = tableOf(sql, COLUMNS, [])
  const stored = columnTableOf(COLUMNS, rows, ROWS_PER_CHUNK, withoutDictionary(COLUMNS, rows))
  let reads = 0
  const table: typeof stored = {
    ...stored,
    read(key, chunk) {
      reads += 1
      return stored.read(key, chunk)
    },
  }
  const counting = countingRows(sql)
  clearResultCache(sql)
  const catalogue = { find: () => ({ ...dataset, rowCount: rows.length, bounds: boundsOf(rows) }), edges: [] }
  const columns = { ...columnsIn(sql, () => table), memory }
  const result = unwrap(runQuery({ sql: counting.sql, plan, calendar, now: 0, catalogue, scope: EVERYTHING, columns }))
  expect(counting.asked()).toBe(0)
  const naive = naiveAnswer({ tables: [{ id: DATASET, columns: COLUMNS, rows }], edges: [], calendar }, plan)
  const offset = plan.offset ?? 0
  const page = naive.rows.slice(offset, offset + (plan.limit ?? Infinity))
  const isRight =
    result.rowCount === naive.rows.length &&
    result.rows.length === page.length &&
    page.every((cells, i) => cells.every((cell, n) => isSameFigure(result.rows[i]?.[n], cell))) &&
    naive.totals.every((cell, n) => isSameFigure(result.totals?.[n], cell))
  const told = { plan, calendar, memory, rows, got: result.rows, totals: result.totals, wanted: toReadableRows(page) }
  if (!isRight) throw new Error(`differs:\n${JSON.stringify(told)}`)
  return reads
}

/** As loads tell them. */
function boundsOf(rows: readonly StorageValue[][]) {
  return Object.fromEntries(
    COLUMNS.flatMap(({ key, type }, at) => {
      if (type === 'text' || type === 'boolean') return []
      const own = rows.flatMap((row) => (typeof row[at] === 'number' ? [row[at]] : []))
      return [[key, own.length === 0 ? { min: null, max: null } : { min: Math.min(...own), max: Math.max(...own) }]]
    }),
  )
}

it(
  `answers ${DATASETS * PLANS} random plans in as little memory as there may be`,
  async () => {
    let [few, many] = [0, 0]
    const asks = fc.array(fc.record({ plan: aggregatePlans, calendar: calendars }), {
      minLength: PLANS,
      maxLength: PLANS,
    })
    await inSqlite('random-passes', (sql) => {
      fc.assert(
        fc.property(datasets, asks, bounds, (rows, each, memory) => {
          for (const ask of each) {
            few += answered(sql, { ...ask, rows, memory: MEMORY })
            many += answered(sql, { ...ask, rows, memory })
          }
        }),
        { numRuns: DATASETS, endOnFailure: true, seed: seedOf(LONG) },
      )
    })
    expect(many).toBeGreaterThan(few * 3)
  },
  HANG_MS,
)
