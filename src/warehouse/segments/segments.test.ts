import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { queryCatalogue } from '../query-catalogue'
import { findTableSet } from '../tables'
import { decodeCodes, decodeNumbers } from '../columns/chunk'
import { fillColumns } from './fill-columns'
import { columnSources, KeptWords, storedColumns } from './stored-columns'
import { NeedsRows } from '../columns/column-table'
import type { AskedQuery } from '../contract'
import { unwrap } from '../../shared/errors'

const columns = [column(0, 'text'), column(1, 'integer'), column(2, 'number:2'), column(3, 'boolean')]
type TestWarehouse = ReturnType<typeof warehouse>

/** The rows of a dataset as its columns have them; null while they do not hold all of them. */
const fromColumns = (w: TestWarehouse, datasetId: string): Promise<SqlStorageValue[][] | null> =>
  w.inside((object) => {
    const { sql } = object.context
    const dataset = queryCatalogue(object.context, w.scope).find(datasetId)
    const table = dataset && storedColumns(sql, dataset, new KeptWords())
    if (!table) return null
    const read = dataset.columns.map(({ key, type }) =>
      table.chunks.flatMap((rows, chunk): SqlStorageValue[] => {
        if (type === 'text') {
          const codes = new Int32Array(rows)
          decodeCodes(table.read(key, chunk), codes)
          return [...codes].map((code) => table.words(key)[code - 1] ?? null)
        }
        const values = new Float64Array(rows)
        decodeNumbers(table.read(key, chunk), values)
        return [...values].map((value) => (Number.isNaN(value) ? null : value))
      }),
    )
    return Array.from({ length: table.rows }, (_, row) => read.map((cells) => cells[row] ?? null))
  })
const fill = (w: TestWarehouse, datasetId: string): Promise<void> =>
  w.inside(async (object) => {
    const dataset = queryCatalogue(object.context, w.scope).find(datasetId)
    const set = dataset && findTableSet(object.context, dataset.tableSet)
    if (set) await fillColumns(object.context, set)
  })
const filledChunks = (w: TestWarehouse): Promise<{ chunk: number; rows: number }[]> =>
  w.inside((object) =>
    object.context.sql
      .exec<{ chunk: number; rows: number }>('SELECT chunk, rows FROM row_chunks ORDER BY table_set, chunk')
      .toArray(),
  )

