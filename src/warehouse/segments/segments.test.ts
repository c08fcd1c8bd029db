import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { column, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { batchesOf } from '../../../test/row-batches'
import { CHUNK_ROWS } from '../columns/chunk'
import { findDataset } from '../catalogue'
import type { LoadMode } from '../../shared/data-sources/data-sources'
import { unwrap } from '../../shared/errors'
import { findTableSet } from '../tables'
import type { ManifestChunk } from './manifest'

const columns = [column(0, 'text'), column(1, 'integer'), column(2, 'number:2'), column(3, 'boolean')]
type TestWarehouse = ReturnType<typeof warehouse>

const manifestOf = (w: TestWarehouse, datasetId: string): Promise<readonly ManifestChunk[]> =>
  w.inside(({ context }) => findTableSet(context, findDataset(context, datasetId)?.tableSet ?? null)?.manifest ?? [])
const countOf = (w: TestWarehouse, table: string): Promise<number> =>
  w.inside(({ context }) => context.sql.exec<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).one().n)

const row = fc.tuple(
  fc.option(fc.constantFrom('a', 'b', 'Åre', '', '"', '日本', 'a\0b'), { nil: null }),
  fc.integer({ min: 0, max: 9 }),
  fc.option(fc.integer(), { nil: null }),
  fc.constantFrom(0, 1, null),
)
const rows = fc.array(row, { minLength: 1, maxLength: 12 })
type Mode = Exclude<LoadMode, 'create'>
interface Step {
  mode: Mode
  rows: Cell[][]
  keyed: 'c0' | 'c1'
  /** Versions to go back by after the load; 0: none. */
  back: number
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    mode: fc.constantFrom('append' as const, 'upsert' as const, 'replacePart' as const, 'replace' as const),
    rows,
    keyed: fc.constantFrom('c0' as const, 'c1' as const),
    back: fc.nat({ max: 3 }),
  }),
  { minLength: 1, maxLength: 8 },
)

/** The rows after a load, by the meaning of its mode. */
function loaded(before: readonly Cell[][], { mode, rows: given, keyed }: Step): Cell[][] {
  const keyOf = (cells: Cell[]): Cell | undefined => cells[keyed === 'c0' ? 0 : 1]
  if (mode === 'replace') return given
  if (mode === 'append') return [...before, ...given]
  const keys = new Set(given.map(keyOf))
  const kept = before.filter((cells) => !keys.has(keyOf(cells)))
  const last = new Map(given.map((cells, at) => [keyOf(cells), at]))
  return [...kept, ...(mode === 'upsert' ? given.filter((cells, at) => last.get(keyOf(cells)) === at) : given)]
}

