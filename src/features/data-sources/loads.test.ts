import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { itLong } from '../../../test/long'
import { callApp, otherWorkspace, signedIn, type SignedIn } from '../../../test/worker/factories'
import {
  amountColumn,
  createSource,
  dayColumn,
  waitForRun,
  startLoad,
  createLoadedSource,
  loadFileInto,
  sales,
  sameColumns,
  SALES,
  SETTINGS,
  sourceInput,
  textColumn,
  readTotals,
  uploadText,
} from '../../../test/worker/loads'
import { systemIds } from '../../deps'
import type { QueryResult } from '../../shared/query/result'
import type { DataSource, Dataset, DatasetVersion, SyncRun } from '../../shared/data-sources/data-sources'
import { CELL_MAX_BYTES, LOAD_SEGMENT_BYTES } from '../../shared/limits'

const OLD = sales([
  ['Anna', 10.25],
  ['Bo', 20.5],
  ['Cia', 30],
])
const NEW = sales([
  ['Anna', 1],
  ['Dan', 2.5],
])
const dataset = async (me: SignedIn, id: string) => (await me.fetch(`/api/datasets/${id}`)).json<Dataset>()
const versions = async (me: SignedIn, id: string) =>
  (await me.fetch(`/api/datasets/${id}/versions`)).json<DatasetVersion[]>()
const anInsight = async (me: SignedIn, datasetId: string, column: string) => {
  const id = `ins_${crypto.randomUUID()}`
  await env.DB.batch([
    env.DB.prepare(
      "INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at) VALUES (?1, ?2, ?1, ?1, '{}', '{}', ?3, 0, 0)",
    ).bind(id, me.workspaceId, me.userId),
    env.DB.prepare('INSERT INTO insight_fields (insight_id, dataset_id, column_key) VALUES (?, ?, ?)').bind(
      id,
      datasetId,
      column,
    ),
  ])
  return id
}

describe('from a file to rows', () => {
  it('loads a file through the workflow and answers its figures exactly', async () => {
    const me = await signedIn()
    const { source, datasetId, run } = await createLoadedSource(me, OLD)
    expect(source.state).toBe('syncing')
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: 3, rowsWritten: 3, rowsRejected: 0, error: null })
    expect(run.bytesRead).toBe(run.bytesTotal)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
    const after = await (await me.fetch(`/api/data-sources/${source.id}`)).json<DataSource>()
    expect(after).toMatchObject({
      state: 'ready',
      datasets: [{ rowCount: 3, dataVersion: 1 }],
      lastRun: { id: run.id },
    })
    const preview = await (await me.fetch(`/api/datasets/${datasetId}/preview`)).json<QueryResult>()
    expect(preview.rows[0]).toEqual(['2026-01-01', 'Anna', 10.25])
  })

  it('keeps rejected rows with line and reason, and offers them as a file without formulas', async () => {
    const me = await signedIn()
    const rows: [string, string][] = Array.from({ length: 20 }, (_, at) => [`Customer ${at}`, '1.00'])
    rows[4] = ['Eve', 'not a number']
    const { run, datasetId } = await createLoadedSource(me, sales(rows))
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: 20, rowsWritten: 19, rowsRejected: 1 })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 19, sum: 19 })
    const file = await callApp(me.app, `/files/runs/${run.id}/rejects?w=${me.workspaceId}`, {
      headers: { cookie: me.cookie },
    })
    expect(file.headers.get('content-disposition')).toMatch(/^attachment/)
    const text = await file.text()
    expect(text).toContain('6,')
    expect(text).toContain('not a number')
    const foreign = await (await otherWorkspace()).fetch(`/files/runs/${run.id}/rejects`)
    expect(foreign.status).toBe(404)
  })

  it('refuses a file that was read wrongly and one without rows, and keeps the old table', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const bad = sales(Array.from({ length: 10 }, (_, at) => [`C${at}`, 'x']))
    expect(await loadFileInto(me, datasetId, { text: bad })).toMatchObject({
      state: 'failed',
      error: { code: 'file_unreadable' },
    })
    expect(await loadFileInto(me, datasetId, { text: 'day,customer,amount\n' })).toMatchObject({
      state: 'failed',
      error: { code: 'file_unreadable' },
    })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
    const [source] = (await (await me.fetch('/api/data-sources')).json<{ items: DataSource[] }>()).items
    expect(source?.state).toBe('failed')
  })

  it('keeps the old table when a file breaks midway, and says at which line', { timeout: 60_000 }, async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const filler = 'y'.repeat(900)
    const rows: [string, string][] = Array.from({ length: 24_000 }, (_, at) => [`${filler} ${at}`, '1.00'])
    rows[19_000] = ['x'.repeat(CELL_MAX_BYTES + 1), '1.00']
    const run = await loadFileInto(me, datasetId, { text: sales(rows) })
    expect(run).toMatchObject({ state: 'failed', rowsWritten: 0, error: { code: 'file_unreadable', line: 19_002 } })
    expect(run.rowsRead).toBeGreaterThan(0)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
    const again = await loadFileInto(me, datasetId, { text: NEW })
    expect(again.state).toBe('succeeded')
  })

  itLong('goes over the segments of a larger file without losing or doubling a row', { timeout: 60_000 }, async () => {
    const me = await signedIn()
    const filler = 'x'.repeat(900)
    const count = 40_000
    const text = sales(Array.from({ length: count }, (_, at) => [`"${filler} ${at}\nåäö"`, '0.25']))
    const { run, datasetId } = await createLoadedSource(me, text)
    expect(text.length).toBeGreaterThan(LOAD_SEGMENT_BYTES)
    expect(run).toMatchObject({ state: 'succeeded', rowsRead: count, rowsWritten: count })
    expect(await readTotals(me, datasetId)).toEqual({ rows: count, sum: count / 4 })
  })
})

