import { runDurableObjectAlarm } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { finishLoad } from './finish'
import { column, NOW, scopeOf, warehouse } from '../../../test/worker/warehouse-driver'
import { unwrap, type RpcResult } from '../../shared/errors'
import { LOAD_LEASE_MS, PREVIOUS_ROWS_RETENTION_MS } from '../../shared/limits'

const columns = [column(0, 'text'), column(1, 'number:2')]
const rows = (n: number, from = 0): [string, number][] =>
  Array.from({ length: n }, (_, i) => [`k${from + i}`, (from + i) * 100])

describe('a load', () => {
  it('becomes a dataset with its rows, count and version', async () => {
    const w = warehouse()
    const done = await w.load({ columns, rows: rows(2500) })
    expect(done).toMatchObject({ dataVersion: 1, rowCount: 2500, rowsWritten: 2500, rowsRejected: 0 })
    expect(await w.rows(done.datasetId)).toEqual(rows(2500))
    const dataset = unwrap(await w.stub().dataset(w.scope, done.datasetId))
    expect(dataset).toMatchObject({ name: 'Orders', rowCount: 2500, dataVersion: 1 })
    expect(unwrap(await w.stub().datasets(w.scope))).toEqual([dataset])
    expect(await w.storedSets()).toHaveLength(1)
  })

  it('is invisible until it is finished', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(10) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    expect(await w.rows(spec.datasetId)).toEqual([])
    expect(unwrap(await w.stub().dataset(w.scope, spec.datasetId))).toMatchObject({ rowCount: 0, loadedAt: null })
    expect(unwrap(await w.stub().loadProgress(w.scope, spec.runId))).toEqual({ staged: 10, rejected: 0, alive: true })
  })

  it('answers the same when finished again', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(3) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    const at = { runId: spec.runId, fence }
    const [one, two] = await Promise.all([w.stub().finishLoad(w.scope, at), w.stub().finishLoad(w.scope, at)])
    expect(unwrap(two)).toEqual(unwrap(one))
    expect(unwrap(await w.stub().finishLoad(w.scope, at))).toEqual(unwrap(one))
    expect(unwrap(await w.stub().versions(w.scope, spec.datasetId))).toHaveLength(1)
  })

  it('drops what a repeated segment staged before', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(5) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const at = { runId: spec.runId, fence }
    await w.stageAll(load, { ...at, segment: 0 })
    await w.stageAll({ ...load, rows: rows(7, 5) }, { ...at, segment: 1 })
    await w.stageAll({ ...load, rows: rows(2, 5), rejectCount: 1 }, { ...at, segment: 1 })
    expect(unwrap(await w.stub().loadProgress(w.scope, spec.runId))).toMatchObject({ staged: 7, rejected: 1 })
    unwrap(await w.stub().finishLoad(w.scope, at))
    expect(await w.rows(spec.datasetId)).toEqual(rows(7))
  })

  it('takes each row once, however many tries of a segment are at it, one of which was given up (SYN-5)', async () => {
    for (const [others, together] of [
      [1, false],
      [4, true],
    ] as const) {
      const w = warehouse()
      const load = { columns, rows: rows(23), batchRows: 3, rejectCount: 2 }
      const spec = w.spec(load)
      const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
      const at = { runId: spec.runId, fence }
      const tries = Array.from({ length: 1 + others }, () => () => w.stageAll(load, { ...at, segment: 0 }))
      if (together) await Promise.all(tries.map((each) => each()))
      else for (const each of tries) await each()
      expect(unwrap(await w.stub().loadProgress(w.scope, spec.runId))).toMatchObject({ staged: 23, rejected: 2 })
      const done = unwrap(await w.stub().finishLoad(w.scope, at))
      // One that comes last of all finds everything done.
      await w.stageAll(load, { ...at, segment: 0 })
      expect(unwrap(await w.stub().finishLoad(w.scope, at))).toEqual(done)
      expect(await w.rows(spec.datasetId)).toEqual(rows(23))
    }
  })

  it('takes no batch before those that come before it', async () => {
    const w = warehouse()
    const spec = w.spec({ columns, rows: rows(3) })
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const empty = { rows: new ArrayBuffer(0), rowCount: 1, rejects: [], rejectCount: 0 }
    const batch = { runId: spec.runId, fence, after: { staged: 1, rejected: 0 }, ...empty }
    expect(await w.stub().stage(w.scope, [batch])).toMatchObject({ ok: false, error: { code: 'busy' } })
  })

  it('keeps rejected rows with their line, in pages', async () => {
    const w = warehouse()
    const spec = w.spec({ columns, rows: [] })
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const rejects = [3, 5, 9].map((line) => ({ line, reason: 'Not a number.', text: `x;"${line}"` }))
    const none = { rows: new ArrayBuffer(0), rowCount: 0, after: { staged: 0, rejected: 0 } }
    const batch = { runId: spec.runId, fence, ...none, rejects, rejectCount: 3 }
    unwrap(await w.stub().stage(w.scope, [batch]))
    const page = unwrap(await w.stub().rejects(w.scope, { runId: spec.runId, after: 3, limit: 1 }))
    expect(page).toEqual([rejects[1]])
  })

  it('refuses a file of which too many rows cannot be read, and says the same again', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(7), rejectCount: 3 }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    const refused = await w.stub().finishLoad(w.scope, { runId: spec.runId, fence })
    expect(refused).toMatchObject({ ok: false, error: { code: 'file_unreadable', details: { reason: 'broken' } } })
    expect(await w.stub().finishLoad(w.scope, { runId: spec.runId, fence })).toEqual(refused)
    expect(await w.storedSets()).toEqual([])
  })

  it('never wipes a dataset with an empty file', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: rows(4) })
    const empty = w.load({ datasetId, mode: 'replace', columns, rows: [] })
    await expect(empty).rejects.toMatchObject({ code: 'file_unreadable', details: { reason: 'empty' } })
    expect(await w.rows(datasetId)).toEqual(rows(4))
  })

  it('makes no new version of unchanged content, but does after something was appended', async () => {
    const w = warehouse()
    const file = { columns, rows: rows(4), contentHash: 'same' }
    const { datasetId } = await w.load(file)
    const again = w.spec({ ...file, datasetId, mode: 'replace' })
    expect(unwrap(await w.stub().beginLoad(w.scope, again))).toMatchObject({ unchanged: true })
    expect(unwrap(await w.stub().beginLoad(w.scope, again))).toMatchObject({ unchanged: true })
    expect(await w.load({ ...file, datasetId, mode: 'replace' })).toMatchObject({ dataVersion: 1, rowsWritten: 0 })
    await w.load({ ...file, datasetId, mode: 'append' })
    expect(await w.load({ ...file, datasetId, mode: 'replace' })).toMatchObject({ dataVersion: 3, rowCount: 4 })
  })

  it('keeps a name and a label that were edited while it ran', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: rows(1) })
    const load = { datasetId, mode: 'replace' as const, columns, rows: rows(2) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    const edited = [{ ...column(0), label: 'Customer' }].map(({ key, label, role, format, hidden }) => ({
      key,
      label,
      role,
      format,
      hidden,
    }))
    unwrap(await w.stub().describeDataset(w.scope, { datasetId, name: 'Sales', columns: edited }))
    await w.stageAll(load, { runId: spec.runId, fence })
    unwrap(await w.stub().finishLoad(w.scope, { runId: spec.runId, fence }))
    const dataset = unwrap(await w.stub().dataset(w.scope, datasetId))
    expect([dataset.name, dataset.columns[0]?.label, dataset.rowCount]).toEqual(['Sales', 'Customer', 2])
  })
})

