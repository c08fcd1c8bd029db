import { describe, expect, it } from 'vitest'
import { column, NOW, warehouse, type Cell } from '../../../test/worker/warehouse-driver'
import { unwrap } from '../../shared/errors'
import { PREVIOUS_ROWS_RETENTION_MS } from '../../shared/limits'
import type { StoredVersion } from '../contract'

const columns = [column(0, 'text'), column(1, 'integer')]
const A: Cell[][] = [
  ['a', 1],
  ['b', 2],
  [null, 3],
]
const B: Cell[][] = [
  ['b', 20],
  ['d', 4],
]
let run = 0
const rollbackTo = (datasetId: string, dataVersion: number) => ({
  datasetId,
  dataVersion,
  runId: `run_back_${(run += 1)}`,
})
const ways = (versions: StoredVersion[]) => versions.map((v) => `${v.dataVersion}${v.current ? '*' : ''} ${v.rollback}`)

describe('a replaced dataset', () => {
  it('goes back at once, as a new version, and forward again', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'replace', columns: [column(0, 'text')], rows: [['x']] })
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))).toEqual(['2* instant', '1 instant'])
    const done = unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(done).toMatchObject({ dataVersion: 3, rowCount: 3 })
    expect(await w.rows(datasetId)).toEqual(A)
    expect(unwrap(await w.stub().dataset(w.scope, datasetId))).toMatchObject({ dataVersion: 3, rowCount: 3 })
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 2)))
    expect(await w.rows(datasetId)).toEqual([['x']])
  })

  it('makes one version of a rollback that is asked for twice', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'replace', columns, rows: B })
    const ask = rollbackTo(datasetId, 1)
    const once = unwrap(await w.stub().rollback(w.scope, ask))
    expect(unwrap(await w.stub().rollback(w.scope, ask))).toEqual(once)
    expect(unwrap(await w.stub().versions(w.scope, datasetId))).toHaveLength(3)
  })

  it('offers a reload of the last three originals once the kept table is gone', async () => {
    const w = warehouse()
    await w.setClock(NOW)
    const { datasetId } = await w.load({ columns, rows: A })
    for (const n of [2, 3, 4]) await w.load({ datasetId, mode: 'replace', columns, rows: [['v', n]] })
    const expected = ['4* instant', '3 instant', '2 reload', '1 none']
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))).toEqual(expected)
    expect(await w.storedSets()).toHaveLength(2)
    await w.setClock(NOW + PREVIOUS_ROWS_RETENTION_MS + 1)
    expect(unwrap(await w.stub().sweep(w.scope))).toEqual({ dropped: 1 })
    expect(await w.storedSets()).toHaveLength(1)
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))[1]).toBe('3 reload')
    const late = await w.stub().rollback(w.scope, rollbackTo(datasetId, 3))
    expect(late).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await w.rows(datasetId)).toEqual([['v', 4]])
  })

  it('is not rolled back under a running load', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'replace', columns, rows: B })
    unwrap(await w.stub().beginLoad(w.scope, w.spec({ datasetId, mode: 'append', columns, rows: [] })))
    const busy = await w.stub().rollback(w.scope, rollbackTo(datasetId, 1))
    expect(busy).toMatchObject({ ok: false, error: { code: 'busy' } })
  })
})

