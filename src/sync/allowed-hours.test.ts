import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { allowedHours } from './allowed-hours'
import { signedIn } from '../../test/worker/factories'
import { fileSource, type FileSource } from '../../test/worker/syncs/file-source'
import { computeEntitlements, NO_SUBSCRIPTION } from '../shared/billing/entitlements'

const held = (premium: 'premium_sync_1' | 'premium_sync_3', tier = 5) =>
  computeEntitlements({ ...NO_SUBSCRIPTION, state: 'active', planId: 'legacy', tier, addOns: { [premium]: 1 } }, 0)

/** Sources of one workspace, the oldest first, wanted every so many hours. */
async function sourcesWanted(...hours: number[]): Promise<FileSource[]> {
  const person = await signedIn()
  const sources: FileSource[] = []
  for (const [at, frequencyHours] of hours.entries()) {
    const source = await fileSource({ person, frequencyHours })
    await env.DB.prepare('UPDATE data_sources SET created_at = ? WHERE id = ?').bind(at, source.sourceId).run()
    sources.push(source)
  }
  return sources
}
const hoursOf = (sources: FileSource[], entitlements: ReturnType<typeof held>): Promise<number[]> =>
  Promise.all(
    sources.map(({ deps, workspaceId, sourceId }) => allowedHours(deps(), { workspaceId, sourceId, entitlements })),
  )

it('gives hourly sync to as many sources as Premium sync names: the oldest that are wanted so', async () => {
  const sources = await sourcesWanted(24, 1, 3, 1, 1)
  const [first] = sources
  if (!first) throw new Error('There is none.')
  expect(await hoursOf(sources, held('premium_sync_1'))).toEqual([6, 1, 6, 6, 6])
  expect(await hoursOf(sources, held('premium_sync_3'))).toEqual([6, 1, 1, 1, 6])
  const fresh = { workspaceId: first.workspaceId, sourceId: null }
  expect(await allowedHours(first.deps(), { ...fresh, entitlements: held('premium_sync_3') })).toBe(6)
})

it('leaves the place of a source that is frozen, gone or wanted less often to another', async () => {
  const sources = await sourcesWanted(1, 1, 24)
  const [older, newer] = sources
  if (!older || !newer) throw new Error('There are not two.')
  const { workspaceId } = older
  // The smaller tier keeps the newer one.
  await env.DB.prepare("INSERT INTO kept (workspace_id, kind, entity_id) VALUES (?, 'source', ?)")
    .bind(workspaceId, newer.sourceId)
    .run()
  const [, hours] = await hoursOf(sources, held('premium_sync_1', 1))
  expect(hours).toBe(1)
  await env.DB.prepare('UPDATE data_sources SET deleted_at = 1 WHERE workspace_id = ? AND id <> ?')
    .bind(workspaceId, newer.sourceId)
    .run()
  await env.DB.prepare('UPDATE connections SET frequency_hours = 24 WHERE source_id = ?').bind(newer.sourceId).run()
  expect(await allowedHours(newer.deps(), { workspaceId, sourceId: null, entitlements: held('premium_sync_1') })).toBe(
    1,
  )
})
