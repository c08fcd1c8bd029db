import { env } from 'cloudflare:test'
import Stripe from 'stripe'
import { createEmulator, type StripeEmulator } from '../../emulators/stripe/emulator.ts'
import { createApp } from '../../src/app'
import type { Deps } from '../../src/deps'
import { readSettings, type Settings } from '../../src/settings'
import { callApp, ORIGIN } from './factories'
import { syncPriceList } from '../../src/features/billing/price-list'

const SECRET_KEY = 'sk_test_standin'
const WEBHOOK_SECRET = 'whsec_standin'
const STRIPE = 'http://localhost:4242'

export interface BillingFixture {
  app: ReturnType<typeof createApp>
  emulator: StripeEmulator
  /** The clock of both; move it with `clock.move(ms)`, then `emulator.tick()`. */
  clock: { now: () => number; move: (ms: number) => void }
  settings: Settings
  /** To be spread into `createDeps` or `signedIn({ deps })`. */
  overrides: Partial<Deps>
  /** The real library, talking to the emulator directly. */
  stripe: Stripe
}

/** The real library, over a fetch that reaches the emulator. */
export const stripeClientFor = (emulator: Pick<StripeEmulator, 'fetch'>, key = SECRET_KEY): Stripe =>
  new Stripe(key, {
    host: 'localhost',
    port: 4242,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
    httpClient: Stripe.createFetchHttpClient((input, init) => emulator.fetch(new Request(input, init))),
  })

/**
 * An app whose Stripe calls go to an in-process emulator that is filled with the catalogue, and whose webhooks come
 * back into the same app when `emulator.tick()` is called.
 * @param options `now`: a clock of one's own (milliseconds); else it stands where it was, and `clock.move` moves it
 */
export async function createBillingFixture(options: { now?: () => number } = {}): Promise<BillingFixture> {
  let moved = 0
  const base =
    options.now ??
    (
      (at) => () =>
        at
    )(Date.now())
  const clock = {
    now: () => base() + moved,
    move: (ms: number) => {
      moved += ms
    },
  }
  const emulator = createEmulator({
    origin: STRIPE,
    secretKey: SECRET_KEY,
    webhook: {
      url: `${ORIGIN}/api/stripe/webhook`,
      secret: WEBHOOK_SECRET,
      send: async (request) =>
        callApp(app, '/api/stripe/webhook', {
          method: 'POST',
          headers: Object.fromEntries(request.headers),
          body: await request.text(),
        }),
    },
    now: clock.now,
  })
  const parsed = readSettings({
    ...env,
    STRIPE_SECRET_KEY: SECRET_KEY,
    STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
    STRIPE_API_URL: STRIPE,
  })
  if (!parsed.ok) throw new Error(parsed.problem)
  const { settings } = parsed
  const overrides: Partial<Deps> = { settings, operatorFetcher: emulator.fetch, clock, onOutbox: () => undefined }
  const app = createApp(overrides)
  const stripe = stripeClientFor(emulator)
  await syncPriceList(stripe)
  return { app, emulator, clock, settings, overrides, stripe }
}
