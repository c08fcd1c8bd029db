import { Hono } from 'hono'
import { z } from 'zod'
import type { TestPostgres } from './server.ts'

const passwordSchema = z.object({ password: z.string().min(1) })
const upSchema = z.object({ up: z.boolean() })

/** `/_sim/postgres`: what the owner of the server can do to it. */
export const postgresSimRoutes = (database: TestPostgres): Hono =>
  new Hono()
    .basePath('/_sim/postgres')
    .post('/password', async (c) => {
      database.setPassword(passwordSchema.parse(await c.req.json()).password)
      return c.json({ ok: true })
    })
    .post('/up', async (c) => {
      database.setUp(upSchema.parse(await c.req.json()).up)
      return c.json({ ok: true })
    })
    .post('/run', async (c) => {
      await database.run(await c.req.text())
      return c.json({ ok: true })
    })
    .onError((error, c) => c.json({ problem: String(error) }, 400))