describe('the lease of a load', () => {
  it('lets one of two loads of a dataset run and tells the other when to try again (SYN-5)', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: rows(1) })
    const load = { datasetId, mode: 'append' as const, columns, rows: rows(1, 1) }
    const specs = Array.from({ length: 5 }, () => w.spec(load))
    const begun = await Promise.all(
      specs.map(async (spec): Promise<RpcResult<unknown>> => w.stub().beginLoad(w.scope, spec)),
    )
    const refused = begun.flatMap((outcome) => (outcome.ok ? [] : [outcome.error]))
    expect(refused).toHaveLength(4)
    for (const error of refused) expect(error).toMatchObject({ code: 'busy', details: { retryAfter: 120 } })
  })

  it('lets the same run resume after a restart while it holds, with what was staged', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(6) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    await w.inside((_, state) => state.abort('restart')).catch(() => undefined)
    expect(unwrap(await w.stub().beginLoad(w.scope, spec))).toEqual({ fence, unchanged: false })
    expect(unwrap(await w.stub().finishLoad(w.scope, { runId: spec.runId, fence }))).toMatchObject({ rowCount: 6 })
  })

  it('refuses its old writer in every call once it was taken over, and drops what that had staged', async () => {
    const w = warehouse()
    await w.setClock(NOW)
    const load = { columns, rows: rows(6) }
    const old = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, old))
    await w.stageAll(load, { runId: old.runId, fence })
    await w.setClock(NOW + LOAD_LEASE_MS + 1)
    expect(unwrap(await w.stub().loadProgress(w.scope, old.runId))).toMatchObject({ alive: false })
    const young = w.spec({ ...load, datasetId: old.datasetId })
    const taken = unwrap(await w.stub().beginLoad(w.scope, young))
    expect(taken.fence).toBeGreaterThan(fence)
    expect(await w.storedSets()).toHaveLength(1)

    const at = { runId: old.runId, fence }
    const after = { staged: 0, rejected: 0 }
    const batch = { ...at, after, rows: new ArrayBuffer(0), rowCount: 1, rejects: [], rejectCount: 0 }
    const expired = { ok: false, error: { code: 'expired' } }
    expect(await w.stub().openSegment(w.scope, { ...at, segment: 0 })).toMatchObject(expired)
    expect(await w.stub().stage(w.scope, [batch])).toMatchObject(expired)
    expect(await w.stub().finishLoad(w.scope, at)).toMatchObject(expired)
    expect(await w.stub().beginLoad(w.scope, old)).toMatchObject(expired)
    // A writer with the right run and a wrong fence is an old writer too.
    expect(await w.stub().stage(w.scope, [{ ...batch, runId: young.runId }])).toMatchObject(expired)
  })

  it('is renewed by staging', async () => {
    const w = warehouse()
    await w.setClock(NOW)
    const load = { columns, rows: rows(1) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    for (const minutes of [1.5, 3, 4.5]) {
      await w.setClock(NOW + minutes * 60_000)
      await w.stageAll(load, { runId: spec.runId, fence, segment: minutes })
    }
    expect(unwrap(await w.stub().finishLoad(w.scope, { runId: spec.runId, fence }))).toMatchObject({ rowCount: 3 })
  })

  it('is renewed while rows are prepared, however long that takes', async () => {
    const w = warehouse()
    await w.setClock(NOW)
    const load = { columns, rows: rows(6) }
    const { datasetId } = await w.load(load)
    const spec = w.spec({ ...load, datasetId, mode: 'upsert', keyColumns: ['c0'] })
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    let time = NOW
    const done = await w.inside(({ context }) => {
      const pause = async (): Promise<void> => {
        time += LOAD_LEASE_MS * 0.9
        await context.pause()
      }
      const slow = { ...context, clock: { now: () => time }, pause }
      return finishLoad(slow, { runId: spec.runId, fence })
    })
    expect(unwrap(done)).toMatchObject({ rowCount: 6, rowsReplaced: 6 })
    expect(time).toBeGreaterThan(NOW + LOAD_LEASE_MS)
  })

  it('ends with the dataset: a load that runs on after a deletion brings nothing back (SYN-8)', async () => {
    const w = warehouse()
    const load = { columns, rows: rows(6) }
    const spec = w.spec(load)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(load, { runId: spec.runId, fence })
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: spec.datasetId, purge: false }))
    expect((await w.stub().finishLoad(w.scope, { runId: spec.runId, fence })).ok).toBe(false)
    const late = await w.stub().beginLoad(w.scope, w.spec({ ...load, datasetId: spec.datasetId }))
    expect(late).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(unwrap(await w.stub().datasets(w.scope))).toEqual([])
    expect(await w.storedSets()).toEqual([])
  })

  it('cannot be taken for a dataset that was deleted before its first load began', async () => {
    const w = warehouse()
    const spec = w.spec({ columns, rows: [] })
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId: spec.datasetId, purge: true }))
    expect(await w.stub().beginLoad(w.scope, spec)).toMatchObject({ ok: false, error: { code: 'not_found' } })
  })
})

