import { TrieRouter } from 'hono/router/trie-router'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { PathRouter } from './path-router'

type Matches = { handler: number; params: Record<string, string> }[]

/** What a router finds, in the order in which it would be called. */
function found(router: PathRouter<number> | TrieRouter<number>, method: string, path: string): Matches {
  const [handlers, stash] = router.match(method, path)
  return handlers.map(([handler, params]) => ({
    handler,
    params: Object.fromEntries(
      Object.entries(params).map(([name, value]) => [name, typeof value === 'number' ? (stash?.[value] ?? '') : value]),
    ),
  }))
}

const { routes } = createApp()
const [ours, library] = [new PathRouter<number>(), new TrieRouter<number>()]
routes.forEach(({ method, path }, at) => {
  ours.add(method, path, at)
  library.add(method, path, at)
})
const filled = (path: string): string => path.replace(/:\w+(\{[^}]*\})?/g, 'abc_1')
const VARIANTS: readonly ((path: string) => string)[] = [
  (path) => filled(path),
  (path) => `${filled(path)}/more`,
  (path) => `${filled(path)}/`,
  (path) => filled(path).replace(/\/[^/]*$/, ''),
  (path) => filled(path).replace(/\/[^/]*$/, '/new'),
]
const all = routes.flatMap(({ path }) => VARIANTS.map((vary) => vary(path.replace('*', 'a/b'))))
const paths = new Set(all.filter((path) => path.startsWith('/')))

describe('the routers of groups of paths', () => {
  it.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])('find what one router for all paths finds: %s', (method) => {
    let calls = 0
    for (const path of [...paths, '/', '/a', '/api', '//', '/api//x', '/files/x/y/z/ü']) {
      const expected = found(library, method, path)
      calls += expected.length
      expect({ path, found: found(ours, method, path) }).toEqual({ path, found: expected })
    }
    expect(calls).toBeGreaterThan(1_000)
  })

  it('keeps patterns that came before a group, and after it, in order', () => {
    const router = new PathRouter<number>()
    for (const [at, path] of ['*', '/a/b', '/a/*', '/a/:id', '/a/b/:x', '/:any/b'].entries())
      router.add('GET', path, at)
    expect(found(router, 'GET', '/a/b').map(({ handler }) => handler)).toEqual([0, 1, 2, 3, 5])
    expect(found(router, 'GET', '/z/b')).toEqual([
      { handler: 0, params: {} },
      { handler: 5, params: { any: 'z' } },
    ])
  })
})