const row = fc.tuple(
  fc.option(fc.constantFrom('a', 'b', 'Åre', '', '"', '日本'), { nil: null }),
  fc.integer({ min: 0, max: 9 }),
  fc.option(fc.integer(), { nil: null }),
  fc.constantFrom(0, 1, null),
)
const rows = fc.array(row, { minLength: 1, maxLength: 12 })
interface Step {
  mode: 'append' | 'upsert' | 'replacePart' | 'replace'
  rows: Cell[][]
  back: boolean
  isFilled: boolean
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    mode: fc.constantFrom('append' as const, 'upsert' as const, 'replacePart' as const, 'replace' as const),
    rows,
    back: fc.boolean(),
    isFilled: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

const sumOfAmounts = (dataset: string): AskedQuery => ({
  plan: {
    ...{ v: 2, kind: 'aggregate', dimensions: [], filters: [] },
    measures: [{ kind: 'column', agg: 'sum', field: { dataset, column: 'c2' } }],
  },
  calendar: { timeZone: 'UTC', weekStart: 'monday', fiscalYearStart: 1, today: '2026-03-15' },
})

const amountsByText = async (w: TestWarehouse, dataset: string): Promise<unknown[][]> => {
  const { plan, calendar } = sumOfAmounts(dataset)
  const split = { ...plan, dimensions: [{ field: { dataset, column: 'c0' as const } }] }
  return unwrap(await w.stub().query(w.scope, { plan: split, calendar })).rows
}

describe('the columns of a dataset', () => {
  it('hold the rows of every version, or nothing, whatever was loaded, replaced and gone back over', async () => {
    const check = async (first: Cell[][], more: Step[]): Promise<void> => {
      const w = warehouse()
      const { datasetId } = await w.load({ columns, rows: first })
      expect(await fromColumns(w, datasetId)).toEqual(await w.rows(datasetId))
      for (const [n, step] of more.entries()) {
        const load = { datasetId, columns, mode: step.mode, rows: step.rows, keyColumns: ['c1' as const] }
        const { dataVersion } = await w.load(load)
        const seen = await fromColumns(w, datasetId)
        if (seen) expect(seen).toEqual(await w.rows(datasetId))
        if (step.isFilled) await fill(w, datasetId)
        if (!step.back) continue
        const to = { datasetId, dataVersion: dataVersion - 1, runId: `run_back_${datasetId}_${n}` }
        unwrap(await w.stub().rollback(w.scope, to))
        const back = await fromColumns(w, datasetId)
        if (back) expect(back).toEqual(await w.rows(datasetId))
      }
      await fill(w, datasetId)
      expect(await fromColumns(w, datasetId)).toEqual(await w.rows(datasetId))
    }
    await fc.assert(fc.asyncProperty(rows, steps, check), { numRuns: 8 })
  })

  it('hold what a load came to whose numbers have more decimals than their column, and whose texts are odd', async () => {
    const w = warehouse()
    const odd: Cell[][] = [
      ['a\u0000b', 1, [0.125], 1],
      ['half \ud83d', 2, 250, null],
      ['a', 3, [7.5], 0],
    ]
    const { datasetId } = await w.load({ columns, rows: odd, batchRows: 1, widened: [{ key: 'c2', decimals: 3 }] })
    const found = await fromColumns(w, datasetId)
    expect(found).not.toBeNull()
    expect(found).toEqual(await w.rows(datasetId))
  })

  it('hold the rows of a segment that was begun again, and of a load that went on in another life of the object', async () => {
    for (const isKilled of [false, true]) {
      const w = warehouse()
      const load = { columns, rows: [['a', 1, 100, 1]] satisfies Cell[][], contentHash: 'x' }
      const spec = w.spec(load)
      const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
      const at = { runId: spec.runId, fence }
      await w.stageAll(load, at)
      await w.stageAll({ ...load, rows: [['b', 2, 200, 0]] }, { ...at, segment: 1 })
      if (isKilled) await w.inside((_object, state) => state.abort('killed')).catch(() => undefined)
      const again: Cell[][] = [
        ['c', 3, 300, 0],
        ['d', 4, null, 0],
      ]
      await w.stageAll({ ...load, rows: again }, { ...at, segment: 1 })
      unwrap(await w.stub().finishLoad(w.scope, at))
      expect(await w.rows(spec.datasetId)).toEqual([['a', 1, 100, 1], ...again])
      expect(await fromColumns(w, spec.datasetId)).toEqual(await w.rows(spec.datasetId))
    }
  })

  it('are made anew only where rows were added or replaced', async () => {
    const w = warehouse()
    const rowsOf = (n: number): Cell[][] => Array.from({ length: n }, (_, i) => [`k${i % 90}`, i, i * 7, i % 2])
    const { datasetId } = await w.load({ columns, rows: rowsOf(70_000), batchRows: 10_000 })
    expect(await filledChunks(w)).toEqual([
      { chunk: 0, rows: 65_536 },
      { chunk: 1, rows: 4464 },
    ])
    await w.inside((object) => object.context.sql.exec('UPDATE column_chunks SET data = zeroblob(3) WHERE chunk = 0'))
    await w.load({ datasetId, columns, mode: 'append', rows: [['new', 70_000, null, 1]] })
    await fill(w, datasetId)
    const chunks = await filledChunks(w)
    expect(chunks).toEqual([
      { chunk: 0, rows: 65_536 },
      { chunk: 1, rows: 4465 },
    ])
    const touched = await w.inside((object) =>
      object.context.sql
        .exec<{ n: number }>('SELECT count(*) AS n FROM column_chunks WHERE chunk = 0 AND length(data) = 3')
        .one(),
    )
    expect(touched).toEqual({ n: 4 })
    await w.load({ datasetId, columns, mode: 'upsert', keyColumns: ['c1'], rows: [['other', 5, 1, 0]] })
    await fill(w, datasetId)
    expect(await fromColumns(w, datasetId)).toEqual(await w.rows(datasetId))
  })

  it('of an earlier release are made in the background, which answers from the rows until then', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({
      columns,
      rows: [
        ['a', 1, 100, 1],
        ['b', 2, 250, 0],
      ],
    })
    await w.inside((object) => {
      for (const table of ['row_chunks', 'column_chunks', 'column_words', 'column_texts'])
        object.context.sql.exec(`DELETE FROM ${table}`)
    })
    expect(unwrap(await w.stub().query(w.scope, sumOfAmounts(datasetId))).rows).toEqual([[3.5]])
    await vi.waitFor(async () => expect(await fromColumns(w, datasetId)).toEqual(await w.rows(datasetId)))
  })

  it('are made again when their bytes are damaged, and nothing is added up from these', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({
      columns,
      rows: [
        ['a', 1, 100, 1],
        ['b', 2, 250, 0],
      ],
    })
    await w.inside((object) =>
      object.context.sql.exec("UPDATE column_chunks SET data = zeroblob(length(data)) WHERE column_key = 'c2'"),
    )
    expect(unwrap(await w.stub().query(w.scope, sumOfAmounts(datasetId))).rows).toEqual([[3.5]])
    unwrap(
      await w.stub().query(w.scope, {
        ...sumOfAmounts(datasetId),
        calendar: { ...sumOfAmounts(datasetId).calendar, weekStart: 'sunday' },
      }),
    )
    await vi.waitFor(async () => expect(await fromColumns(w, datasetId)).toEqual(await w.rows(datasetId)))
  })

