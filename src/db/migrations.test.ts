import { applyD1Migrations, env } from 'cloudflare:test'
import { expect, it } from 'vitest'

const db = env.EARLIER
const before = (name: string) => env.MIGRATIONS.filter((migration) => migration.name < name)
const rows = async (sql: string) => (await db.prepare(sql).all()).results

const PEOPLE = [
  ['usr_full', 'full@example.com', 'Åsa Full', 'hash', 'Controller', '["cash"]', 'done', 7, 'support', 11, null, 12],
  ['usr_bare', 'bare@example.com', 'Bo Bare', null, null, '[]', 'workspace', 1, null, 21, 22, 23],
]

/** People and what points at them, as the release before 0008 wrote it. */
async function populate(): Promise<void> {
  const person = db.prepare(
    `INSERT INTO users (id, email, name, password_hash, job, goals, onboarding, epoch, staff_role, terms_accepted_at, disabled_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  await db.batch([
    ...PEOPLE.map((values) => person.bind(...values)),
    db.prepare(
      `INSERT INTO workspaces (id, name, country, currency, number_locale, time_zone, fiscal_year_start, week_start, created_at)
       VALUES ('ws_1', 'Old AB', 'SE', 'SEK', 'sv-SE', 'UTC', 1, 'monday', 1)`,
    ),
    db.prepare("INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('ws_1', 'usr_full', 'owner', 1)"),
    db.prepare(
      "INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('ws_1', 'usr_bare', 'viewer', 2)",
    ),
    db.prepare("INSERT INTO sessions (hash, user_id, created_at, last_seen_at) VALUES ('h', 'usr_full', 1, 2)"),
    db.prepare(
      "INSERT INTO data_sources (id, workspace_id, type, name, name_key, state, owner_id, created_at, updated_at) VALUES ('src_1', 'ws_1', 'file', 'Orders', 'orders', 'ready', 'usr_full', 1, 1)",
    ),
    db.prepare("INSERT INTO outbox (id, kind, key, payload, created_at) VALUES ('out_1', 'mail', 'k', '{}', 1)"),
  ])
}

it('0008 keeps every person and whatever points at one, and lets an address be absent and still unique', async () => {
  await applyD1Migrations(db, before('0008'))
  await populate()
  const pointing = () =>
    Promise.all(
      [
        'SELECT workspace_id, user_id, role FROM members',
        'SELECT hash, user_id FROM sessions',
        'SELECT id, owner_id FROM data_sources',
      ].map(rows),
    )
  const [pointed, people] = [await pointing(), await rows('SELECT * FROM users ORDER BY id')]
  await applyD1Migrations(db, before('0009'))
  expect(await rows('SELECT * FROM users ORDER BY id')).toEqual(
    people.map((person) => ({
      ...person,
      email_proven_at: null,
      locale: null,
      avatar_key: null,
      notifications: '{}',
      deleted_at: null,
    })),
  )
  expect(people).toHaveLength(PEOPLE.length)
  expect(await pointing()).toEqual(pointed)
  expect(await rows('PRAGMA foreign_key_check')).toEqual([])
  expect(await rows('SELECT mail_domains, logo_key FROM workspaces')).toEqual([{ mail_domains: '[]', logo_key: null }])
  expect(await rows('SELECT next_attempt_at, failed_at FROM outbox')).toEqual([{ next_attempt_at: 0, failed_at: null }])
  const add = (id: string, email: string | null) =>
    db
      .prepare("INSERT INTO users (id, email, name, terms_accepted_at, created_at) VALUES (?, ?, 'New', 1, 1)")
      .bind(id, email)
      .run()
  await add('usr_no1', null)
  await add('usr_no2', null)
  await expect(add('usr_again', 'full@example.com')).rejects.toThrow(/UNIQUE/)
  await expect(db.prepare("DELETE FROM users WHERE id = 'usr_full'").run()).rejects.toThrow(/FOREIGN KEY/)
})

it('0009 remembers whose first workspace has had its trial', async () => {
  await applyD1Migrations(db, env.MIGRATIONS)
  expect(await rows("SELECT id, trial_started_at FROM users WHERE id IN ('usr_full', 'usr_bare') ORDER BY id")).toEqual(
    [
      { id: 'usr_bare', trial_started_at: null },
      { id: 'usr_full', trial_started_at: 1 },
    ],
  )
})
