import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { connectionStore } from './connection-store'
import { openCredentials, sealCredentials } from './credentials'
import { rotateSecrets } from './rotate-secrets'
import { signedIn } from '../../test/worker/factories'
import { createDeps, systemIds } from '../deps'
import { keyIdOf } from '../secrets/secret-box'
import { readSettings } from '../settings'

const keyOf = (id: string): string => `${id}:${btoa(id.padEnd(32, '.'))}`
const depsWith = (...keys: string[]) => {
  const parsed = readSettings({ ...env, SECRETS_KEYS: keys.map(keyOf).join(',') })
  if (!parsed.ok) throw new Error(parsed.problem)
  return createDeps(env, parsed.settings, { waitUntil: () => undefined })
}

it('seals everything with a new key, some at a time and killed anywhere, and is held up by nothing unreadable (CONN-4)', async () => {
  const { workspaceId, userId } = await signedIn()
  const [before, both, after] = [depsWith('old'), depsWith('new', 'old'), depsWith('new')]
  const store = connectionStore(before.db, workspaceId)
  const add = async (sourceId: string, sealedBy: typeof before) => {
    const sealed = await sealCredentials(sealedBy, { workspaceId, sourceId }, { headers: `X: ${sourceId}` })
    await env.DB.batch([
      env.DB.prepare(
        `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
         VALUES (?1, ?2, 'url', ?1, ?1, 'ready', ?3, 0, 0)`,
      ).bind(sourceId, workspaceId, userId),
      store.insert(
        {
          ...{ sourceId, kind: 'url', settings: {}, secrets: sealed?.sealed ?? null, frequencyHours: 24 },
          ...{ nextAt: null, pushTokenHash: null },
        },
        sealed?.keyId ?? null,
      ),
    ])
    return sourceId
  }
  // Sealed with a key that is gone: first in every order.
  for (const n of [1, 2, 3]) await add(`src_${'0'.repeat(19)}${n}`, depsWith('gone'))
  const ids = await Promise.all(Array.from({ length: 5 }, () => add(systemIds.next('source'), before)))
  const rows = () => Promise.all(ids.map((id) => store.get(id)))
  for (let round = 0; round < 20; round += 1) {
    await rotateSecrets(both, 2)
    for (const row of await rows())
      expect(row && (await openCredentials(both, row))).toEqual({ headers: `X: ${row?.sourceId}` })
  }
  expect((await rows()).map((row) => keyIdOf(row?.secrets ?? ''))).toEqual(ids.map(() => 'new'))
  for (const row of await rows()) expect(row && (await openCredentials(after, row))).toBeTruthy()
  expect(await rotateSecrets(both, 2)).toBe(0)
})
