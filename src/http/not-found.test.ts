import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp } from '../app'
import { untilWritten } from '../../test/worker/test-database'
import { signedIn } from '../../test/worker/factories'
import { routeTable } from '../../test/worker/http/route-table'
import { sampleOf } from '../../test/worker/schema-samples'

const app = createApp()
const withParameter = routeTable(app).filter(({ path }) => /^\/(api|files)\/.*:/.test(path))
const anOwner = untilWritten(() => signedIn({ app, staff: true }))
let logged: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => logged.mockRestore())

it.each(withParameter)('$method $path, called by that very text, is 404', async ({ method, path, schemas }) => {
  const me = await anOwner()
  const schema = schemas.find(({ target }) => target === 'json')?.schema
  const body = schema ? JSON.stringify(sampleOf(schema).value) : undefined
  const answer = await me.fetch(path, { method, ...(body === undefined ? {} : { body }) })
  expect([answer.status, (await answer.json<{ code: string }>()).code]).toEqual([404, 'not_found'])
  expect(logged.mock.calls).toEqual([])
})