  it('send a question to the rows that waited while another threw them away as damaged', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: [['a', 1, 100, 1]] })
    const told = await w.inside((object) => {
      const { sql } = object.context
      const dataset = queryCatalogue(object.context, w.scope).find(datasetId)
      if (!dataset) throw new Error('the dataset is gone')
      const sources = columnSources(sql, { words: new KeptWords(), missing: () => undefined })
      const table = sources.table(dataset)
      if (!table) throw new Error('it is not kept in columns')
      const reads = [
        () => table.read('c2', 0),
        () => table.ends('c2', 0),
        () => table.words('c0'),
        () => table.readTexts('c0', { chunk: 0, row: 0 }),
      ]
      for (const read of reads.slice(0, 3)) read()
      sources.damaged(dataset)
      return reads.map((read) => {
        try {
          return read()
        } catch (error) {
          return error instanceof NeedsRows
        }
      })
    })
    expect(told).toEqual([true, true, true, true])
  })

  it('read their texts anew when their dictionary was made again', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({
      columns,
      rows: [
        ['a', 1, 100, 1],
        ['b', 2, 250, 0],
      ],
    })
    expect(await amountsByText(w, datasetId)).toEqual([
      ['b', 2.5],
      ['a', 1],
    ])
    const wider = [...columns, column(4, 'integer')]
    const replaced: Cell[][] = [['c', 1, 700, 1, 1]]
    await w.load({ datasetId, columns: wider, mode: 'upsert', keyColumns: ['c1'], rows: replaced })
    await fill(w, datasetId)
    expect(await fromColumns(w, datasetId)).not.toBeNull()
    expect(await amountsByText(w, datasetId)).toEqual([
      ['c', 7],
      ['b', 2.5],
    ])
  })

  it('go with the rows when these are let go', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: [['a', 1, 100, 1]] })
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: true }))
    for (const table of ['row_chunks', 'column_chunks', 'column_words', 'column_texts'])
      expect(await w.inside((object) => object.context.sql.exec(`SELECT count(*) AS n FROM ${table}`).one())).toEqual({
        n: 0,
      })
  })
})