describe('another file into the same dataset', () => {
  it('replaces the rows and keeps identity, keys and labels', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const before = await dataset(me, datasetId)
    const columns = before.columns.map(({ key, role, format }) => ({
      key,
      label: `My ${key}`,
      role,
      format,
      hidden: false,
    }))
    const edit = { name: before.name, version: before.version, columns }
    expect((await me.fetch(`/api/datasets/${datasetId}`, { method: 'PUT', json: edit })).status).toBe(200)
    const swapped = [textColumn(0, 'Kund'), amountColumn(1, 'Belopp'), dayColumn(2, 'Dag'), textColumn(3, 'New')]
    const run = await loadFileInto(me, datasetId, {
      text: 'Kund,Belopp,Dag,New\nAnna,5.5,2026-02-01,x\n',
      columns: swapped,
      mapping: [
        { index: 0, key: 'c1' },
        { index: 1, key: 'c2' },
        { index: 2, key: 'c0' },
      ],
    })
    expect(run).toMatchObject({ state: 'succeeded', mode: 'replace' })
    const after = await dataset(me, datasetId)
    expect(after.id).toBe(datasetId)
    expect(after.columns.map(({ key, label }) => [key, label])).toEqual([
      ['c0', 'My c0'],
      ['c1', 'My c1'],
      ['c2', 'My c2'],
      ['c3', 'New'],
    ])
    expect(after.dataVersion).toBeGreaterThan(before.dataVersion)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 1, sum: 5.5 })
  })

  it('appends', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    expect(await loadFileInto(me, datasetId, { text: NEW, mode: 'append' })).toMatchObject({ state: 'succeeded' })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 5, sum: 64.25 })
  })

  it('says after an append how many rows were there already by the key it was told', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const run = await loadFileInto(me, datasetId, { text: NEW, mode: 'append', keyColumns: ['c1'] })
    expect(run).toMatchObject({ state: 'succeeded', rowsWritten: 2, rowsDuplicate: 1, rowsUpdated: 0 })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 5, rowsDuplicate: 1, keyColumns: [] })
    await loadFileInto(me, datasetId, { text: OLD })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 3, rowsDuplicate: 0 })
  })

  it('carries the rejected rows of every file that the rows shown now came from', async () => {
    const me = await signedIn()
    const bad = (from: number) =>
      sales(Array.from({ length: 20 }, (_, at): [string, string] => [`C${from + at}`, at === 7 ? 'x' : '1.00']))
    const { datasetId } = await createLoadedSource(me, bad(0))
    await loadFileInto(me, datasetId, { text: bad(20), mode: 'append' })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 38, rowsRejected: 2 })
    const back = await me.fetch(`/api/datasets/${datasetId}/rollback`, { method: 'POST', json: { dataVersion: 1 } })
    expect(await back.json()).toMatchObject({ trigger: 'rollback', restoredVersion: 1 })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 19, rowsRejected: 1 })
    await loadFileInto(me, datasetId, { text: NEW })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 2, rowsRejected: 0 })
  })

  it('upserts by key', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const run = await loadFileInto(me, datasetId, { text: NEW, mode: 'upsert', keyColumns: ['c1'] })
    expect(run).toMatchObject({ state: 'succeeded', rowsWritten: 2, rowsUpdated: 1, rowsDuplicate: 0 })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 4, sum: 54 })
    expect((await dataset(me, datasetId)).keyColumns).toEqual(['c1'])
  })

  it('says unchanged for the same file read in the same way, and makes no new version', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    expect(await loadFileInto(me, datasetId, { text: OLD })).toMatchObject({ state: 'unchanged', error: null })
    expect((await dataset(me, datasetId)).dataVersion).toBe(1)
  })

  it('rolls back to the version before', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    await loadFileInto(me, datasetId, { text: NEW })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 2, sum: 3.5 })
    const before = (await versions(me, datasetId)).find(({ current }) => !current)
    expect(before).toMatchObject({ rollback: 'instant' })
    expect(before).not.toHaveProperty('objectKey')
    const json = { dataVersion: before?.dataVersion }
    const ask = () =>
      me.fetch(`/api/datasets/${datasetId}/rollback`, { method: 'POST', json, headers: { 'idempotency-key': 'back' } })
    const answer = await ask()
    expect([answer.status, await answer.json()]).toMatchObject([200, { state: 'succeeded', trigger: 'rollback' }])
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
    expect(await dataset(me, datasetId)).toMatchObject({ rowCount: 3 })
    const told = await versions(me, datasetId)
    const { name } =
      (await env.DB.prepare('SELECT name FROM users WHERE id = ?').bind(me.userId).first<{ name: string }>()) ?? {}
    expect(
      told.map(({ dataVersion, current, restoredFrom, rollback }) => [dataVersion, current, restoredFrom, rollback]),
    ).toEqual([
      [3, true, 1, 'instant'],
      [2, false, null, 'instant'],
      [1, false, null, 'instant'],
    ])
    expect(told[0]).toMatchObject({ startedBy: name })
    const repeated = await ask()
    expect(repeated.status).toBe(200)
    expect(await waitForRun(me, (await repeated.json<SyncRun>()).id)).toMatchObject({ state: 'succeeded' })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
    const unknown = { method: 'POST', json: { dataVersion: 999 } }
    expect((await me.fetch(`/api/datasets/${datasetId}/rollback`, unknown)).status).toBe(404)
  })

  it('names the insights that use a column before it goes away, and lets go when that is accepted', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const id = await anInsight(me, datasetId, 'c1')
    const narrow = [dayColumn(0), amountColumn(1)]
    const uploadId = await uploadText(me, 'day,amount\n2026-01-01,7\n')
    const input = {
      uploadId,
      mode: 'replace' as const,
      settings: SETTINGS,
      columns: narrow,
      mapping: [
        { index: 0, key: 'c0' as const },
        { index: 1, key: 'c2' as const },
      ],
    }
    const refused = await startLoad(me, datasetId, input)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'in_use', dependents: [{ type: 'insight', id, name: id }] },
    ])
    const accepted = await startLoad(me, datasetId, { ...input, acceptRemoved: true })
    expect(accepted.status).toBe(201)
    expect((await waitForRun(me, (await accepted.json<SyncRun>()).id)).state).toBe('succeeded')
    expect((await dataset(me, datasetId)).columns.map(({ key }) => key)).toEqual(['c0', 'c2'])
    await loadFileInto(me, datasetId, {
      text: 'day,x,amount\n2026-01-01,a,7\n',
      columns: [dayColumn(0), textColumn(1, 'x'), amountColumn(2)],
      mapping: [
        { index: 0, key: 'c0' },
        { index: 2, key: 'c2' },
      ],
    })
    expect((await dataset(me, datasetId)).columns.map(({ key }) => key)).toEqual(['c0', 'c2', 'c3'])
  })

  it('refuses another type on append beside the column, and another workspace’s upload or dataset as unknown', async () => {
    const me = await signedIn()
    const stranger = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const uploadId = await uploadText(me, NEW)
    const input = { uploadId, mode: 'append' as const, settings: SETTINGS, columns: SALES, mapping: sameColumns() }
    const wrong = await startLoad(me, datasetId, {
      ...input,
      columns: [dayColumn(0), textColumn(1, 'c'), textColumn(2, 'a')],
    })
    expect([wrong.status, await wrong.json()]).toMatchObject([
      422,
      { fields: { 'columns.2.type': expect.any(String) } },
    ])
    const foreignUpload = await uploadText(stranger, NEW)
    expect((await startLoad(me, datasetId, { ...input, uploadId: foreignUpload })).status).toBe(404)
    expect((await startLoad(stranger, datasetId, { ...input, uploadId: foreignUpload })).status).toBe(404)
    expect((await createSource(me, sourceInput(foreignUpload))).status).toBe(404)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
  })

  it('replaces the parts that a file holds, by the columns that name them, and goes back', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, OLD)
    const part = { mode: 'replacePart' as const, keyColumns: ['c1' as const] }
    const text = sales([
      ['Anna', 1],
      ['Anna', 2],
      ['Eva', 4],
    ])
    expect(await loadFileInto(me, datasetId, { text, ...part })).toMatchObject({ state: 'succeeded', rowsWritten: 3 })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 5, sum: 57.5 })
    expect((await dataset(me, datasetId)).keyColumns).toEqual([])
    const uploadId = await uploadText(me, text)
    const input = { uploadId, settings: SETTINGS, columns: SALES, mapping: sameColumns(), ...part, keyColumns: [] }
    expect(await (await startLoad(me, datasetId, input)).json()).toMatchObject({
      fields: { keyColumns: expect.any(String) },
    })
    const back = await me.fetch(`/api/datasets/${datasetId}/rollback`, { method: 'POST', json: { dataVersion: 1 } })
    expect(back.status).toBe(200)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 3, sum: 60.75 })
  })
})

