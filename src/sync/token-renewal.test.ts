import { createExecutionContext, env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { connectionStore } from './connection-store'
import { openConnection, openCredentials, sealCredentials } from './credentials'
import { rotateSecrets } from './rotate-secrets'
import { signedIn } from '../../test/worker/factories'
import { vismaWithAccess } from '../../test/worker/connectors/visma-fixture'
import { VISMA_TEST_KEYS } from '../../emulators/vendors/test-keys.ts'
import { createDeps, systemIds, type Deps } from '../deps'
import { readSettings } from '../settings'

const ORIGIN = 'https://visma.example'
const HOUR_MS = 3_600_000

/** A connected Visma source whose access token has run out, and a stand-in that takes each refresh token once. */
async function expiredSource() {
  const { workspaceId, userId } = await signedIn()
  const { emulator, secrets } = await vismaWithAccess()
  const parsed = readSettings({
    ...env,
    VISMA_CLIENT_ID: VISMA_TEST_KEYS.clientId,
    VISMA_CLIENT_SECRET: VISMA_TEST_KEYS.clientSecret,
    VISMA_API_URL: ORIGIN,
    VISMA_IDENTITY_URL: ORIGIN,
  })
  if (!parsed.ok) throw new Error(parsed.problem)
  const meanwhile: { do: (() => Promise<unknown>) | null } = { do: null }
  const overrides: Partial<Deps> = {
    settings: parsed.settings,
    async targetFetcher(request) {
      const answer = await emulator.fetch(request)
      const work = meanwhile.do
      meanwhile.do = null
      await work?.()
      return answer
    },
  }
  const deps = createDeps(env, parsed.settings, createExecutionContext(), overrides)
  const sourceId = systemIds.next('source')
  await env.DB.prepare(
    `INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at)
     VALUES (?1, ?2, 'visma', 'Visma', ?1, 'ready', ?3, ?4, ?4)`,
  )
    .bind(sourceId, workspaceId, userId, Date.now())
    .run()
  const store = connectionStore(deps.db, workspaceId)
  const expired = { ...secrets, expiresAt: String(Date.now() - HOUR_MS) }
  const sealed = await sealCredentials(deps, { workspaceId, sourceId }, expired)
  await store
    .insert(
      {
        ...{ sourceId, kind: 'visma', settings: { company: 'Nordviks' }, secrets: sealed?.sealed ?? null },
        ...{ frequencyHours: 24, nextAt: null, pushTokenHash: null },
      },
      sealed?.keyId ?? null,
    )
    .run()
  const row = async () => {
    const found = await store.get(sourceId)
    if (!found) throw new Error('no connection')
    return found
  }
  return { deps, emulator, row, meanwhile }
}

it('renews a token once for five syncs at once, and loses no refresh token (CONN-5)', async () => {
  const { deps, emulator, row } = await expiredSource()
  const stale = await row()
  const all = await Promise.all(Array.from({ length: 5 }, () => openConnection(deps, stale)))
  expect(emulator.desk.issued).toMatchObject({ code: 1, refresh: 1 })
  const held = all.map(({ context }) => context.connection.secrets['refreshToken'])
  expect(new Set(held).size).toBe(1)
  for (const { registered, context } of all)
    expect((await registered.connector.test(context)).account).toContain('Nordviks')
  // The one that is stored is good for the next renewal.
  emulator.world.advance(2 * HOUR_MS)
  const { registered, context } = await openConnection(deps, await row())
  const issued = await registered.connector.authorise?.renew(context)
  expect(issued?.secrets['refreshToken']).not.toBe(held[0])
})

it('holds nobody up where the vendor refused: whoever comes next renews at once', async () => {
  const { deps, emulator, row } = await expiredSource()
  const away = { ...deps, targetFetcher: () => Promise.resolve(new Response('', { status: 500 })) }
  await expect(openConnection(away, await row())).rejects.toMatchObject({ reason: 'down' })
  const begun = Date.now()
  await openConnection(deps, await row())
  expect(emulator.desk.issued).toMatchObject({ refresh: 1 })
  expect(Date.now() - begun).toBeLessThan(5_000)
})

it('keeps what was issued although its secrets are sealed with another key meanwhile, and what somebody entered then', async () => {
  const { deps, row, meanwhile } = await expiredSource()
  const stale = await row()
  const ring = deps.settings.SECRETS_KEYS ?? ''
  const fresh = `fresh:${btoa('k'.repeat(32))},${ring}`
  const rotating = { ...deps, settings: { ...deps.settings, SECRETS_KEYS: fresh } }
  meanwhile.do = () => rotateSecrets(rotating)
  const renewed = await openConnection(rotating, stale)
  const kept = await openCredentials(rotating, await row())
  expect(kept['refreshToken']).toBe(renewed.context.connection.secrets['refreshToken'])
  expect(kept['refreshToken']).not.toBe((await openCredentials(deps, stale))['refreshToken'])

  const other = await expiredSource()
  const before = await other.row()
  const entered = { accessToken: 'entered', refreshToken: 'entered', expiresAt: String(Date.now() + HOUR_MS) }
  other.meanwhile.do = async () => {
    const sealed = await sealCredentials(other.deps, before, entered)
    if (!sealed) throw new Error('not sealed')
    const store = connectionStore(other.deps.db, before.workspaceId)
    await store.setSecrets(before.sourceId, { ...sealed, version: before.secretsVersion }).run()
  }
  expect((await openConnection(other.deps, before)).context.connection.secrets).toEqual(entered)
})
