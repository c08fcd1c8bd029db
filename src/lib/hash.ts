import { createHash } from 'node:crypto'

const encoder = new TextEncoder()
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
/** Bytes as lowercase hex. */
export function toHex(bytes: ArrayBuffer): string {
  let text = ''
  for (const byte of new Uint8Array(bytes)) text += HEX[byte] ?? ''
  return text
}

/** SHA-256 of UTF-8 text, lowercase hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', encoder.encode(text)))
}

/** HMAC-SHA-256 of UTF-8 text, lowercase hex. */
export async function hmacSha256Hex(secret: string, text: string): Promise<string> {
  return toHex(await crypto.subtle.sign('HMAC', await hmacKey(secret), encoder.encode(text)))
}

/** The last secret's key: an installation signs with one, and each request takes it. */
let lastKey: { secret: string; key: CryptoKey } | null = null
async function hmacKey(secret: string): Promise<CryptoKey> {
  if (lastKey?.secret === secret) return lastKey.key
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['sign'])
  lastKey = { secret, key }
  return key
}

/** Compares without telling by its duration how much was equal. */
export function equalText(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}

/** The same text for the same value, whatever the order of its keys; absent and undefined are the same. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  entries.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`
}

/**
 * SHA-256 of UTF-8 text, lowercase hex, at once: a question may not wait between reading the catalogue and reading the rows,
 * and the platform's own digest is asynchronous.
 */
export const sha256HexSync = (text: string): string => createHash('sha256').update(text).digest('hex')
