import { openTestSocket } from '../../../test/worker/sockets'
import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { expiredTrial, otherWorkspace, signedIn, unique, visitor, type SignedIn } from '../../../test/worker/factories'
import {
  createSource,
  waitForRun,
  createLoadedSource,
  newTable,
  runOf,
  sales,
  sourceInput,
  textColumn,
  readTotals,
  uploadText,
} from '../../../test/worker/loads'
import { DELETED_RETENTION_MS, SOURCE_MAX_DATASETS } from '../../shared/limits'
import type { ListPage } from '../../shared/field-schemas'
import type { Dataset, DataSource, SyncRun } from '../../shared/data-sources/data-sources'

const TEXT = sales([
  ['Anna', 10.25],
  ['Bo', 20.5],
])
const limited = (max: number) => ({ subscription: { override: { dataSources: max } } })
const list = async (me: SignedIn, search = '') =>
  (await me.fetch(`/api/data-sources${search}`)).json<ListPage<DataSource>>()
const countSources = (me: SignedIn) =>
  env.DB.prepare('SELECT count(*) AS n FROM data_sources WHERE workspace_id = ? AND deleted_at IS NULL')
    .bind(me.workspaceId)
    .first('n')
const remove = (me: SignedIn, { id, version }: DataSource, more = '') =>
  me.fetch(`/api/data-sources/${id}?version=${version}${more}`, { method: 'DELETE' })
const get = async (me: SignedIn, id: string) => (await me.fetch(`/api/data-sources/${id}`)).json<DataSource>()

describe('the plan’s number of sources', () => {
  it('lets exactly one of 20 creates at once through at the last free place', async () => {
    const me = await signedIn(limited(2))
    await createLoadedSource(me, TEXT)
    const uploadId = await uploadText(me, TEXT)
    const answers = await Promise.all(Array.from({ length: 20 }, () => createSource(me, sourceInput(uploadId))))
    const made = answers.filter(({ status }) => status === 201)
    expect(made.length).toBe(1)
    for (const answer of answers.filter(({ status }) => status !== 201))
      expect(await answer.json()).toMatchObject({ code: 'limit_reached', limit: 'dataSources', used: 2, max: 2 })
    expect(await countSources(me)).toBe(2)
    const left = env.DB.prepare('SELECT count(*) AS n FROM datasets WHERE workspace_id = ?').bind(me.workspaceId)
    expect(await left.first('n')).toBe(2)
    for (const answer of made) await waitForRun(me, (await answer.json<DataSource>()).lastRun?.id ?? '')
  })

  it('holds for restoring too', async () => {
    const me = await signedIn(limited(1))
    const { source } = await createLoadedSource(me, TEXT)
    expect((await remove(me, await get(me, source.id))).status).toBe(200)
    const second = await createLoadedSource(me, TEXT)
    const refused = await me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' })
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'limit_reached', max: 1 }])
    await remove(me, await get(me, second.source.id))
    expect((await me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' })).status).toBe(200)
  })
})

