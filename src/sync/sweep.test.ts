import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { resendChangedDatasets, purgeDeletedDatasets, purgeUnneededOriginals, reconcileRuns } from './sweep'
import { signedIn, type SignedIn } from '../../test/worker/factories'
import {
  createSource,
  waitForRun,
  createLoadedSource,
  loadFileInto,
  runOf,
  sales,
  sourceInput,
  readTotals,
  uploadText,
} from '../../test/worker/loads'
import { createDeps } from '../deps'
import { readSettings } from '../settings'
import { DELETED_RETENTION_MS } from '../shared/limits'
import type { DataSource } from '../shared/data-sources/data-sources'

const DAY_MS = 24 * 60 * 60 * 1000
function depsIn(ms: number) {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const clock = { now: () => Date.now() + ms }
  return createDeps(env, parsed.settings, { waitUntil: () => undefined }, { clock })
}
const text = (amount: number) => sales([['Anna', amount]])
const keysOf = async (me: SignedIn) => {
  const { results } = await env.DB.prepare(
    'SELECT object_key AS key FROM runs WHERE workspace_id = ? ORDER BY started_at',
  )
    .bind(me.workspaceId)
    .all<{ key: string | null }>()
  return results.map(({ key }) => key)
}
const dropUploads = (me: SignedIn) =>
  env.DB.prepare('DELETE FROM uploads WHERE workspace_id = ?').bind(me.workspaceId).run()
const remove = async (me: SignedIn, id: string) => {
  const { version } = await (await me.fetch(`/api/data-sources/${id}`)).json<DataSource>()
  return me.fetch(`/api/data-sources/${id}?version=${version}`, { method: 'DELETE' })
}

describe('the sweep', () => {
  it('keeps the originals of the last three loads and lets older ones go after a day', async () => {
    const me = await signedIn()
    const { datasetId } = await createLoadedSource(me, text(1))
    for (const amount of [2, 3, 4]) await loadFileInto(me, datasetId, { text: text(amount) })
    await dropUploads(me)
    const before = await keysOf(me)
    await purgeUnneededOriginals(depsIn(0))
    expect(await keysOf(me)).toEqual(before)
    await purgeUnneededOriginals(depsIn(2 * DAY_MS))
    expect(await keysOf(me)).toEqual([null, ...before.slice(1)])
    expect(await env.FILES.head(before[0] ?? '')).toBeNull()
    for (const key of before.slice(1)) expect(await env.FILES.head(key ?? '')).not.toBeNull()
  })

  it('removes for good what was deleted 30 days ago, and nothing younger', async () => {
    const me = await signedIn()
    const [gone, kept] = [await createLoadedSource(me, text(1)), await createLoadedSource(me, text(2))]
    const [key] = await keysOf(me)
    expect((await remove(me, gone.source.id)).status).toBe(200)
    await purgeDeletedDatasets(depsIn(DELETED_RETENTION_MS - DAY_MS))
    expect(await env.FILES.head(key ?? '')).not.toBeNull()
    await purgeDeletedDatasets(depsIn(DELETED_RETENTION_MS + DAY_MS))
    const { results } = await env.DB.prepare('SELECT id FROM data_sources WHERE workspace_id = ?')
      .bind(me.workspaceId)
      .all()
    expect(results).toEqual([{ id: kept.source.id }])
    expect(await env.FILES.head(key ?? '')).toBeNull()
    expect(await readTotals(me, kept.datasetId)).toEqual({ rows: 1, sum: 2 })
    expect(await readTotals(me, gone.datasetId)).not.toHaveProperty('rows')
  })

  it('keeps a file that another dataset was loaded from too', async () => {
    const me = await signedIn()
    const uploadId = await uploadText(me, text(1))
    const made = async () => (await createSource(me, sourceInput(uploadId))).json<DataSource>()
    const [gone, kept] = [await made(), await made()]
    for (const { lastRun } of [gone, kept]) await waitForRun(me, lastRun?.id ?? '')
    const [key] = await keysOf(me)
    expect((await remove(me, gone.id)).status).toBe(200)
    await purgeDeletedDatasets(depsIn(DELETED_RETENTION_MS + DAY_MS))
    expect(await env.FILES.head(key ?? '')).not.toBeNull()
  })

  it('ends runs that nobody works on', async () => {
    const me = await signedIn()
    const { run } = await createLoadedSource(me, text(1))
    const orphan = `${run.id.slice(0, -4)}zzzz`
    await env.DB.prepare(
      `INSERT INTO runs (id, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key, file_name,
         request, state, started_at, bytes_total) SELECT ?2, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key,
         file_name, request, 'queued', ?3, bytes_total FROM runs WHERE id = ?1`,
    )
      .bind(run.id, orphan, Date.now() - DAY_MS)
      .run()
    await reconcileRuns(depsIn(0))
    expect((await runOf(me, orphan)).state).toBe('interrupted')
    expect((await runOf(me, run.id)).state).toBe('succeeded')
  })

  it('repeats to the warehouse what was deleted lately, and leaves the rest as it is', async () => {
    const me = await signedIn()
    const [gone, kept] = [await createLoadedSource(me, text(1)), await createLoadedSource(me, text(2))]
    await env.DB.prepare('UPDATE data_sources SET deleted_at = ?2, updated_at = ?2, version = 2 WHERE id = ?1')
      .bind(gone.source.id, Date.now())
      .run()
    const rename = { name: 'Renamed', version: 1 }
    await me.fetch(`/api/data-sources/${kept.source.id}`, { method: 'PUT', json: rename })
    expect(await readTotals(me, gone.datasetId)).toEqual({ rows: 1, sum: 1 })
    await resendChangedDatasets(depsIn(0))
    expect(await readTotals(me, gone.datasetId)).not.toHaveProperty('rows')
    expect(await readTotals(me, kept.datasetId)).toEqual({ rows: 1, sum: 2 })
  })
})