describe('the chunks of a dataset', () => {
  it('hold the rows of every version, whatever was loaded, replaced and gone back over', async () => {
    const check = async (first: Cell[][], more: Step[]): Promise<void> => {
      const w = warehouse()
      const { datasetId } = await w.load({ columns, rows: first })
      const states = new Map<number, Cell[][]>([[1, first]])
      let now = 1
      for (const [n, step] of more.entries()) {
        const load = { datasetId, columns, mode: step.mode, rows: step.rows, keyColumns: [step.keyed] }
        const { dataVersion, rowCount } = await w.load({ ...load, batchRows: 5 })
        states.set(dataVersion, loaded(states.get(now) ?? [], step))
        now = dataVersion
        expect(rowCount).toBe(states.get(now)?.length)
        expect(await w.rows(datasetId)).toEqual(states.get(now))
        const stored = unwrap(await w.stub().versions(w.scope, datasetId)).filter(
          ({ rollback }) => rollback === 'instant',
        )
        const to = stored[step.back]
        if (step.back === 0 || !to) continue
        const done = unwrap(
          await w
            .stub()
            .rollback(w.scope, { datasetId, dataVersion: to.dataVersion, runId: `run_back_${datasetId}_${n}` }),
        )
        states.set(done.dataVersion, states.get(to.dataVersion) ?? [])
        now = done.dataVersion
        expect(await w.rows(datasetId)).toEqual(states.get(now))
      }
    }
    await fc.assert(fc.asyncProperty(rows, steps, check), { numRuns: env.LONG === '1' ? 300 : 4 })
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
    }
  })

  it('are not made of rows that an earlier release staged, or that are damaged: the load says so and begins anew', async () => {
    const damages: [string, RegExp][] = [
      [`UPDATE staged_batches SET body = '[["a",1,100,1]]'`, /expired/],
      [
        "UPDATE staged_batches SET body = CAST(substr(body, 1, length(body) - 8) || x'ffffffffffffffff' AS BLOB)",
        /damaged/,
      ],
    ]
    for (const [damage, told] of damages) {
      const w = warehouse()
      const load = { columns, rows: [['a', 1, 100, 1]] satisfies Cell[][] }
      const spec = w.spec(load)
      const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
      const at = { runId: spec.runId, fence }
      await w.stageAll(load, at)
      await w.inside(({ context }) => void context.sql.exec(damage))
      await w.inside((_object, state) => state.abort('killed')).catch(() => undefined)
      const end = await w.stub().finishLoad(w.scope, at).catch(String)
      expect(JSON.stringify(end)).toMatch(told)
    }
  })

  it('are written once of the batches of one call that come to a chunk, and go on after a kill where the call ended', async () => {
    const w = warehouse()
    const rows = Array.from({ length: 50_000 }, (_, i): Cell[] => [`${i % 7}`, i, i, null])
    const batchesFrom = (from: number, to: number) => batchesOf(columns, rows.slice(from, to))
    const spec = w.spec({ columns, rows: [] })
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const at = { runId: spec.runId, fence, segment: 0 }
    const writer = await w.segmentWriter(at)
    await writer.stage([...batchesFrom(0, 8_000), ...batchesFrom(8_000, 40_000)])
    expect([await countOf(w, 'column_chunks'), await countOf(w, 'staged_batches')]).toEqual([columns.length, 0])
    await writer.stage(batchesFrom(40_000, 45_000))
    expect([await countOf(w, 'column_chunks'), await countOf(w, 'staged_batches')]).toEqual([columns.length, 1])
    await w.inside((_object, state) => state.abort('killed')).catch(() => undefined)
    const again = await w.segmentWriter(at)
    for (let from = 0; from < rows.length; from += 10_000) await again.stage(batchesFrom(from, from + 10_000))
    unwrap(await w.stub().finishLoad(w.scope, { runId: spec.runId, fence }))
    expect(await w.rows(spec.datasetId)).toEqual(rows)
  })

  it('are cut in a full chunk where a segment is tried again in batches that end elsewhere', async () => {
    const w = warehouse()
    const rowsOf = (mark: string, n: number): Cell[][] =>
      Array.from({ length: n }, (_, i) => [`${mark}${i % 7}`, i, i, null])
    const [first, second] = [rowsOf('first', 40_000), rowsOf('second', 40_000)]
    const spec = w.spec({ columns, rows: [] })
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const at = { runId: spec.runId, fence }
    await w.stageAll({ columns, rows: first, batchRows: 10_000 }, at)
    await w.stageAll({ columns, rows: second.slice(0, 35_000), batchRows: 10_000 }, { ...at, segment: 1 })
    expect(await countOf(w, 'column_chunks')).toBe(columns.length * 2)
    await w.stageAll({ columns, rows: second, batchRows: 12_000 }, { ...at, segment: 1 })
    unwrap(await w.stub().finishLoad(w.scope, at))
    expect(await w.rows(spec.datasetId)).toEqual([...first, ...second])
  })

  it('hold what the try came to whose end is known, where another one read more of the segment', async () => {
    const w = warehouse()
    const rowsOf = (mark: string, n: number): Cell[][] =>
      Array.from({ length: n }, (_, i) => [`${mark}${i % 7}`, i, i, null])
    const [first, longer, next] = [rowsOf('first', 40), rowsOf('second', 50), rowsOf('third', 20)]
    for (const isLast of [false, true]) {
      const spec = w.spec({ columns, rows: [] })
      const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
      const at = { runId: spec.runId, fence }
      const from = await w.stageAll({ columns, rows: first, batchRows: 10 }, at)
      await w.stageAll({ columns, rows: longer, batchRows: 10 }, { ...at, segment: 1, from })
      const end = await w.stageAll({ columns, rows: longer.slice(0, 33), batchRows: 11 }, { ...at, segment: 1, from })
      expect(end).toEqual({ staged: 73, rejected: 0 })
      const staged = isLast ? end : await w.stageAll({ columns, rows: next }, { ...at, segment: 2, from: end })
      unwrap(await w.stub().finishLoad(w.scope, { ...at, staged }))
      expect(await w.rows(spec.datasetId)).toEqual([...first, ...longer.slice(0, 33), ...(isLast ? [] : next)])
    }
  })

  it('are shared with the version before but for those at the end, and few after many small appends', async () => {
    const w = warehouse()
    const rowsOf = (from: number, n: number): Cell[][] =>
      Array.from({ length: n }, (_, i) => [`k${(from + i) % 90}`, from + i, (from + i) * 7, (from + i) % 2])
    const all = rowsOf(0, CHUNK_ROWS + 4464)
    const { datasetId } = await w.load({ columns, rows: all, batchRows: 10_000 })
    const before = await manifestOf(w, datasetId)
    for (let n = 0; n < 20; n += 1) {
      const more = rowsOf(all.length, 3)
      all.push(...more)
      await w.load({ datasetId, columns, mode: 'append', rows: more })
    }
    const after = await manifestOf(w, datasetId)
    expect(after[0]).toEqual(before[0])
    expect(after.length).toBeLessThanOrEqual(before.length + 6)
    expect(await w.rows(datasetId)).toEqual(all)
    const named = new Set(after.map(({ n }) => n))
    expect(named.size).toBe(after.length)
  })

  it('lose deleted rows once they are a fifth', async () => {
    const w = warehouse()
    const rowsOf = (from: number, n: number, mark: number): Cell[][] =>
      Array.from({ length: n }, (_, i) => [null, from + i, mark, null])
    const { datasetId } = await w.load({ columns, rows: rowsOf(0, 1000, 1) })
    const upsert = { datasetId, columns, mode: 'upsert' as const, keyColumns: ['c1' as const] }
    await w.load({ ...upsert, rows: rowsOf(0, 100, 2) })
    expect((await manifestOf(w, datasetId)).map(({ rows: n, deleted }) => [n, deleted?.rows])).toEqual([
      [1000, 100],
      [100, undefined],
    ])
    await w.load({ ...upsert, rows: rowsOf(100, 150, 3) })
    expect((await manifestOf(w, datasetId)).every(({ deleted }) => deleted === undefined)).toBe(true)
    expect(await w.rows(datasetId)).toEqual([...rowsOf(250, 750, 1), ...rowsOf(0, 100, 2), ...rowsOf(100, 150, 3)])
  })

  it('of versions that are let go are gone, those of the others stay', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: [['a', 0, 0, 0]] })
    for (let n = 1; n < 30; n += 1) await w.load({ datasetId, columns, mode: 'append', rows: [['a', n, n, 0]] })
    const versions = unwrap(await w.stub().versions(w.scope, datasetId))
    const stored = versions.filter(({ rollback }) => rollback === 'instant')
    expect(stored).toHaveLength(20)
    const oldest = stored.at(-1)?.dataVersion ?? 0
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: oldest, runId: `run_${datasetId}` }))
    expect(await w.rows(datasetId)).toHaveLength(oldest)
    expect(await countOf(w, 'column_chunks')).toBeLessThan(columns.length * 60)
  })

  it('hold texts that are too many for a dictionary, beside chunks that have one', async () => {
    const w = warehouse()
    const texts = [column(0, 'text'), column(1, 'integer')]
    const long = (n: number): string => `${n} ${'å'.repeat(30_000)}`
    const first: Cell[][] = [
      ['a', 1],
      [null, 2],
      ['b', 3],
    ]
    const { datasetId } = await w.load({ columns: texts, rows: first })
    const more: Cell[][] = Array.from({ length: 150 }, (_, n) => [n % 50 === 7 ? null : long(n), n])
    await w.load({ datasetId, columns: texts, mode: 'append', rows: more, batchRows: 10 })
    expect(await w.rows(datasetId)).toEqual([...first, ...more])
    const upsert = { datasetId, columns: texts, mode: 'upsert' as const, keyColumns: ['c0' as const] }
    const given: Cell[][] = [
      ['b', 30],
      [long(5), 50],
      ['new', 0],
      [long(6), 60],
    ]
    expect(await w.load({ ...upsert, rows: given, batchRows: 10 })).toMatchObject({ rowsReplaced: 3, rowCount: 154 })
    const kept = [...first, ...more].filter(([text]) => !given.some(([other]) => other === text))
    expect(await w.rows(datasetId)).toEqual([...kept, ...given])
    const rest: Cell[][] = more.slice(0, env.LONG === '1' ? 100 : 20).map(([text = null], n) => [text, 1000 + n])
    await w.load({ ...upsert, rows: rest, batchRows: 10 })
    const keys = new Set(rest.map(([text]) => text))
    const last = new Map(rest.map(([text], at) => [text, at]))
    expect(await w.rows(datasetId)).toEqual([
      ...[...kept, ...given].filter(([text]) => !keys.has(text)),
      ...rest.filter(([text], at) => last.get(text) === at),
    ])
    unwrap(await w.stub().rollback(w.scope, { datasetId, dataVersion: 2, runId: `run_${datasetId}` }))
    expect(await w.rows(datasetId)).toEqual([...first, ...more])
  })

  it('go with the rows when these are let go', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: [['a', 1, 100, 1]] })
    await w.load({ datasetId, columns, mode: 'upsert', keyColumns: ['c1'], rows: [['b', 1, 0, 0]] })
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: true }))
    for (const table of ['column_chunks', 'column_words', 'column_texts', 'deletion_vectors', 'staged_batches'])
      expect(await countOf(w, table), table).toBe(0)
  })
})
