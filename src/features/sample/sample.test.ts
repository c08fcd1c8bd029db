import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { finishInterruptedRemovals } from './service'
import { createDeps } from '../../deps'
import { readSettings } from '../../settings'
import { signedIn, type SignedIn } from '../../../test/worker/factories'
import { aRowOfEach } from '../../../test/worker/resources'
import type { Sample } from '../../shared/sample'

const sampleRow = (me: SignedIn, state: string, updatedAt: number) =>
  env.DB.prepare("INSERT INTO samples (workspace_id, state, job_id, updated_at) VALUES (?, ?, 'dead', ?)")
    .bind(me.workspaceId, state, updatedAt)
    .run()
const stateOf = async (me: SignedIn): Promise<Sample> => (await me.fetch('/api/sample')).json<Sample>()
const sourcesOf = (me: SignedIn): Promise<number | null> =>
  env.DB.prepare('SELECT count(*) AS n FROM data_sources WHERE workspace_id = ?')
    .bind(me.workspaceId)
    .first<number>('n')

it('shows a sample whose job has died as failed, and starts it over when asked', async () => {
  const me = await signedIn()
  await sampleRow(me, 'loading', Date.now() - 4 * 60_000)
  expect(await stateOf(me)).toMatchObject({ state: 'failed', message: 'It was interrupted. Try again.' })
  expect(await (await me.fetch('/api/sample', { method: 'POST' })).json<Sample>()).toMatchObject({ state: 'loading' })
  expect((await stateOf(me)).state).toBe('loading')
  await me.fetch('/api/sample', { method: 'DELETE' })
})

it('does not start a second job beside one at work', async () => {
  const me = await signedIn()
  await sampleRow(me, 'loading', Date.now())
  expect((await me.fetch('/api/sample', { method: 'POST' })).status).toBe(202)
  const row = env.DB.prepare('SELECT job_id FROM samples WHERE workspace_id = ?').bind(me.workspaceId)
  expect(await row.first<string>('job_id')).toBe('dead')
})

it('finishes by its sweep a removal that was cut short, and leaves a person’s own sources alone', async () => {
  const [me, other] = [await signedIn(), await signedIn()]
  for (const { workspaceId, userId } of [me, other]) await aRowOfEach(workspaceId, userId)
  await env.DB.prepare('UPDATE data_sources SET sample = 1 WHERE workspace_id = ?').bind(me.workspaceId).run()
  await sampleRow(me, 'removed', Date.now())
  await sampleRow(other, 'removed', Date.now())
  const parsed = readSettings({ ...env })
  if (!parsed.ok) throw new Error(parsed.problem)
  await finishInterruptedRemovals(createDeps(env, parsed.settings, { waitUntil: () => undefined }))
  expect([await sourcesOf(me), await sourcesOf(other)]).toEqual([0, 1])
})