describe('a source', () => {
  it('is created once for a repeated idempotency key', async () => {
    const me = await signedIn()
    const input = sourceInput(await uploadText(me, TEXT))
    const headers = { 'idempotency-key': 'create-1' }
    const call = () => me.fetch('/api/data-sources', { method: 'POST', json: input, headers })
    const [one, two] = [await (await call()).json<DataSource>(), await (await call()).json<DataSource>()]
    expect(one).toEqual(two)
    expect(await countSources(me)).toBe(1)
    await waitForRun(me, one.lastRun?.id ?? '')
  })

  it('has a name that is unique whatever its case, on creating and renaming', async () => {
    const me = await signedIn()
    const { source } = await createLoadedSource(me, TEXT, { name: 'Försäljning' })
    const other = await createLoadedSource(me, TEXT, { name: 'Other' })
    const again = await createSource(me, sourceInput(await uploadText(me, TEXT), { name: ' FÖRSÄLJNING ' }))
    expect([again.status, await again.json()]).toMatchObject([409, { code: 'name_taken' }])
    const put = (name: string, version: number) =>
      me.fetch(`/api/data-sources/${other.source.id}`, { method: 'PUT', json: { name, version } })
    expect((await put('försäljning', 1)).status).toBe(409)
    expect((await put('Third', 1)).status).toBe(200)
    const late = await put('Fourth', 1)
    expect([late.status, await late.json()]).toMatchObject([
      409,
      { code: 'version_conflict', current: { name: 'Third', version: 2 } },
    ])
    await remove(me, await get(me, source.id))
    expect((await put('Försäljning', 2)).status).toBe(200)
    const back = await me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' })
    expect([back.status, await back.json()]).toMatchObject([409, { code: 'name_taken' }])
  })

  it('and its dataset give the slower of two editors a 409 with what is stored (CON-1)', async () => {
    const me = await signedIn()
    const { source, datasetId } = await createLoadedSource(me, TEXT)
    const dataset = await (await me.fetch(`/api/datasets/${datasetId}`)).json<Dataset>()
    const columns = dataset.columns.map(({ key, label, role, format, hidden }) => ({
      key,
      label,
      role,
      format,
      hidden,
    }))
    const current = await get(me, source.id)
    const edited = [
      { path: `/api/data-sources/${source.id}`, version: current.version, more: {} },
      { path: `/api/datasets/${datasetId}`, version: dataset.version, more: { columns } },
    ]
    for (const { path, version, more } of edited) {
      const put = (name: string) => me.fetch(path, { method: 'PUT', json: { ...more, name, version } })
      const answers = [await put('First'), await put('Second')]
      expect(answers.map(({ status }) => status)).toEqual([200, 409])
      expect(await answers[1]?.json()).toMatchObject({ code: 'version_conflict', current: { name: 'First' } })
      expect(await (await me.fetch(path)).json()).toMatchObject({ name: 'First', version: version + 1 })
    }
  })

  it('names its dependents before it is deleted, then hides its rows, and comes back whole', async () => {
    const me = await signedIn()
    const { source, datasetId } = await createLoadedSource(me, TEXT)
    const insight = `ins_${unique('x')}`
    await env.DB.batch([
      env.DB.prepare(
        "INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at) VALUES (?1, ?2, 'Margin', ?1, '{}', '{}', ?3, 0, 0)",
      ).bind(insight, me.workspaceId, me.userId),
      env.DB.prepare("INSERT INTO insight_fields VALUES (?, ?, 'c2')").bind(insight, datasetId),
    ])
    const current = await get(me, source.id)
    const refused = await remove(me, current)
    expect([refused.status, await refused.json()]).toMatchObject([
      409,
      { code: 'in_use', dependents: [{ type: 'insight', id: insight, name: 'Margin' }] },
    ])
    expect((await remove(me, { ...current, version: 9 }, '&force=1')).status).toBe(409)
    expect((await remove(me, current, '&force=1')).status).toBe(200)
    expect((await me.fetch(`/api/data-sources/${source.id}`)).status).toBe(404)
    expect((await me.fetch(`/api/datasets/${datasetId}`)).status).toBe(404)
    expect(await readTotals(me, datasetId)).not.toHaveProperty('rows')
    expect((await list(me, '?deleted=1')).items.map(({ id }) => id)).toEqual([source.id])
    expect((await me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' })).status).toBe(200)
    expect(await readTotals(me, datasetId)).toEqual({ rows: 2, sum: 30.75 })
  })

  it('is told to open pages within a second when it goes and when it comes back', async () => {
    const me = await signedIn()
    const { source, datasetId } = await createLoadedSource(me, TEXT)
    const page = await openTestSocket(me)
    const hears = async (call: Promise<Response>) => {
      const before = page.events().length
      expect((await call).status).toBe(200)
      const told = { kind: 'changed', noun: 'source', id: source.id }
      await expect.poll(() => page.events().slice(before), { timeout: 1_000 }).toContainEqual(told)
    }
    await hears(remove(me, await get(me, source.id)))
    expect(await readTotals(me, datasetId)).not.toHaveProperty('rows')
    await hears(me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' }))
    expect(await readTotals(me, datasetId)).toEqual({ rows: 2, sum: 30.75 })
    page.socket.close()
  })

  it('stays deleted after 30 days, when the sweep may be taking its rows away', async () => {
    const me = await signedIn()
    const { source } = await createLoadedSource(me, TEXT)
    await me.fetch(`/api/data-sources/${source.id}?version=1`, { method: 'DELETE' })
    const restore = () => me.fetch(`/api/data-sources/${source.id}/restore`, { method: 'POST' })
    const deletedAgo = (ms: number) =>
      env.DB.prepare('UPDATE data_sources SET deleted_at = ? WHERE id = ?')
        .bind(Date.now() - ms, source.id)
        .run()
    await deletedAgo(DELETED_RETENTION_MS)
    expect((await restore()).status).toBe(404)
    await deletedAgo(DELETED_RETENTION_MS - 60_000)
    expect((await restore()).status).toBe(200)
  })

  it('is listed by pages without gaps or repeats, and found by part of its name', async () => {
    const me = await signedIn(limited(20))
    const uploadId = await uploadText(me, TEXT)
    const names = ['Alfa', 'Beta', 'Gamma', 'Delta', 'Epsilon']
    for (const name of names) {
      const made = await createSource(me, sourceInput(uploadId, { name }))
      await waitForRun(me, (await made.json<DataSource>()).lastRun?.id ?? '')
    }
    const seen: string[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const listPage: ListPage<DataSource> = await list(
        me,
        `?limit=2${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`,
      )
      seen.push(...listPage.items.map(({ name }) => name))
      cursor = listPage.nextCursor
    }
    expect(seen.toSorted()).toEqual(names.toSorted())
    expect((await list(me, '?search=ALF')).items.map(({ name }) => name)).toEqual(['Alfa'])
    expect((await me.fetch('/api/data-sources?cursor=forged')).status).toBe(422)
    expect((await list(await otherWorkspace())).items).toEqual([])
  })
})

describe('a load that is stopped', () => {
  const ROWS = 15_000
  const big = () => sales(Array.from({ length: ROWS }, (_, at) => [`Customer ${at} ${'x'.repeat(300)}`, '1.00']))

  it('leaves no rows when its source is deleted meanwhile, and stays dead', { timeout: 60_000 }, async () => {
    const me = await signedIn()
    const made = await createSource(me, sourceInput(await uploadText(me, big())), env)
    const source = await made.json<DataSource>()
    expect((await remove(me, source)).status).toBe(200)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    const state = await env.DB.prepare('SELECT state FROM runs WHERE id = ?').bind(source.lastRun?.id).first('state')
    expect(state).toBe('cancelled')
    const row = env.DB.prepare('SELECT data_version FROM datasets WHERE source_id = ?').bind(source.id)
    expect(await row.first('data_version')).toBe(0)
    expect(await readTotals(me, source.datasets[0]?.id ?? '')).not.toHaveProperty('rows')
  })

  it('keeps what was there when it is cancelled, and can be tried again', { timeout: 60_000 }, async () => {
    const me = await signedIn()
    const made = await createSource(me, sourceInput(await uploadText(me, big())), env)
    const source = await made.json<DataSource>()
    const runId = source.lastRun?.id ?? ''
    const cancelled = await me.fetch(`/api/runs/${runId}/cancel`, { method: 'POST' })
    expect([cancelled.status, await cancelled.json()]).toMatchObject([200, { state: 'cancelled' }])
    expect((await get(me, source.id)).state).toBe('draft')
    const retry = await me.fetch(`/api/runs/${runId}/retry`, { method: 'POST' })
    expect(retry.status).toBe(201)
    const again = await waitForRun(me, (await retry.json<SyncRun>()).id)
    expect(again).toMatchObject({ state: 'succeeded', trigger: 'retry', rowsWritten: ROWS })
    expect((await runOf(me, runId)).state).toBe('cancelled')
    const runs = await (await me.fetch(`/api/data-sources/${source.id}/runs`)).json<ListPage<SyncRun>>()
    expect(runs.items.map(({ id }) => id)).toEqual([again.id, runId])
    expect((await me.fetch(`/api/runs/${again.id}/retry`, { method: 'POST' })).status).toBe(400)
  })

  it('ends when the person who started it is removed', { timeout: 60_000 }, async () => {
    const owner = await signedIn()
    const me = await signedIn({ workspaceId: owner.workspaceId, role: 'analyst' })
    const made = await createSource(me, sourceInput(await uploadText(me, big())), env)
    const source = await made.json<DataSource>()
    await env.DB.prepare('DELETE FROM members WHERE user_id = ?').bind(me.userId).run()
    const run = await waitForRun(owner, source.lastRun?.id ?? '')
    expect(run).toMatchObject({ state: 'failed', error: { code: 'forbidden' } })
    expect(await readTotals(owner, source.datasets[0]?.id ?? '')).not.toHaveProperty('rows')
  })

  it('shows as interrupted once nobody works on it any more', async () => {
    const me = await signedIn()
    const { source, run, datasetId } = await createLoadedSource(me, TEXT)
    const orphan = run.id.slice(0, -4) + '0000'
    await env.DB.prepare(
      `INSERT INTO runs (id, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key, file_name,
         request, state, started_at, bytes_total) SELECT ?2, workspace_id, source_id, dataset_id, actor_id, "trigger", 'replace', upload_id, object_key, file_name,
         request, 'running', ?3, bytes_total FROM runs WHERE id = ?1`,
    )
      .bind(run.id, orphan, Date.now() - 10 * 60_000)
      .run()
    const seen = await runOf(me, orphan)
    expect(seen).toMatchObject({ state: 'interrupted', finishedAt: expect.any(String) })
    expect(await readTotals(me, datasetId)).toEqual({ rows: 2, sum: 30.75 })
    expect((await get(me, source.id)).datasets[0]?.dataVersion).toBe(1)
  })
})

describe('who may do what', () => {
  it('refuses a visitor, a viewer’s writes and writes after the trial, and hides what is foreign', async () => {
    const me = await signedIn()
    const { source, datasetId, run } = await createLoadedSource(me, TEXT)
    const dataset = { name: 'X', version: 1, columns: [] }
    const calls: [string, string, unknown, 'read' | 'write'][] = [
      ['GET', `/api/data-sources/${source.id}`, undefined, 'read'],
      ['PUT', `/api/data-sources/${source.id}`, { name: 'X', version: 1 }, 'write'],
      ['DELETE', `/api/data-sources/${source.id}?version=1`, undefined, 'write'],
      ['POST', `/api/data-sources/${source.id}/restore`, {}, 'write'],
      ['GET', `/api/data-sources/${source.id}/runs`, undefined, 'read'],
      ['GET', `/api/datasets/${datasetId}`, undefined, 'read'],
      ['PUT', `/api/datasets/${datasetId}`, dataset, 'write'],
      ['GET', `/api/datasets/${datasetId}/preview`, undefined, 'read'],
      ['GET', `/api/datasets/${datasetId}/versions`, undefined, 'read'],
      ['POST', `/api/datasets/${datasetId}/rollback`, { dataVersion: 1 }, 'write'],
      ['GET', `/api/runs/${run.id}`, undefined, 'read'],
      ['POST', `/api/runs/${run.id}/cancel`, {}, 'write'],
      ['POST', `/api/runs/${run.id}/retry`, {}, 'write'],
      ['GET', `/files/runs/${run.id}/rejects`, undefined, 'read'],
    ]
    const viewer = await signedIn({ workspaceId: me.workspaceId, role: 'viewer' })
    const [stranger, ended, nobody] = [await otherWorkspace(), await expiredTrial(), await visitor()]
    for (const [method, path, json, kind] of calls) {
      const init = { method, ...(json === undefined ? {} : { json }) }
      const ask = async (who: { fetch: SignedIn['fetch'] }) => (await who.fetch(path, init)).status
      expect([method, path, await ask(nobody)]).toEqual([method, path, 401])
      expect([method, path, await ask(viewer)]).toEqual([method, path, kind === 'read' ? 200 : 403])
      expect([method, path, await ask(stranger)]).toEqual([method, path, 404])
      if (kind === 'write') expect([method, path, await ask(ended)]).toEqual([method, path, 402])
    }
    const upload = await uploadText(me, TEXT)
    for (const [who, status] of [
      [nobody, 401],
      [viewer, 403],
      [ended, 402],
    ] as const)
      expect((await who.fetch('/api/data-sources', { method: 'POST', json: sourceInput(upload) })).status).toBe(status)
  })

  it('refuses unknown keys in a body, also those that would move it elsewhere', async () => {
    const me = await signedIn()
    const uploadId = await uploadText(me, TEXT)
    for (const key of ['workspaceId', 'ownerId', 'id', 'state'])
      expect((await createSource(me, { ...sourceInput(uploadId), [key]: 'x' })).status).toBe(422)
  })
})

const newLoad = (uploadId: string) => {
  const { settings, columns } = newTable(uploadId)
  return { uploadId, settings, columns, mapping: columns.map(({ index }) => ({ index, key: `c${index}` })) }
}

describe('a source of several tables', () => {
  const settled = async (me: SignedIn, source: DataSource): Promise<DataSource> => {
    for (const run of source.lastRuns) await waitForRun(me, run.id)
    return get(me, source.id)
  }

  it('makes one dataset and one load of each, in one source of the plan', async () => {
    const me = await signedIn(limited(1))
    const [one, two] = [await uploadText(me, TEXT), await uploadText(me, sales([['Cia', 7]]), 'more.csv')]
    const tables = [newTable(one, { name: 'Orders' }), newTable(two, { name: 'Returns', keyColumns: [1] })]
    const made = await (await createSource(me, { name: 'Both', tables })).json<DataSource>()
    expect(made).toMatchObject({ state: 'syncing', datasets: [{ name: 'Orders' }, { name: 'Returns' }] })
    expect(made.lastRuns.map(({ datasetId }) => datasetId)).toEqual(made.datasets.map(({ id }) => id))
    const now = await settled(me, made)
    const byName = Object.fromEntries(now.datasets.map((dataset) => [dataset.name, dataset]))
    expect(now).toMatchObject({ state: 'ready', lastRun: { state: 'succeeded' } })
    expect(byName).toMatchObject({
      Orders: { rowCount: 2, keyColumns: [] },
      Returns: { rowCount: 1, keyColumns: ['c1'] },
    })
    expect(await readTotals(me, byName['Returns']?.id ?? '')).toEqual({ rows: 1, sum: 7 })
    expect(await countSources(me)).toBe(1)
  })

  it('says when one of its tables did not load, and which, until it is well again', async () => {
    const me = await signedIn()
    const bad = await uploadText(me, 'day,customer,amount\nnever,Anna,much\n', 'bad.csv')
    const good = [
      newTable(await uploadText(me, TEXT), { name: 'A' }),
      newTable(await uploadText(me, TEXT), { name: 'B' }),
    ]
    const tables = [...good, newTable(bad, { name: 'C' })]
    const made = await (await createSource(me, { name: 'Three', tables })).json<DataSource>()
    const now = await settled(me, made)
    expect(now).toMatchObject({ state: 'degraded', lastRun: { state: 'failed', fileName: 'bad.csv' } })
    expect(now.lastRuns.map(({ state }) => state).toSorted()).toEqual(['failed', 'succeeded', 'succeeded'])
    expect((await list(me)).items).toMatchObject([{ state: 'degraded', lastRun: { fileName: 'bad.csv' } }])
    const run = await me.fetch(`/api/datasets/${now.lastRun?.datasetId}/loads`, {
      method: 'POST',
      json: { ...newLoad(await uploadText(me, TEXT)), mode: 'replace' },
    })
    await waitForRun(me, (await run.json<SyncRun>()).id)
    expect(await get(me, made.id)).toMatchObject({ state: 'ready', lastRun: { state: 'succeeded' } })
  })

  it('names the table and the field that cannot be, and writes nothing', async () => {
    const me = await signedIn()
    const id = await uploadText(me, TEXT)
    const tables = [newTable(id), newTable(id, { columns: [textColumn(0, 'a'), textColumn(0, 'b')] })]
    const refused = await createSource(me, { name: 'Twice', tables })
    expect(await refused.json()).toMatchObject({
      code: 'invalid_input',
      fields: { 'tables.1.columns.1.index': 'Given twice.' },
    })
    const foreign = [newTable(id), newTable(await uploadText(await otherWorkspace(), TEXT))]
    expect((await createSource(me, { name: 'Foreign', tables: foreign })).status).toBe(404)
    for (const many of [[], Array.from({ length: SOURCE_MAX_DATASETS + 1 }, () => newTable(id))])
      expect((await createSource(me, { name: 'Many', tables: many })).status).toBe(422)
    expect(await countSources(me)).toBe(0)
  })

  it('takes more tables later, at most twenty in all, also when two ask at once', async () => {
    const me = await signedIn(limited(1))
    const { source } = await createLoadedSource(me, TEXT)
    const id = await uploadText(me, TEXT)
    const add = (count: number, to = source.id) =>
      me.fetch(`/api/data-sources/${to}/datasets`, {
        method: 'POST',
        json: { tables: Array.from({ length: count }, (_, at) => newTable(id, { name: `More ${at}` })) },
      })
    const first = await (await add(1)).json<DataSource>()
    expect(first.datasets.map(({ name }) => name)).toEqual([source.name, 'More 0'])
    await settled(me, first)
    const answers = await Promise.all([add(12), add(12)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 413])
    for (const answer of answers.filter(({ status }) => status === 413))
      expect(await answer.json()).toMatchObject({ code: 'too_large', what: 'datasets', max: SOURCE_MAX_DATASETS })
    const now = await settled(me, await get(me, source.id))
    expect(now.datasets.map(({ rowCount }) => rowCount)).toEqual(Array.from({ length: 14 }, () => 2))
    expect((await remove(me, now)).status).toBe(200)
    expect((await add(1)).status).toBe(404)
  })
})
