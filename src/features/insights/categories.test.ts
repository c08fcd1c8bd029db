import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { signedIn, unique, type Caller } from '../../../test/worker/factories'
import { systemIds } from '../../deps'
import { CATEGORIES_MAX, type Category } from '../../shared/insights'
import type { ListPage } from '../../shared/field-schemas'

const make = (me: Caller, name: string) =>
  me.fetch('/api/categories', { method: 'POST', json: { name, icon: 'folder' } })
const made = async (me: Caller, name: string): Promise<Category> => (await make(me, name)).json()
const names = async (me: Caller): Promise<string[]> =>
  (await (await me.fetch('/api/categories')).json<ListPage<Category>>()).items.map(({ name }) => name)
/** An insight in a category, as a row. */
async function inside(me: { workspaceId: string; userId: string }, categoryId: string): Promise<string> {
  const id = systemIds.next('insight')
  await env.DB.prepare(
    `INSERT INTO insights (id, workspace_id, name, name_key, plan, viz, owner_id, created_at, updated_at, category_id)
     VALUES (?, ?, ?4, ?4, '{}', '{}', ?3, 1, 1, ?5)`,
  )
    .bind(id, me.workspaceId, me.userId, unique('insight'), categoryId)
    .run()
  return id
}

it('keeps the order that people give, and names unique', async () => {
  const me = await signedIn()
  const [a, b, c] = [await made(me, 'A'), await made(me, 'B'), await made(me, 'C')]
  expect(await names(me)).toEqual(['A', 'B', 'C'])
  await me.fetch('/api/categories', { method: 'PUT', json: { ids: [c.id, a.id] } })
  expect(await names(me)).toEqual(['C', 'A', 'B'])
  expect(await (await make(me, ' b ')).json()).toMatchObject({ code: 'name_taken' })
  const put = (version: number) =>
    me.fetch(`/api/categories/${b.id}`, { method: 'PUT', json: { name: 'Costs', icon: 'receipt', version } })
  expect(await (await put(1)).json()).toMatchObject({ name: 'Costs', icon: 'receipt', version: 2 })
  expect(await (await put(1)).json()).toMatchObject({ code: 'version_conflict', current: { name: 'Costs' } })
  const foreign = await made(await signedIn(), 'X')
  expect((await me.fetch('/api/categories', { method: 'PUT', json: { ids: [foreign.id] } })).status).toBe(404)
})

it('refuses a 51st category, also when several come at once', async () => {
  const me = await signedIn()
  const row = env.DB.prepare(
    "INSERT INTO categories (id, workspace_id, name, name_key, icon, position, created_at) VALUES (?, ?, ?3, ?3, 'box', 1, 1)",
  )
  await env.DB.batch(
    Array.from({ length: CATEGORIES_MAX - 1 }, (_, n) => row.bind(systemIds.next('category'), me.workspaceId, `n${n}`)),
  )
  const answers = await Promise.all(['A', 'B', 'C'].map((name) => make(me, name)))
  expect(answers.map(({ status }) => status).toSorted((x, y) => x - y)).toEqual([201, 409, 409])
})

it('is deleted only once it is said where its insights go', async () => {
  const me = await signedIn()
  const [a, b] = [await made(me, 'A'), await made(me, 'B')]
  const id = await inside(me, a.id)
  const remove = async (search: string) =>
    (await me.fetch(`/api/categories/${a.id}?version=1${search}`, { method: 'DELETE' })).json<{ code?: string }>()
  expect(await remove('')).toMatchObject({ code: 'in_use', dependents: [{ type: 'insight', id }] })
  expect(await remove(`&replacement=${a.id}`)).toMatchObject({ code: 'invalid_input' })
  expect(await remove(`&replacement=${(await made(await signedIn(), 'X')).id}`)).toMatchObject({
    ...{ code: 'invalid_input' },
  })
  expect((await remove(`&replacement=${b.id}`)).code).toBeUndefined()
  const where = env.DB.prepare('SELECT category_id FROM insights WHERE id = ?')
  expect([await names(me), await where.bind(id).first('category_id')]).toEqual([['B'], b.id])
  expect((await me.fetch(`/api/categories/${b.id}?version=1&replacement=none`, { method: 'DELETE' })).status).toBe(200)
  expect(await where.bind(id).first('category_id')).toBeNull()
})
