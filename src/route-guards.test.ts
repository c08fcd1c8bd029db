import { describe, expect, it } from 'vitest'
import { createApp } from './app'
import { routeTable } from '../test/worker/http/route-table'

const routes = routeTable(createApp()).filter(({ path }) => /^\/((api|files)\/|live$)/.test(path))

describe('every call under /api and /files, and the socket', () => {
  it('is listed at all', () => {
    expect(routes.length).toBeGreaterThan(8)
  })

  it.each(routes)('$method $path stands behind a guard', ({ guards }) => {
    expect(guards.length).toBeGreaterThan(0)
  })

  it.each(routes.filter(({ guards }) => guards.some(({ kind }) => kind === 'open')))(
    '$method $path is open to anyone and demands nothing more',
    ({ guards }) => {
      expect(guards).toHaveLength(1)
    },
  )

  it.each(routes.filter(({ method, path }) => method !== 'GET' && !path.startsWith('/files/')))(
    '$method $path declares what it takes',
    ({ schemas, method }) => {
      expect(schemas.length).toBeGreaterThan(0)
      const bodies = schemas.filter(({ target }) => target === 'json')
      const none = schemas.filter(({ target }) => target === 'none')
      const signed = schemas.filter(({ target }) => target === 'signed')
      if (method === 'DELETE') expect(bodies, 'bodies only on POST and PUT').toEqual([])
      else expect(bodies.length + none.length + signed.length, 'one schema of the body, or none').toBe(1)
    },
  )

  it.each(routes.filter(({ method }) => method === 'GET'))('$method $path takes no body', ({ schemas }) => {
    expect(schemas.filter(({ target }) => target === 'json')).toEqual([])
  })

  it('uses no method but GET, POST, PUT and DELETE', () => {
    const usual = ['GET', 'POST', 'PUT', 'DELETE']
    expect(routes.map(({ method }) => method).filter((method) => !usual.includes(method))).toEqual([])
  })
})
