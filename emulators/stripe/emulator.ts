import { Hono } from 'hono'
import { runDue } from './clock.ts'
import { createPageActions } from './pages/create-page-actions.ts'
import type { PageActions } from './pages/page-actions.ts'
import { apiGateway } from './api-gateway.ts'
import { deliver, eventBody, signedRequest, type Webhook } from './events.ts'
import { pages } from './pages/routes.ts'
import { setFaults, simRoutes } from './sim-routes.ts'
import { emptyState, type FaultMode, type State, type WebhookMode } from './state.ts'
import { Simulation } from './simulation.ts'

export interface EmulatorOptions {
  /** Where it answers: addresses of its pages begin with this. */
  origin: string
  /** The key that callers must have; `sk_live_…` makes everything live mode. */
  secretKey: string
  /** Where events go; null = they are only listed. */
  webhook: Webhook | null
  /** The real clock, in milliseconds. */
  now?: () => number
  /** What `save` was given before. */
  saved?: string
  /** Called with everything after each call that may have changed something. */
  save?: (json: string) => void
  /** Countries of the accounts to which bank transfers may go. */
  bankTransferCountries?: readonly string[]
  /** What becomes of a subscription when no further attempt to charge its card follows. */
  afterRetries?: 'past_due' | 'unpaid' | 'canceled'
}

export type EventBody = ReturnType<typeof eventBody>

export interface StripeEmulator {
  /** @throws ConnectionClosed where a real one would close the connection */
  fetch: (request: Request) => Promise<Response>
  /** Does what is due by its clock and delivers each event that waits once. */
  tick: () => Promise<void>
  /** Moves its clock: whatever it tells is that much older afterwards. Nothing is delivered before `tick`. */
  advance: (ms: number) => void
  /** All events so far, oldest first. */
  events: () => EventBody[]
  /** The request that delivers an event, signed now. */
  signed: (event: object) => Promise<Request>
  /** What people do on its pages. */
  desk: PageActions
  fail: (mode: FaultMode, times?: number, ms?: number) => void
  webhooks: (mode: WebhookMode) => void
}

// Countries that Stripe's guides name for transfers within the EU.
const COUNTRIES = ['BE', 'DE', 'ES', 'FR', 'IE', 'NL']

/** Saved states are its own: what an older version left out is empty. */
const restoreState = (json: string): State => ({ ...emptyState(), ...JSON.parse(json) })

const EVENTS_MAX = 2_000
/** Events that were heard are not kept for ever. */
function pruneEvents(state: State): void {
  if (state.events.length <= EVENTS_MAX) return
  state.events = state.events.slice(-EVENTS_MAX / 2)
  const kept = new Set(state.events.map(({ id }) => id))
  state.deliveries = state.deliveries.filter(({ event }) => kept.has(event))
}

/** Differs when something happened or was delivered. */
const stateFingerprint = ({ events, deliveries }: State): string =>
  `${events.at(-1)?.id} ${deliveries.reduce((sum, { attempts }) => sum + attempts, 0)}`

const createSimulation = (options: EmulatorOptions): Simulation =>
  new Simulation({
    origin: options.origin,
    livemode: options.secretKey.includes('_live_'),
    now: options.now ?? Date.now,
    bankTransferCountries: options.bankTransferCountries ?? COUNTRIES,
    afterRetries: options.afterRetries ?? 'past_due',
    ...(options.saved === undefined ? {} : { state: restoreState(options.saved) }),
  })

/** A stand-in for Stripe: its API for the library, its pages for people, and `/_sim` for what only a stand-in can do. */
export function createEmulator(options: EmulatorOptions): StripeEmulator {
  const { webhook, save } = options
  const world = createSimulation(options)
  let marked = ''
  const kept = (): void => {
    pruneEvents(world.state)
    marked = stateFingerprint(world.state)
    save?.(JSON.stringify(world.state))
  }
  const tick = async (): Promise<void> => {
    runDue(world)
    if (webhook !== null) await deliver(world, webhook)
    if (stateFingerprint(world.state) !== marked) kept()
  }
  const advance = (ms: number): void => {
    world.state.ahead += Math.round(ms / 1000)
    runDue(world)
    kept()
  }
  const desk = createPageActions(world)
  const app = new Hono()
    .route('/', apiGateway(world, options.secretKey))
    .route('/_sim', simRoutes(world, { advance, tick }))
    .route('/', pages(desk))
    .onError((error) => {
      throw error
    })
  return {
    fetch: async (request) => {
      const response = await app.fetch(request)
      if (request.method !== 'GET') kept()
      return response
    },
    tick,
    advance,
    events: () => world.state.events.map((event) => eventBody(world, event)),
    signed: (event) => {
      if (webhook === null) throw new Error('the stand-in has no webhook')
      return signedRequest(world, webhook, event)
    },
    desk,
    fail: (mode, times = 1_000_000_000, ms = 15_000) => setFaults(world, { mode, times, ms }),
    webhooks: (mode) => {
      world.state.webhooks = mode
    },
  }
}
