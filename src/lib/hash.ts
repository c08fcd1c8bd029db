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

const isPrime = (n: number): boolean => {
  for (let d = 2; d * d <= n; d += 1) if (n % d === 0) return false
  return true
}
const primes = Array.from({ length: 312 }, (_, n) => n).filter((n) => n > 1 && isPrime(n))
const fraction = (value: number): number => ((value - Math.floor(value)) * 2 ** 32) | 0
const ROUND_CONSTANTS = Int32Array.from(primes.slice(0, 64), (prime) => fraction(Math.cbrt(prime)))
const INITIAL_STATE = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)))
const rotate = (word: number, by: number): number => (word >>> by) | (word << (32 - by))

/**
 * SHA-256 (FIPS 180-4) as hex. The platform's digest is asynchronous, and a question may not wait between reading
 * the catalogue and reading the rows.
 */
export function sha256HexSync(text: string): string {
  const bytes = new TextEncoder().encode(text)
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64))
  new Uint8Array(padded.buffer).set(bytes)
  padded.setUint8(bytes.length, 0x80)
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29))
  padded.setUint32(padded.byteLength - 4, (bytes.length << 3) >>> 0)
  const state = Int32Array.from(INITIAL_STATE)
  for (let at = 0; at < padded.byteLength; at += 64) addBlock(state, padded, at)
  return toHex(bigEndian(state))
}

function bigEndian(words: Int32Array): ArrayBuffer {
  const view = new DataView(new ArrayBuffer(words.length * 4))
  words.forEach((word, i) => view.setInt32(i * 4, word))
  return view.buffer
}

/** The message schedule of the block at hand: one for all, since a hash is made in one go. */
const schedule = new Int32Array(64)
const word = (i: number): number => schedule[i] ?? 0

function addBlock(state: Int32Array, data: DataView, at: number): void {
  for (let i = 0; i < 16; i += 1) schedule[i] = data.getInt32(at + i * 4)
  for (let i = 16; i < 64; i += 1) {
    const a = word(i - 15)
    const b = word(i - 2)
    const low = rotate(a, 7) ^ rotate(a, 18) ^ (a >>> 3)
    const high = rotate(b, 17) ^ rotate(b, 19) ^ (b >>> 10)
    schedule[i] = word(i - 16) + low + word(i - 7) + high
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state
  for (let i = 0; i < 64; i += 1) {
    const mixed = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
    const one = (h + mixed + ((e & f) ^ (~e & g)) + (ROUND_CONSTANTS[i] ?? 0) + word(i)) | 0
    const two = ((rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  ;[a, b, c, d, e, f, g, h].forEach((each, i) => (state[i] = each + (state[i] ?? 0)))
}
