import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { connectionStore } from './connection-store'
import { openCredentials, sealCredentials } from './credentials'
import { rotateSecrets } from './rotate-secrets'
import { signedIn } from '../../test/worker/factories'
import { faultyStores, STORE_FAULTS } from '../../test/worker/syncs/faulty-stores'
import { openDatabase } from '../db/database'
import { createDeps, systemIds } from '../deps'
import { keyIdOf } from '../secrets/secret-box'
import { readSettings } from '../settings'

const keyOf = (id: string): string => `${id}:${btoa(id.padEnd(32, '.'))}`
const depsWith = (...keys: string[]) => {
  const parsed = readSettings({ ...env, SECRETS_KEYS: keys.map(keyOf).join(',') })
  if (!parsed.ok) throw new Error(parsed.problem)
  return createDeps(env, parsed.settings, { waitUntil: () => undefined })
}

async function sources(count: number) {
  const { workspaceId, userId } = await signedIn()
  const before = depsWith('old')
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
  const ids = await Promise.all(Array.from({ length: count }, () => add(systemIds.next('source'), before)))
  const rows = async () =>
    (await Promise.all(ids.map((id) => store.get(id)))).map((row) => {
      if (!row) throw new Error('no connection')
      return row
    })
  const assertReadable = async (deps: typeof before): Promise<void> => {
    for (const row of await rows()) expect(await openCredentials(deps, row)).toEqual({ headers: `X: ${row.sourceId}` })
  }
  const sealedWith = async () => (await rows()).map(({ secrets }) => keyIdOf(secrets ?? ''))
  return { add, assertReadable, sealedWith, ids }
}

/** Before any call of the database of a rotation of so many, and after it. */
const KILLS = STORE_FAULTS.flatMap((kind) => Array.from({ length: 10 }, (_, n) => ({ nth: n + 1, kind })))

it(`stays readable through ${KILLS.length} kills of a rotation, each of which the next round goes on from (CONN-4)`, async () => {
  const both = depsWith('new', 'old')
  for (const { nth, kind } of KILLS) {
    const { assertReadable, sealedWith, ids } = await sources(9)
    const stores = faultyStores()
    stores.breakAt(nth, kind)
    const dying = { ...both, db: openDatabase(stores.bindings.DB) }
    await expect(rotateSecrets(dying, ids.length)).rejects.toThrow('connection lost')
    const done = (await sealedWith()).filter((key) => key === 'new').length
    // The first call reads what is to be done, each of the others writes one: what was written before the kill stays.
    expect([nth, kind, done]).toEqual([nth, kind, Math.max(0, kind === 'before' ? nth - 2 : nth - 1)])
    await assertReadable(both)
    await rotateSecrets(both)
    expect(await sealedWith()).toEqual(ids.map(() => 'new'))
    await assertReadable(depsWith('new'))
  }
})

it('seals everything with a new key, some at a time, and is held up by nothing unreadable', async () => {
  const { add, assertReadable, sealedWith, ids } = await sources(5)
  // Sealed with a key that is gone: first in every order.
  for (const n of [1, 2, 3]) await add(`src_${'0'.repeat(19)}${n}`, depsWith('gone'))
  const both = depsWith('new', 'old')
  for (let round = 0; round < 4; round += 1) {
    await rotateSecrets(both, 2)
    await assertReadable(both)
  }
  expect(await sealedWith()).toEqual(ids.map(() => 'new'))
  await assertReadable(depsWith('new'))
  expect(await rotateSecrets(both, 2)).toBe(0)
})