describe('an appended dataset', () => {
  it('loses exactly the rows of the loads gone back over', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'append', columns, rows: B })
    const third = await w.load({ datasetId, mode: 'append', columns, rows: [['e', 5]] })
    expect(third).toMatchObject({ dataVersion: 3, rowCount: 6, rowsWritten: 1 })
    expect(await w.rows(datasetId)).toEqual([...A, ...B, ['e', 5]])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 2)))
    expect(await w.rows(datasetId)).toEqual([...A, ...B])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(A)
    expect(unwrap(await w.stub().dataset(w.scope, datasetId))).toMatchObject({ rowCount: 3, dataVersion: 5 })
  })

  it('keeps every version while people go back and forth, with loads in between', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    const states = new Map([[1, await w.rows(datasetId)]])
    const note = async (dataVersion: number) => void states.set(dataVersion, await w.rows(datasetId))
    const goTo = async (version: number) => {
      const done = unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, version)))
      expect(await w.rows(datasetId), `version ${version}`).toEqual(states.get(version))
      expect(done.rowCount).toBe(states.get(version)?.length)
      await note(done.dataVersion)
    }
    await note((await w.load({ datasetId, mode: 'append', columns, rows: B })).dataVersion)
    await goTo(1)
    await note((await w.load({ datasetId, mode: 'append', columns, rows: [['e', 5]] })).dataVersion)
    for (const version of [2, 4, 1, 5, 3, 2, 4]) await goTo(version)
  })

  it('counts rows whose key was there already, when it is told a key', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    const keyColumns = ['c0' as const]
    const rows: Cell[][] = [
      ['b', 2],
      ['d', 4],
      ['d', 5],
    ]
    const done = await w.load({ datasetId, mode: 'append', columns, keyColumns, rows })
    expect(done).toMatchObject({ rowCount: 6, rowsWritten: 3, rowsDuplicate: 2, datasetRowsDuplicate: 2 })
    const more = await w.load({ datasetId, mode: 'append', columns, keyColumns, rows: [['e', 1]] })
    expect(more).toMatchObject({ rowsDuplicate: 0, datasetRowsDuplicate: 2 })
    const back = unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(back).toMatchObject({ datasetRowsDuplicate: 0 })
  })

  it('gains the columns a file adds, and loses them again', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'append', columns: [...columns, column(2, 'text')], rows: [['z', 9, 'new']] })
    expect(await w.rows(datasetId)).toEqual([...A.map((row) => [...row, null]), ['z', 9, 'new']])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(A)
    await w.load({ datasetId, mode: 'append', columns: [...columns, column(2, 'number:1')], rows: [['z', 9, 15]] })
    expect((await w.rows(datasetId)).at(-1)).toEqual(['z', 9, 15])
    const added = unwrap(await w.stub().dataset(w.scope, datasetId)).columns[2]
    expect(added).toMatchObject({ type: 'number', scale: 1 })
  })

  it('can be left for the table that was replaced before, and come back', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ datasetId, mode: 'replace', columns, rows: B })
    await w.load({ datasetId, mode: 'append', columns, rows: A })
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(A)
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 2)))
    expect(await w.rows(datasetId)).toEqual(B)
  })

  it('refuses a column of another type', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    const other = w.spec({ datasetId, mode: 'append', columns: [column(0, 'text'), column(1, 'text')], rows: [] })
    expect(await w.stub().beginLoad(w.scope, other)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('an upsert', () => {
  const upsert = { mode: 'upsert' as const, columns, keyColumns: ['c0' as const] }

  it('replaces rows by key, empty keys too, and keeps the last of equal rows of the file', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    const rows: Cell[][] = [
      ['b', 7],
      [null, 30],
      ['b', 20],
      ['d', 4],
    ]
    const done = await w.load({ ...upsert, datasetId, rows })
    expect(done).toMatchObject({ rowCount: 4, rowsWritten: 3, rowsDuplicate: 1, rowsReplaced: 2 })
    expect((await w.rows(datasetId)).map(String).sort()).toEqual([',30', 'a,1', 'b,20', 'd,4'])
  })

  it('tells apart keys that only look alike', async () => {
    const w = warehouse()
    const pair = [column(0, 'text'), column(1, 'text'), column(2, 'integer')]
    const rows: Cell[][] = [
      ['a,b', 'c', 1],
      ['a', 'b,c', 2],
      ['', null, 3],
      [null, '', 4],
      ['null', null, 5],
      ['a\u0000b', '', 6],
    ]
    const { datasetId } = await w.load({ columns: pair, rows })
    const keyColumns = ['c0' as const, 'c1' as const]
    const done = await w.load({
      datasetId,
      mode: 'upsert',
      columns: pair,
      keyColumns,
      rows: rows.map(([a = null, b = null]) => [a, b, 0]),
    })
    expect(done).toMatchObject({ rowCount: 6, rowsWritten: 6, rowsDuplicate: 0, rowsReplaced: 6 })
    const other = await w.load({ datasetId, mode: 'upsert', columns: pair, keyColumns, rows: [['a\u0000c', '', 7]] })
    expect(other).toMatchObject({ rowCount: 7, rowsReplaced: 0 })
  })

  it('goes back with the rows it overwrote, also after an append on top', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ ...upsert, datasetId, rows: B })
    await w.load({ datasetId, mode: 'append', columns, rows: [['z', 26]] })
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))).toEqual(['3* instant', '2 instant', '1 instant'])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(A)
  })

  it('is kept when it is gone back over, and comes back whole', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ ...upsert, datasetId, rows: B })
    const after = await w.rows(datasetId)
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))).toEqual(['3* instant', '2 instant', '1 instant'])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 2)))
    expect(await w.rows(datasetId)).toEqual(after)
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 3)))
    expect(await w.rows(datasetId)).toEqual(A)
  })

  it('is kept with those before it, which share what they did not replace', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: A })
    await w.load({ ...upsert, datasetId, rows: B })
    await w.load({ ...upsert, datasetId, rows: [['a', 100]] })
    const versions = unwrap(await w.stub().versions(w.scope, datasetId))
    expect(ways(versions)).toEqual(['3* instant', '2 instant', '1 instant'])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 2)))
    expect((await w.rows(datasetId)).map(String).sort()).toEqual([',3', 'a,1', 'b,20', 'd,4'])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(A)
  })

  it('refuses to begin without key columns', async () => {
    const w = warehouse()
    const spec = w.spec({ ...upsert, keyColumns: [], rows: [] })
    expect(await w.stub().beginLoad(w.scope, spec)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('a replaced part', () => {
  const ledger = [column(0, 'text'), column(1, 'integer'), column(2, 'integer')]
  const part = { mode: 'replacePart' as const, columns: ledger, keyColumns: ['c0' as const, 'c1' as const] }
  const BOOKS: Cell[][] = [
    ['556', 2025, 1],
    ['556', 2025, 1],
    ['556', 2026, 2],
    ['559', 2026, 3],
  ]

  it('goes wholly, whatever number of rows comes instead; equal rows of the file all stay', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns: ledger, rows: BOOKS })
    const rows: Cell[][] = [
      ['556', 2025, 7],
      ['556', 2027, 8],
      ['556', 2027, 8],
    ]
    const done = await w.load({ ...part, datasetId, rows })
    expect(done).toMatchObject({ rowCount: 5, rowsWritten: 3, rowsReplaced: 2 })
    expect(await w.rows(datasetId)).toEqual([...BOOKS.slice(2), ...rows])
    const again = await w.load({ ...part, datasetId, rows })
    expect(again).toMatchObject({ rowCount: 5, rowsWritten: 3, rowsReplaced: 3 })
    expect(unwrap(await w.stub().dataset(w.scope, datasetId)).keyColumns).toEqual([])
  })

  it('comes back whole when it is gone back over', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns: ledger, rows: BOOKS })
    await w.load({ ...part, datasetId, rows: [['556', 2025, 7]] })
    expect(ways(unwrap(await w.stub().versions(w.scope, datasetId)))).toEqual(['2* instant', '1 instant'])
    unwrap(await w.stub().rollback(w.scope, rollbackTo(datasetId, 1)))
    expect(await w.rows(datasetId)).toEqual(BOOKS)
  })

  it('refuses to begin without columns that name it', async () => {
    const w = warehouse()
    const spec = w.spec({ ...part, keyColumns: [], rows: [] })
    expect(await w.stub().beginLoad(w.scope, spec)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})
