import { Hono } from 'hono'

/** The yardstick of A1: the least that a signed-in read could be. */
export default new Hono().get('/person', async (c) =>
  c.json(await c.env.DB.prepare('SELECT id, name FROM people WHERE id = ?').bind(1).first(), 200),
)
