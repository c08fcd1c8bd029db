import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createBillingFixture } from '../../../test/worker/billing-fixture'
import { signedIn } from '../../../test/worker/factories'
import type { ChangePreview, SubscriptionView } from '../../shared/billing/subscription'

const DAY_MS = 24 * 60 * 60 * 1000
let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, 'info').mockImplementation(() => undefined)
})
afterEach(() => logged.mockRestore())

it('shows that nothing is charged for a larger plan before the first payment, and charges nothing', async () => {
  const billing = await createBillingFixture()
  const { app, clock, emulator, stripe } = billing
  const me = await signedIn({ app, subscription: { trialEndsAt: clock.now() + 5 * DAY_MS } })
  const say = async <T>(path: string, method: string, json: object): Promise<T> => {
    const answer = await me.fetch(path, { method, json })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.json()
  }
  const small = { planId: 'personal', interval: 'monthly', addOns: [] }
  const large = { ...small, planId: 'professional' }
  const { url } = await say<{ url: string }>('/api/stripe/checkout', 'POST', { ...small, method: 'card' })
  emulator.desk.payCheckout(url.split('/').at(-1)?.split(/[?#]/)[0] ?? '', 'works')
  await emulator.tick()
  const charged = async (): Promise<number> =>
    (await stripe.invoices.list({ limit: 100 })).data.reduce((sum, { amount_due: due }) => sum + due, 0)
  const shown = await say<ChangePreview>('/api/subscription/preview', 'POST', { ...large, method: 'card' })
  expect(shown).toMatchObject({ when: 'now', dueNow: { minor: 0 }, lines: [], recurring: { minor: 89_500 } })
  const { version } = await (await me.fetch('/api/subscription')).json<SubscriptionView>()
  const body = { ...large, version, prorationAt: shown.prorationAt }
  const after = await say<SubscriptionView>('/api/subscription', 'PUT', body)
  await emulator.tick()
  expect(after).toMatchObject({ state: 'active', planId: 'professional', periodEndsAt: shown.recurringFrom })
  expect(await charged()).toBe(0)
  clock.move(6 * DAY_MS)
  await emulator.tick()
  expect(await charged()).toBe(shown.recurring.minor)
})
