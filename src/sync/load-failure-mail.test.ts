import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { savePolicy } from '../../test/worker/access/guarded-workspace'
import { queuedMailsTo } from '../../test/worker/mails'
import { emailOf } from '../../test/worker/people'
import { signedIn, type SignedIn } from '../../test/worker/factories'
import {
  createLoadedSource,
  createSource,
  loadFileInto,
  runOf,
  sales,
  sourceInput,
  uploadText,
  waitForRun,
} from '../../test/worker/loads'
import type { DataSource } from '../shared/data-sources/data-sources'
import type { NotificationKind } from '../shared/account'

const GOOD = sales([['Anna', 1]])
const UNREADABLE = sales(Array.from({ length: 10 }, (_, at) => [`C${at}`, 'x']))

/** What a person was mailed about failed loads. */
const mailsOf = async ({ userId }: SignedIn) =>
  (await queuedMailsTo(await emailOf(userId))).filter(({ template }) => template === 'loadFailed')
const wants = (me: SignedIn, wanted: Partial<Record<NotificationKind, boolean>>): Promise<unknown> =>
  env.DB.prepare('UPDATE users SET notifications = ? WHERE id = ?').bind(JSON.stringify(wanted), me.userId).run()
/** A run under way that nobody works on: `secondsAgo` it was started. */
async function orphanRun(me: SignedIn, runId: string, secondsAgo = 600): Promise<string> {
  const orphan = `${runId.slice(0, -4)}0000`
  await env.DB.prepare(
    `INSERT INTO runs (id, workspace_id, source_id, dataset_id, actor_id, "trigger", mode, upload_id, object_key, file_name,
       request, state, started_at, bytes_total) SELECT ?2, workspace_id, source_id, dataset_id, actor_id, "trigger", 'replace',
       upload_id, object_key, file_name, request, 'running', ?3, bytes_total FROM runs WHERE id = ?1`,
  )
    .bind(runId, orphan, Date.now() - secondsAgo * 1000)
    .run()
  return orphan
}

it('tells whoever started a load that failed, once, what failed and what to do', async () => {
  const me = await signedIn()
  const { datasetId, source } = await createLoadedSource(me, GOOD)
  expect(await loadFileInto(me, datasetId, { text: UNREADABLE })).toMatchObject({ state: 'failed' })
  expect(await mailsOf(me)).toEqual([
    expect.objectContaining({
      ...{ template: 'loadFailed', sourceId: source.id, source: source.name, fileName: 'sales.csv', own: true },
      message: '10 of 10 rows are invalid. Check delimiter, decimal separator and column types.',
      advice: 'Correct the file, or import it again with other settings.',
      hasRows: true,
    }),
  ])
})

it('tells those who want to know of every failed load, but nobody of the portal and nobody else', async () => {
  const me = await signedIn()
  const { workspaceId } = me
  const [eager, quiet, client] = [
    await signedIn({ workspaceId, role: 'viewer' }),
    await signedIn({ workspaceId, role: 'admin' }),
    await signedIn({ workspaceId, role: 'client' }),
  ]
  await wants(me, { ownLoadFailed: false })
  await wants(eager, { loadFailed: true })
  await wants(client, { loadFailed: true })
  const { datasetId } = await createLoadedSource(me, GOOD)
  await loadFileInto(me, datasetId, { text: UNREADABLE })
  expect(await mailsOf(eager)).toEqual([expect.objectContaining({ own: false })])
  expect([await mailsOf(me), await mailsOf(quiet), await mailsOf(client)]).toEqual([[], [], []])
})

it('tells nobody of loads of data that rules of access hide from them, in part or at all', async () => {
  const me = await signedIn()
  const [hidden, masked, whole] = await Promise.all(
    [1, 2, 3].map(() => signedIn({ workspaceId: me.workspaceId, role: 'viewer' })),
  )
  for (const each of [hidden, masked, whole]) if (each) await wants(each, { loadFailed: true })
  const { datasetId, source } = await createLoadedSource(me, GOOD)
  const about = (who?: SignedIn) => ({
    subject: { kind: 'member', id: who?.userId ?? '' } as const,
    filters: [],
    active: true,
  })
  await savePolicy(me, {
    rules: [
      {
        ...{ name: 'Source', ...about(hidden), resource: { kind: 'source', id: source.id } },
        ...{ effect: 'hide', rows: 'all', columns: [] },
      },
      {
        ...{ name: 'Names', ...about(masked), resource: { kind: 'dataset', id: datasetId } },
        ...{ effect: 'allow', rows: 'unchanged', columns: [{ key: 'c1', grant: 'hash' }] },
      },
    ],
  })
  await loadFileInto(me, datasetId, { text: UNREADABLE })
  const told = await Promise.all([hidden, masked, whole].flatMap((each) => (each ? [mailsOf(each)] : [])))
  expect(told.map(({ length }) => length)).toEqual([0, 0, 1])
})

it('tells one who started it and wants to know of every one once', async () => {
  const me = await signedIn()
  await wants(me, { loadFailed: true })
  const { datasetId } = await createLoadedSource(me, GOOD)
  await loadFileInto(me, datasetId, { text: UNREADABLE })
  expect(await mailsOf(me)).toHaveLength(1)
})

it('tells one mail of tables that were started together', async () => {
  const me = await signedIn()
  const [one, two] = [await uploadText(me, UNREADABLE), await uploadText(me, UNREADABLE, 'more.csv')]
  const input = sourceInput(one)
  const [table] = input.tables
  if (!table) throw new Error('no table')
  const tables = [table, { ...table, name: 'More', uploadId: two }]
  const source = await (await createSource(me, { ...input, tables })).json<DataSource>()
  for (const { id } of source.lastRuns) expect(await waitForRun(me, id)).toMatchObject({ state: 'failed' })
  expect(await mailsOf(me)).toEqual([expect.objectContaining({ hasRows: false })])
})

it('tells of a load whose process ended, once however often it is looked at', async () => {
  const me = await signedIn()
  const { run } = await createLoadedSource(me, GOOD)
  const orphan = await orphanRun(me, run.id)
  const seen = await Promise.all([runOf(me, orphan), runOf(me, orphan)])
  expect(seen.map(({ state }) => state)).toEqual(['interrupted', 'interrupted'])
  await runOf(me, orphan)
  expect(await mailsOf(me)).toEqual([expect.objectContaining({ message: 'Import interrupted.', hasRows: true })])
})

it('tells nobody of a load that somebody stopped, nor of one that brought nothing new', async () => {
  const me = await signedIn()
  const { datasetId, run } = await createLoadedSource(me, GOOD)
  expect(await loadFileInto(me, datasetId, { text: GOOD })).toMatchObject({ state: 'unchanged' })
  const stopped = await orphanRun(me, run.id, 1)
  await me.fetch(`/api/runs/${stopped}/cancel`, { method: 'POST', json: {} })
  expect(await runOf(me, stopped)).toMatchObject({ state: 'cancelled' })
  expect(await mailsOf(me)).toEqual([])
})

it('tells nobody without a proven address', async () => {
  const me = await signedIn({ proven: false })
  const { datasetId } = await createLoadedSource(me, GOOD)
  await loadFileInto(me, datasetId, { text: UNREADABLE })
  expect(await mailsOf(me)).toEqual([])
})
