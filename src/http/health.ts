import { Hono } from 'hono'
import type { AppEnv } from './context'

/** `/health`: what an operator's probe reads. */
export const health = new Hono<AppEnv>().get('/', (c) =>
  c.json({ ok: true, release: c.get('deps').settings.RELEASE }, 200),
)
