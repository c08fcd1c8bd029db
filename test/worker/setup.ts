import { applyD1Migrations, env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll } from 'vitest'
import { emptyDatabase } from './test-database'
import { seedOf } from '../seed'

fc.configureGlobal({ seed: seedOf(env.LONG === '1') })

beforeAll(async () => {
  await applyD1Migrations(env.DB, env.MIGRATIONS)
  await emptyDatabase()
})
