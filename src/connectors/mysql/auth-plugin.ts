import { weakSignIn } from '../databases/refusals'
import { utf8 } from '../databases/wire'
import { concatBytes } from '../../lib/concat-bytes'

/** Plugins of MySQL that never say the password to whoever listens. */
export type AuthPlugin = 'caching_sha2_password' | 'mysql_native_password'

const digest = async (way: 'SHA-1' | 'SHA-256', ...parts: Uint8Array[]): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest(way, new Uint8Array(concatBytes(parts))))
const xor = (a: Uint8Array, b: Uint8Array): Uint8Array => a.map((byte, i) => byte ^ (b[i] ?? 0))

/** @throws SourceError for plugins that say the password in the open, or nearly so */
export function requireSafePlugin(name: string): AuthPlugin {
  if (name === 'caching_sha2_password' || name === 'mysql_native_password') return name
  throw weakSignIn()
}

/** What shows that the password is known, for a nonce of the server. */
export async function scramblePassword(plugin: AuthPlugin, password: string, nonce: Uint8Array): Promise<Uint8Array> {
  if (password === '') return new Uint8Array(0)
  const secret = utf8(password)
  if (plugin === 'mysql_native_password') {
    const once = await digest('SHA-1', secret)
    return xor(once, await digest('SHA-1', nonce, await digest('SHA-1', once)))
  }
  const once = await digest('SHA-256', secret)
  return xor(once, await digest('SHA-256', await digest('SHA-256', once), nonce))
}
