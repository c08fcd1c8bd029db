import { brokenWire, textOf, utf8 } from '../databases/wire'
import { equalText } from '../../lib/hash'

/** Sign-in by SCRAM-SHA-256 (RFC 5802, RFC 7677): both sides prove that they know the password, and neither says it. */
/** The platform works out no more; servers ask for some thousand. */
const ROUNDS_MAX = 100_000

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const fromBase64 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(atob(text), (each) => each.charCodeAt(0))
const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(utf8(text))

async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<Uint8Array<ArrayBuffer>> {
  const made = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  return new Uint8Array(await crypto.subtle.sign('HMAC', made, bytesOf(text)))
}
const sha256 = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))

export interface ScramExchange {
  /** What is sent first. */
  first: string
  /** What is sent upon the server's first message, and what it must answer to that. */
  answer(serverFirst: Uint8Array): Promise<{ message: string; isServer: (final: Uint8Array) => boolean }>
}

/** @param nonce at least 18 random bytes */
export function scramExchange(password: string, nonce: Uint8Array): ScramExchange {
  const own = base64(nonce)
  const bare = `n=,r=${own}`
  return {
    first: `n,,${bare}`,
    async answer(serverFirst) {
      const said = textOf(serverFirst)
      const part = (name: string): string => new RegExp(`(?:^|,)${name}=([^,]*)`).exec(said)?.[1] ?? ''
      const [all, salt, rounds] = [part('r'), part('s'), Number(part('i'))]
      const isRight = all.startsWith(own) && all.length > own.length && salt !== ''
      if (!isRight || !BASE64.test(salt) || !Number.isInteger(rounds) || rounds < 1 || rounds > ROUNDS_MAX)
        throw brokenWire()
      const secret = await crypto.subtle.importKey('raw', bytesOf(password.normalize('NFKC')), 'PBKDF2', false, [
        'deriveBits',
      ])
      const how = { name: 'PBKDF2', hash: 'SHA-256', salt: fromBase64(salt), iterations: rounds }
      const salted = new Uint8Array(await crypto.subtle.deriveBits(how, secret, 256))
      const clientKey = await hmac(salted, 'Client Key')
      const without = `c=biws,r=${all}`
      const message = `${bare},${said},${without}`
      const signature = await hmac(await sha256(clientKey), message)
      const proof = clientKey.map((byte, i) => byte ^ (signature[i] ?? 0))
      const expected = `v=${base64(await hmac(await hmac(salted, 'Server Key'), message))}`
      return {
        message: `${without},p=${base64(proof)}`,
        isServer: (final) => equalText(textOf(final), expected),
      }
    },
  }
}