describe('the cleaning', () => {
  it('is done by the object itself: a dead load and a previous table go when their time has come', async () => {
    const w = warehouse()
    await w.setClock(NOW)
    const { datasetId } = await w.load({ columns, rows: rows(3) })
    await w.load({ datasetId, mode: 'replace', columns, rows: rows(2) })
    const dead = { columns, rows: rows(5) }
    const spec = w.spec(dead)
    const { fence } = unwrap(await w.stub().beginLoad(w.scope, spec))
    await w.stageAll(dead, { runId: spec.runId, fence })
    expect(await w.storedSets()).toHaveLength(3)
    await w.setClock(NOW + LOAD_LEASE_MS + 1)
    expect(await runDurableObjectAlarm(w.stub())).toBe(true)
    expect(await w.storedSets()).toHaveLength(2)
    await w.setClock(NOW + PREVIOUS_ROWS_RETENTION_MS + 1)
    expect(await runDurableObjectAlarm(w.stub())).toBe(true)
    expect(await w.storedSets()).toHaveLength(1)
    expect(await runDurableObjectAlarm(w.stub())).toBe(false)
    expect(await w.rows(datasetId)).toEqual(rows(2))
  })
})

describe('a question', () => {
  it('is answered from the rows of the current version, and not once the dataset is deleted', async () => {
    const w = warehouse()
    const datasetId = 'ds_00000000000000000042'
    await w.load({ datasetId, columns, rows: rows(4) })
    const plan = {
      v: 1 as const,
      kind: 'aggregate' as const,
      measures: [
        { kind: 'column' as const, agg: 'sum' as const, field: { dataset: datasetId, column: 'c1' as const } },
      ],
      dimensions: [],
      filters: [],
    }
    const calendar = { timeZone: 'UTC', weekStart: 'monday' as const, fiscalYearStart: 1, today: '2026-11-21' }
    expect(unwrap(await w.stub().query(w.scope, { plan, calendar })).rows).toEqual([[6]])
    await w.load({ datasetId, mode: 'append', columns, rows: rows(1, 4) })
    expect(unwrap(await w.stub().query(w.scope, { plan, calendar })).rows).toEqual([[10]])
    const narrow = scopeOf(w.workspaceId, { datasets: [] })
    expect((await w.stub().query(narrow, { plan, calendar })).ok).toBe(false)
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: false }))
    expect((await w.stub().query(w.scope, { plan, calendar })).ok).toBe(false)
  })
})

