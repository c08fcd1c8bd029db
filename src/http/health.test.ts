import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { createApp } from '../app'
import { databaseState } from '../db/database'

const context = { waitUntil: () => undefined, passThroughOnException: () => undefined, props: {} }
/** What a probe reads over a database whose newest migration is this one. */
async function healthOver(migration: string | null) {
  const first = () => Promise.resolve(migration)
  const d1 = { prepare: () => ({ first }) }
  const answer = await createApp().fetch(
    new Request('http://localhost:8787/health'),
    { ...env, DB: d1, ASSETS: {} },
    context,
  )
  return { status: answer.status, ...(await answer.json<{ ok: boolean; database: string; needs: string }>()) }
}

it('says which release serves and how its database stands to it (STO-3)', async () => {
  const now = env.MIGRATIONS.at(-1)?.name ?? ''
  expect(await healthOver(now)).toMatchObject({
    status: 200,
    ok: true,
    database: 'current',
    migration: now,
    needs: now,
  })
  expect(await healthOver(env.MIGRATIONS[3]?.name ?? '')).toMatchObject({ status: 503, ok: false, database: 'older' })
  expect(await healthOver(null)).toMatchObject({ status: 503, ok: false, database: 'empty' })
  // Migrations come before the code that needs them.
  expect(await healthOver('9999_later.sql')).toMatchObject({ status: 200, ok: true, database: 'newer' })
})

it('compares by number', () => {
  expect(databaseState('0009_a.sql', '0010_a.sql')).toBe('older')
  expect(databaseState('0011_a.sql', '0010_b.sql')).toBe('newer')
})
