import type { Result, Router } from 'hono/router'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { SmartRouter } from 'hono/router/smart-router'
import { TrieRouter } from 'hono/router/trie-router'

/** Routes are told apart by their first two segments, and by how many there are. */
const PREFIX_SEGMENTS = 2
const segmentsOf = (path: string): string[] => path.split('/').slice(1)
const groupOf = (segments: readonly string[]): string =>
  `${segments.length} ${segments.slice(0, PREFIX_SEGMENTS).join('/')}`

interface RegisteredRoute<T> {
  method: string
  path: string
  handler: T
}

/**
 * The framework's own routers, one for each group of paths. One for all paths has to be the slow one: its fast router
 * takes no tables where `/a/:id/x` and `/a/new` are both a path. Patterns that fit several groups are in each, in order.
 */
export class PathRouter<T> implements Router<T> {
  readonly name = 'PathRouter'
  readonly #groups = new Map<string, Router<T>>()
  /** For paths of no group. */
  readonly #others: Router<T> = libraryRouter()
  readonly #shared: RegisteredRoute<T>[] = []

  add(method: string, path: string, handler: T): void {
    const segments = segmentsOf(path)
    if (path.includes('*') || hasOpenPrefix(segments)) {
      this.#shared.push({ method, path, handler })
      for (const router of [this.#others, ...this.#groups.values()]) router.add(method, path, handler)
      return
    }
    this.#groupFor(groupOf(segments)).add(method, path, handler)
  }

  match(method: string, path: string): Result<T> {
    return (this.#groups.get(groupOf(segmentsOf(path))) ?? this.#others).match(method, path)
  }

  #groupFor(key: string): Router<T> {
    const known = this.#groups.get(key)
    if (known) return known
    const router = libraryRouter<T>()
    for (const added of this.#shared) router.add(added.method, added.path, added.handler)
    this.#groups.set(key, router)
    return router
  }
}

const libraryRouter = <T>(): Router<T> => new SmartRouter<T>({ routers: [new RegExpRouter<T>(), new TrieRouter<T>()] })

/** Whether paths of several groups fit: the first segments are not all fixed, or the last may be absent. */
const hasOpenPrefix = (segments: readonly string[]): boolean =>
  segments.some((segment, at) => segment.endsWith('?') || (at < PREFIX_SEGMENTS && segment.startsWith(':')))
