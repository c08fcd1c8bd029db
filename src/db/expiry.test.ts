import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { REPLY_RETENTION_MS, deleteExpiredReplies, deleteExpiredSessions } from './expiry'
import { openDatabase } from './database'
import { aPerson } from '../../test/worker/factories'
import { SESSION_IDLE_MS, SESSION_MAX_MS } from '../shared/limits'

const NOW = Date.UTC(2026, 5, 1)
const deps = { db: openDatabase(env.DB), clock: { now: () => NOW } }

it('removes sessions at their idle and absolute end, and no earlier', async () => {
  const userId = await aPerson()
  const add = (hash: string, createdAt: number, seenAt: number) =>
    env.DB.prepare('INSERT INTO sessions (hash, user_id, created_at, last_seen_at) VALUES (?, ?, ?, ?)')
      .bind(hash, userId, createdAt, seenAt)
      .run()
  await add('idle-ended', NOW - SESSION_IDLE_MS, NOW - SESSION_IDLE_MS)
  await add('idle-not-yet', NOW - SESSION_IDLE_MS, NOW - SESSION_IDLE_MS + 1)
  await add('absolute-ended', NOW - SESSION_MAX_MS, NOW)
  await add('absolute-not-yet', NOW - SESSION_MAX_MS + 1, NOW)
  await deleteExpiredSessions(deps)
  const { results } = await env.DB.prepare("SELECT hash FROM sessions WHERE hash LIKE '%-%' ORDER BY hash").all()
  expect(results).toEqual([{ hash: 'absolute-not-yet' }, { hash: 'idle-not-yet' }])
})

it('removes stored replies after their week, and no earlier', async () => {
  const add = (key: string, at: number) =>
    env.DB.prepare(
      "INSERT INTO idempotency (scope, key, body_hash, status, body, created_at) VALUES ('s', ?, '', 200, '', ?)",
    )
      .bind(key, at)
      .run()
  await add('old', NOW - REPLY_RETENTION_MS)
  await add('young', NOW - REPLY_RETENTION_MS + 1)
  await deleteExpiredReplies(deps)
  expect((await env.DB.prepare("SELECT key FROM idempotency WHERE scope = 's'").all()).results).toEqual([
    { key: 'young' },
  ])
})
