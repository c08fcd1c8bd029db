import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../../app'
import { readSettings } from '../../env'
import { signedIn } from '../../../test/worker/factories'
import type { SignedIn } from '../../../test/worker/factories'
import type { WorkspaceSummary } from '../../shared/session'

const ROUNDS = env['LONG'] === '1' ? 200 : 5

/** An app with something to buy. */
function selling() {
  const parsed = readSettings({ ...env, STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' })
  if (!parsed.ok) throw new Error(parsed.problem)
  return createApp({ settings: parsed.settings })
}
const NEW = {
  ...{ name: 'Another', country: 'SE', currency: 'SEK', numberLocale: 'sv-SE', timeZone: 'Europe/Stockholm' },
  ...{ fiscalYearStart: 1, weekStart: 'monday' },
}
async function stateOfNew(me: SignedIn): Promise<string> {
  const { id } = await (await me.fetch('/api/workspaces', { method: 'POST', json: NEW })).json<WorkspaceSummary>()
  const row = await env.DB.prepare('SELECT state, trial_ends_at FROM subscriptions WHERE workspace_id = ?')
    .bind(id)
    .first<{ state: string; trial_ends_at: number | null }>()
  expect(row?.trial_ends_at === null).toBe(row?.state !== 'trialing')
  return row?.state ?? ''
}

describe('the trial of a person', () => {
  it('is one: a further workspace awaits its checkout, and is read-only until then', async () => {
    const me = await signedIn({ app: selling(), role: 'viewer' })
    expect([await stateOfNew(me), await stateOfNew(me)]).toEqual(['trialing', 'awaiting_checkout'])
  })

  it('is one of several workspaces that are made at once', async () => {
    const app = selling()
    for (let round = 0; round < ROUNDS; round++) {
      const me = await signedIn({ app })
      const states = await Promise.all(Array.from({ length: 4 }, () => stateOfNew(me)))
      expect(states.filter((state) => state === 'trialing')).toHaveLength(1)
    }
  })

  it('is given with every workspace where there is nothing to buy', async () => {
    const me = await signedIn({ app: createApp() })
    expect([await stateOfNew(me), await stateOfNew(me)]).toEqual(['trialing', 'trialing'])
  })
})
