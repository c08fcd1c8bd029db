import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { beforeAll } from 'vitest'
import { freshDatabase } from './test-database'
import { seedOf } from '../seed'

fc.configureGlobal({ seed: seedOf(env.LONG === '1') })

beforeAll(freshDatabase)