describe('amounts in the currency of their row', () => {
  const text = { label: 'Valuta', type: 'text', role: 'currency', format: { style: 'plain' }, include: true }
  const amount = { ...text, label: 'Belopp', type: 'number', role: 'measure', scale: 2 }
  const columns = [
    { ...text, index: 0 },
    { ...amount, index: 1, currencyIndex: 0 },
  ]
  const settings = { encoding: 'utf-8', delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0 }
  const table = {
    uploadId: systemIds.next('upload'),
    settings: { ...settings, decimalMark: '.', dateOrder: 'ymd' },
    columns,
  }

  it.each([
    ['standard', 402, 'plan_required'],
    ['professional', 404, 'not_found'],
  ] as const)('are asked for by nobody whose plan knows one currency: %s', async (planId, status, code) => {
    const me = await signedIn({ subscription: { state: 'active', planId } })
    const bodies: [string, object][] = [
      ['/api/data-sources', { name: 'S', tables: [{ name: 'T', ...table }] }],
      [`/api/data-sources/${systemIds.next('source')}/datasets`, { tables: [{ name: 'T', ...table }] }],
      [`/api/datasets/${systemIds.next('dataset')}/loads`, { ...table, mode: 'replace', mapping: [] }],
    ]
    for (const [path, json] of bodies) {
      const answer = await me.fetch(path, { method: 'POST', json })
      expect([answer.status, await answer.json()], path).toMatchObject([status, { code }])
    }
  })
})
