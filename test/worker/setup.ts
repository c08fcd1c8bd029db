import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { afterEach, beforeAll } from 'vitest'
import { freshDatabase } from './test-database'
import { seedOf } from '../seed'

fc.configureGlobal({ seed: seedOf(env.LONG === '1') })

beforeAll(freshDatabase)

/** What the product told its log in a test: it is printed when the test fails. Each printed line is a call to another process. */
const told: unknown[][] = []
console.info = (...line) => void told.push(line)
afterEach(({ task }) => {
  const lines = told.splice(0)
  if (task.result?.state === 'fail') for (const line of lines) console.log(...line)
})
