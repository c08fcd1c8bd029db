import { applyD1Migrations, env } from 'cloudflare:test'
import { beforeAll } from 'vitest'
import { emptyDatabase } from './database'

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS)
  await emptyDatabase()
})
