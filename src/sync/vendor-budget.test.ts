import { createExecutionContext, env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { doorsFor } from './credentials'
import { sheetsConnector } from '../connectors/google-sheets/sheets-connector'
import type { RegisteredConnector } from '../connectors/registry'
import { createDeps } from '../deps'
import { readSettings } from '../settings'
import { systemIds } from '../deps'
import type { VendorRate } from '../shared/data-sources/connectors'

const CALLS = 3
const MINUTE_MS = 60_000

function kindOf(of: VendorRate['of'], title: string): RegisteredConnector {
  const description = { ...sheetsConnector.describe(), title, rate: { calls: CALLS, perMs: MINUTE_MS, of } }
  return {
    connector: { ...sheetsConnector, describe: () => description },
    operatorOf: () => ({ keys: {}, origins: { vendor: 'https://vendor.example' } }),
  }
}

/** How many of the calls that two sources of two workspaces make within a minute are let through. */
async function letThrough(of: VendorRate['of'], at: number): Promise<number> {
  const parsed = readSettings(env)
  if (!parsed.ok) throw new Error(parsed.problem)
  const deps = createDeps(env, parsed.settings, createExecutionContext(), {
    clock: { now: () => at },
    targetFetcher: () => Promise.resolve(new Response('{}')),
  })
  const sources = [systemIds.next('source'), systemIds.next('source')]
  const doors = sources.map((source) => doorsFor(deps, kindOf(of, source), source))
  let count = 0
  for (let round = 0; round < CALLS; round += 1)
    for (const door of doors) {
      const answered = await door.operator({ origin: 'vendor', path: '/' }).then(
        () => true,
        (error: unknown) => (expect(error).toMatchObject({ reason: 'busy' }), false),
      )
      if (answered) count += 1
    }
  return count
}

it.each([
  ['vendor', CALLS],
  ['connection', 2 * CALLS],
] as const)('calls that a vendor allows each %s are counted over all workspaces', async (of, allowed) => {
  // A day of its own: other tests of the same kind count in theirs.
  expect(await letThrough(of, Date.UTC(2031, 0, of === 'vendor' ? 1 : 2))).toBe(allowed)
})
