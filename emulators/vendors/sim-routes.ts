import { Hono } from 'hono'
import { z } from 'zod'
import { VENDOR_FAULTS, type VendorSimulation } from './simulation.ts'

const clockSchema = z.object({ advanceMs: z.number().min(0) })
const failSchema = z.object({
  mode: z.enum(VENDOR_FAULTS),
  after: z.int().min(0).default(0),
  times: z.int().min(1).default(1),
})

export interface SimControls {
  /** The account's people take their consent back. */
  revoke: () => void
  /** Changes what the vendor's customer has, by the name of a change. Answers what came of it; null = no such change. */
  change: (name: string) => object | null
}

/** `/_sim`: what only a stand-in can do. */
export const simRoutes = (world: VendorSimulation, controls: SimControls): Hono =>
  new Hono()
    .post('/clock', async (c) => {
      world.advance(clockSchema.parse(await c.req.json()).advanceMs)
      return c.json({ now: new Date(world.now()).toISOString() })
    })
    .post('/fail', async (c) => {
      const { mode, after, times } = failSchema.parse(await c.req.json())
      world.order(mode, { after, times })
      return c.json({ ok: true })
    })
    .post('/revoke', (c) => {
      controls.revoke()
      return c.json({ ok: true })
    })
    .post('/change/:name', (c) => {
      const done = controls.change(c.req.param('name'))
      return done === null ? c.json({ problem: 'no such change' }, 404) : c.json(done)
    })
    .get('/calls', (c) => c.json({ calls: world.calls }))
    .onError((error, c) => c.json({ problem: String(error) }, 400))
