import { describe, expect, it, vi } from 'vitest'
import { convertDataset } from './convert-rows'
import { CHUNK_ROWS } from '../columns/chunk'
import { deleteChunks } from './segment-store'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { putEarlierSet } from '../../../test/worker/earlier-release'
import type { StorageValue } from '../../lib/storage-value'
import { ANSWER_MAX_MS } from '../scheduling/query-cost'
import { clearResultCache } from '../query/result-cache'
import { tableSetsOf } from '../tables'
import { unwrap } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'

type TestWarehouse = ReturnType<typeof warehouse>
const columns = [
  ...[column(0, 'text'), column(1, 'integer'), column(2, 'number:2'), column(3, 'text')],
  ...[column(4, 'boolean'), column(5, 'number'), column(6, 'date')],
]
/** So long that they are more than a dictionary holds. */
const long = (n: number): string => `${n} ${'å'.repeat(30_000)}`
const rowsOf = (from: number, to: number): StorageValue[][] =>
  Array.from({ length: to - from }, (_, i) => {
    const n = from + i
    const few = n % 5 === 0 ? null : `k${n % 7}`
    return [
      few,
      n,
      n % 11 === 0 ? null : n * 7,
      n % 9 === 8 ? null : long(n),
      n % 2,
      n / 3,
      n % 4 === 0 ? null : 20_000,
    ]
  })

/** What a dataset has lies as an earlier release kept it, with gaps where rows were taken out. */
const asEarlier = (w: TestWarehouse, datasetId: string, rows: Record<'live' | 'previous', StorageValue[][]>) =>
  w.inside(({ context }) => {
    for (const set of tableSetsOf(context, datasetId, ['live', 'previous'])) {
      deleteChunks(context, set.n)
      context.sql.exec('DELETE FROM table_sets WHERE n = ?', set.n)
      const kind = set.kind === 'live' ? 'live' : 'previous'
      const own = rows[kind]
      const numbers = own.map((_, i) => i * 400 + 3)
      const at = { n: set.n, datasetId, kind, tip: set.tip ?? 0, perTable: 3 } as const
      putEarlierSet(context, { ...at, columns: set.columns, bounds: set.bounds, rows: own, numbers })
    }
    context.sql.exec('UPDATE versions SET manifest = NULL WHERE dataset_id = ?', datasetId)
  })
const tablesOf = (w: TestWarehouse): Promise<string[]> =>
  w.inside(({ context }) =>
    context.sql
      .exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 't[0-9]*'")
      .toArray()
      .map(({ name }) => name),
  )
const isConverted = (w: TestWarehouse, datasetId: string): Promise<boolean> =>
  w.inside(({ context }) => tableSetsOf(context, datasetId, ['live', 'previous']).every(({ manifest }) => manifest))

