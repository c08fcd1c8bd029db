import { Hono } from 'hono'
import { runDue } from './clock.ts'
import { eventBody } from './events.ts'
import { StripeError } from './errors.ts'
import { FAULT_MODES, WEBHOOK_MODES } from './state.ts'
import { bankTransfer } from './transfers.ts'
import type { Simulation } from './simulation.ts'

const DAY_MS = 86_400_000
/** Until it is taken back. */
const UNTIL_RESET = 1_000_000_000

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? new Map<string, unknown>(Object.entries(body)).get(name) : undefined

/** `/_sim`: what only a stand-in can do. */
export function simRoutes(
  simulation: Simulation,
  { advance, tick }: { advance: (ms: number) => void; tick: () => Promise<void> },
): Hono {
  return new Hono()
    .post('/clock', async (c) => {
      const body: unknown = await c.req.json()
      const days = field(body, 'advanceDays')
      const ms = field(body, 'advanceMs')
      const by = typeof days === 'number' ? days * DAY_MS : typeof ms === 'number' ? ms : Number.NaN
      if (!(by >= 0)) return c.json({ problem: 'advanceDays is a number of days' }, 400)
      advance(by)
      await tick()
      return c.json({ aheadSeconds: simulation.state.ahead })
    })
    .post('/bank-transfer', async (c) => {
      const body: unknown = await c.req.json()
      const invoice = field(body, 'invoice')
      const amount = field(body, 'amount')
      try {
        runDue(simulation)
        bankTransfer(simulation, String(invoice), typeof amount === 'number' ? amount : undefined)
      } catch (error) {
        if (error instanceof StripeError) return c.json({ problem: error.message }, 400)
        throw error
      }
      await tick()
      return c.json({ ok: true })
    })
    .post('/fail', async (c) => {
      const body: unknown = await c.req.json()
      const mode = FAULT_MODES.find((one) => one === field(body, 'mode'))
      if (mode === undefined) return c.json({ problem: `mode is one of ${FAULT_MODES.join(', ')}` }, 400)
      const [times, ms] = [field(body, 'times'), field(body, 'ms')]
      setFaults(simulation, {
        mode,
        times: typeof times === 'number' ? times : UNTIL_RESET,
        ms: typeof ms === 'number' ? ms : 15_000,
      })
      return c.json({ ok: true })
    })
    .post('/webhooks', async (c) => {
      const body: unknown = await c.req.json()
      const mode = WEBHOOK_MODES.find((one) => one === field(body, 'mode'))
      if (mode === undefined) return c.json({ problem: `mode is one of ${WEBHOOK_MODES.join(', ')}` }, 400)
      simulation.state.webhooks = mode
      await tick()
      return c.json({ ok: true })
    })
    .get('/events', (c) => c.json({ events: simulation.state.events.map((one) => eventBody(simulation, one)) }))
}

/** What goes wrong with the next calls (`none`: nothing any more); `decline` refuses the next charges of cards. */
export function setFaults(
  simulation: Simulation,
  { mode, times, ms }: NonNullable<Simulation['state']['faults']>,
): void {
  if (mode === 'none') {
    simulation.state.faults = null
    simulation.state.declines = 0
  } else if (mode === 'decline') simulation.state.declines = times
  else simulation.state.faults = { mode, times, ms }
}