describe('the scope', () => {
  it('of another workspace finds nothing, in any method', async () => {
    const w = warehouse()
    const { datasetId, runId } = await w.load({ columns, rows: rows(1) })
    const other = scopeOf('ws_zzzzzzzzzzzzzzzzzzzz')
    const stub = w.stub()
    const at = { runId, fence: 1 }
    const after = { staged: 0, rejected: 0 }
    const calendar = { timeZone: 'UTC', weekStart: 'monday' as const, fiscalYearStart: 1, today: '2026-11-21' }
    const plan = { v: 1 as const, kind: 'rows' as const, measures: [], dimensions: [], filters: [] }
    const answers = await Promise.all([
      stub.beginLoad(other, w.spec({ columns, rows: [] })),
      stub.openSegment(other, { ...at, segment: 0 }),
      stub.stage(other, [{ ...at, after, rows: new ArrayBuffer(0), rowCount: 0, rejects: [], rejectCount: 0 }]),
      stub.finishLoad(other, at),
      stub.abortLoad(other, { runId }),
      stub.loadProgress(other, runId),
      stub.rejects(other, { runId, after: 0, limit: 1 }),
      stub.dataset(other, datasetId),
      stub.datasets(other),
      stub.describeDataset(other, { datasetId, name: 'x', columns: [] }),
      stub.deleteDataset(other, { datasetId, purge: true }),
      stub.restoreDataset(other, datasetId),
      stub.versions(other, datasetId),
      stub.rollback(other, { datasetId, dataVersion: 1, runId: 'run_x' }),
      stub.query(other, { plan, calendar }),
      stub.sweep(other),
    ])
    for (const answer of answers) expect(answer).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await w.rows(datasetId)).toHaveLength(1)
  })

  it('hides datasets outside its list and columns that do not exist for it', async () => {
    const w = warehouse()
    const a = await w.load({ columns, rows: rows(1), keyColumns: ['c0'] })
    const b = await w.load({ columns, rows: rows(1) })
    const narrow = scopeOf(w.workspaceId, {
      datasets: [a.datasetId],
      hidden: [{ dataset: a.datasetId, column: 'c0' }],
    })
    const [only, ...others] = unwrap(await w.stub().datasets(narrow))
    expect([only?.id, only?.columns.map((c) => c.key), only?.keyColumns, others]).toEqual([a.datasetId, ['c1'], [], []])
    expect(await w.stub().dataset(narrow, b.datasetId)).toMatchObject({ ok: false, error: { code: 'not_found' } })
    expect(await w.stub().rejects(narrow, { runId: b.runId, after: 0, limit: 1 })).toMatchObject({ ok: false })
    const change = { datasetId: a.datasetId, name: 'x', columns: [{ ...column(0), label: 'x' }] }
    expect(await w.stub().describeDataset(narrow, change)).toMatchObject({ error: { code: 'invalid_input' } })
  })
})

describe('a deleted dataset', () => {
  it('comes back whole when restored, and never once purged', async () => {
    const w = warehouse()
    const { datasetId } = await w.load({ columns, rows: rows(3) })
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: false }))
    expect(await w.rows(datasetId)).toEqual([])
    expect(await w.stub().dataset(w.scope, datasetId)).toMatchObject({ error: { code: 'not_found' } })
    expect(unwrap(await w.stub().restoreDataset(w.scope, datasetId))).toMatchObject({ rowCount: 3 })
    expect(await w.rows(datasetId)).toEqual(rows(3))
    unwrap(await w.stub().deleteDataset(w.scope, { datasetId, purge: true }))
    expect(await w.storedSets()).toEqual([])
    expect(await w.stub().restoreDataset(w.scope, datasetId)).toMatchObject({ error: { code: 'not_found' } })
  })
})