const calendar = { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' } as const
function planOf(datasetId: string): QueryPlan {
  const field = (key: `c${number}`) => ({ dataset: datasetId, column: key })
  const of = (agg: 'sum' | 'countDistinct' | 'count', key: `c${number}`) =>
    ({ kind: 'column', agg, field: field(key) }) as const
  return {
    ...{ v: 2, kind: 'aggregate', filters: [], totals: true },
    measures: [of('sum', 'c2'), of('countDistinct', 'c3'), of('count', 'c6'), of('sum', 'c1')],
    dimensions: [{ field: field('c0') }],
    sort: [{ by: { dimension: 0 }, dir: 'asc' }],
  }
}
/** The same, of the rows themselves. */
function expected(rows: readonly StorageValue[][]): unknown[][] {
  const groups = Map.groupBy(rows, ([key]) => key ?? null)
  const filled = (own: readonly StorageValue[][], at: number) => own.flatMap((row) => row[at] ?? [])
  const sum = (values: StorageValue[], unit: number) =>
    values.length === 0 ? null : values.reduce<number>((total, value) => total + Number(value), 0) / unit
  return [...groups]
    .map(([key, own]) => [
      ...[key, sum(filled(own, 2), 100), new Set(filled(own, 3)).size, filled(own, 6).length],
      sum(filled(own, 1), 1),
    ])
    .toSorted(([a], [b]) => (a === null ? 1 : b === null ? -1 : String(a) < String(b) ? -1 : 1))
}

async function scene() {
  const w = warehouse()
  const [before, now] = [rowsOf(0, 5), rowsOf(0, 170)]
  const { datasetId } = await w.load({ columns, rows: before, batchRows: 20 })
  await w.load({ datasetId, columns, mode: 'replace', rows: now, batchRows: 20 })
  await asEarlier(w, datasetId, { live: now, previous: before })
  const answer = async (): Promise<unknown[][]> => {
    await w.inside(({ context }) => clearResultCache(context.sql))
    return unwrap(await w.stub().query(w.scope, { plan: planOf(datasetId), calendar })).rows
  }
  return { w, before, now, datasetId, answer }
}

describe('rows of an earlier release', () => {
  it('become chunks before they are answered from, and their tables go', async () => {
    const { w, before, now, datasetId, answer } = await scene()
    expect((await tablesOf(w)).length).toBe(6)
    expect(await answer()).toEqual(expected(now))
    await vi.waitUntil(() => isConverted(w, datasetId), { timeout: 20_000 })
    expect(await w.rows(datasetId)).toEqual(now)
    unwrap(await w.stub().sweep(w.scope))
    expect(await tablesOf(w)).toEqual([])
    expect(await answer()).toEqual(expected(now))
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: 1, runId: `run_${datasetId}` }))
    expect(await w.rows(datasetId)).toEqual(before)
    expect(await answer()).toEqual(expected(before))
  })

  it('are written on from where a life of the object ended amid it', async () => {
    const { w, now, datasetId, answer } = await scene()
    await w.inside(async ({ context }) => {
      const pause = () => Promise.resolve()
      const [live] = tableSetsOf(context, datasetId, ['live'])
      const written = 'SELECT count(*) AS n FROM column_chunks WHERE table_set = ?'
      context.pause = async () => {
        if (context.sql.exec<{ n: number }>(written, live?.n).one().n > 0) throw new Error('killed')
      }
      await expect(convertDataset(context, datasetId)).rejects.toThrow('killed')
      context.pause = pause
      // What was written is not read again.
      context.sql.exec(`UPDATE t${live?.n} SET c1 = -1 WHERE r <= ${CHUNK_ROWS}`)
      await convertDataset(context, datasetId)
    })
    expect(await w.rows(datasetId)).toEqual(now)
    expect(await answer()).toEqual(expected(now))
  })

  it('are refused for now where that takes longer than an answer may, and answered later', async () => {
    const { w, now, datasetId, answer } = await scene()
    const refused = await w.inside(async (object) => {
      const { context } = object
      const { clock } = context
      const pause = () => Promise.resolve()
      let late = 0
      context.clock = { now: () => clock.now() + late }
      context.pause = async () => {
        await pause()
        late += ANSWER_MAX_MS + 1
      }
      const outcome = await object.query(w.scope, { plan: planOf(datasetId), calendar })
      Object.assign(context, { clock, pause })
      return outcome
    })
    expect(refused).toMatchObject({ ok: false, error: { code: 'busy', details: { retryAfter: expect.any(Number) } } })
    await vi.waitUntil(() => isConverted(w, datasetId), { timeout: 20_000 })
    expect(await answer()).toEqual(expected(now))
  })

  it('are waited for in the queue, which the question leaves when nobody waits for it', async () => {
    const { w, now, datasetId, answer } = await scene()
    const refused = await w.inside(async (object) => {
      const { context } = object
      const pause = () => Promise.resolve()
      const held = Promise.withResolvers<void>()
      context.pause = () => held.promise
      const asked = object.query(w.scope, { plan: planOf(datasetId), calendar, ticket: 't1' })
      await object.cancelQuery(w.scope, 't1')
      const outcome = await asked
      context.pause = pause
      held.resolve()
      return outcome
    })
    expect(refused).toMatchObject({ ok: false, error: { code: 'busy', message: 'Query cancelled.' } })
    expect(await answer()).toEqual(expected(now))
  })

  it('become chunks before a load adds to them', async () => {
    const { w, now, datasetId, answer } = await scene()
    const more: Cell[][] = rowsOf(160, 200)
    const { rowCount } = await w.load({
      datasetId,
      columns,
      mode: 'upsert',
      keyColumns: ['c1'],
      rows: more,
      batchRows: 20,
    })
    const after = [...now.slice(0, 160), ...rowsOf(160, 200)]
    expect(rowCount).toBe(200)
    expect(await w.rows(datasetId)).toEqual(after)
    expect(await answer()).toEqual(expected(after))
    await vi.waitUntil(() => isConverted(w, datasetId), { timeout: 20_000 })
    unwrap(await w.stub().sweep(w.scope))
    expect(await tablesOf(w)).toEqual([])
  })
})
