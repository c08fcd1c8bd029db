import { env } from 'cloudflare:test'

/** A namespace that goes on answering what it once held, as the edge does for a minute. */
export function staleKv(): KVNamespace {
  const held = new Map<string, unknown>()
  return new Proxy(env.SESSIONS, {
    get(target, name) {
      if (name === 'get')
        return async (key: string) => {
          const value = held.get(key) ?? (await target.get(key, 'json'))
          held.set(key, value)
          return value
        }
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
