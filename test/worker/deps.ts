import { env } from 'cloudflare:test'
import { createDeps, type Deps } from '../../src/deps'
import { readSettings } from '../../src/settings'

/** The product's own dependencies at a given instant. Mails wait in the outbox: nothing runs on after the test. */
export function depsAt(now: number): Deps {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const overrides = { clock: { now: () => now }, onOutbox: () => undefined, onCommit: () => undefined }
  return createDeps(env, parsed.settings, { waitUntil: () => undefined }, overrides)
}
