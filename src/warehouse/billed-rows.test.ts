import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { column, warehouse } from '../../test/worker/warehouse-driver'
import { RowBatcher } from '../sync/row-batcher'
import { unwrap } from '../shared/errors'
import type { QueryPlan } from '../shared/query/plan'

/** What the platform bills of an object's statements. */
interface BilledRows {
  written: number
  read: number
}

/** SQL whose cursors are counted. A cursor goes on counting until all of its rows were taken. */
function billedRows(sql: SqlStorage): { sql: SqlStorage; take(): BilledRows } {
  let cursors: SqlStorageCursor<Record<string, SqlStorageValue>>[] = []
  const counting = new Proxy(sql, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return (text: string, ...values: SqlStorageValue[]) => {
        const cursor = target.exec(text, ...values)
        cursors.push(cursor)
        return cursor
      }
    },
  })
  const take = (): BilledRows => {
    const billed = { written: 0, read: 0 }
    for (const { rowsWritten, rowsRead } of cursors) {
      billed.written += rowsWritten
      billed.read += rowsRead
    }
    cursors = []
    return billed
  }
  return { sql: counting, take }
}

const ROWS = env.LONG === '1' ? 1_000_000 : 50_000
/** Bytes of such rows that one stretch of a load has, in rows. */
const SEGMENT_ROWS = 185_000
const columns = [
  ...[column(0, 'integer'), column(1, 'date'), column(2), column(3), column(4), column(5), column(6)],
  ...[column(7, 'integer'), column(8, 'number:2'), column(9, 'number:2'), column(10, 'number:2')],
]
const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' } as const

/** An order line of eleven values. */
function cells(n: number): (string | number)[] {
  const amount = 10_000 + ((n * 7_919) % 700_000)
  const words = [`Customer ${1 + ((n * 31) % 20_000)}`, `Region ${n % 8}`, `Item ${1 + ((n * 17) % 2_000)}`]
  return [
    n,
    19_000 + (n % 1_095),
    ...words,
    `Group ${n % 9}`,
    `Channel ${n % 3}`,
    1 + (n % 12),
    490,
    amount,
    amount >> 1,
  ]
}

async function load(w: ReturnType<typeof warehouse>): Promise<string> {
  const begin = w.spec({ columns, rows: [] })
  const { fence } = unwrap(await w.stub().beginLoad(w.scope, begin))
  const at = { runId: begin.runId, fence }
  for (let from = 0; from < ROWS; from += SEGMENT_ROWS) {
    const writer = await w.segmentWriter({ ...at, segment: from / SEGMENT_ROWS })
    const batcher = new RowBatcher(columns, 0)
    for (let n = from; n < Math.min(ROWS, from + SEGMENT_ROWS); n += 1) {
      batcher.add({ ok: true, values: cells(n) }, n)
      await writer.stage(batcher.takeFull())
    }
    await writer.stage(batcher.takeRest())
  }
  unwrap(await w.stub().finishLoad(w.scope, at))
  return begin.datasetId
}

it('are few for a load and for a first question, however many rows there are', async ({ task }) => {
  const w = warehouse()
  const billed = await w.inside(({ context }) => {
    const counting = billedRows(context.sql)
    Object.assign(context, { sql: counting.sql })
    return counting
  })
  const datasetId = await load(w)
  const loaded = billed.take()
  const field = (key: 'c2' | 'c9') => ({ dataset: datasetId, column: key })
  const plan: QueryPlan = {
    ...{ v: 2, kind: 'aggregate', filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field: field('c9') }],
    dimensions: [{ field: field('c2') }],
    limit: 10,
  }
  expect(unwrap(await w.stub().query(w.scope, { plan, calendar })).rows).toHaveLength(10)
  const asked = billed.take()
  // The benchmark reads them in the report.
  Object.assign(task.meta, { billed: { rows: ROWS, loaded, asked } })
  expect(loaded.written).toBeLessThanOrEqual(1_000)
  expect(asked.read).toBeLessThanOrEqual(500)
})
