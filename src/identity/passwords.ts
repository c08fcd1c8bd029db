import setupArgon2id from 'argon2id/lib/setup.js'
import type { computeHash } from 'argon2id/lib/setup'
import noSimdModule from 'argon2id/dist/no-simd.wasm'
import simdModule from 'argon2id/dist/simd.wasm'
import { PASSWORD_COST } from './password-cost'
import { PASSWORD_MAX_CHARS } from '../shared/limits'
import { equalText } from '../lib/hash'

const SALT_BYTES = 16
const TAG_BYTES = 32
/** The algorithm takes no shorter input; no stored password is shorter either. */
const INPUT_MIN_BYTES = 8
/** Hashing of passwords, injected so that a test can count and replace it. */
export interface Passwords {
  /** A self-describing hash (PHC string) of an NFC password. */
  hash(password: string): Promise<string>
  /** `stored` null = unknown person: the same work is done, and the answer is no. */
  verify(password: string, stored: string | null): Promise<{ ok: boolean; outdated: boolean }>
}

interface ParsedHash {
  memorySize: number
  passes: number
  parallelism: number
  salt: Uint8Array
  tag: string
}

const PHC_PATTERN =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,171})$/

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes)).replace(/=+$/, '')
const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

function parsePhcHash(stored: string): ParsedHash | null {
  const found = PHC_PATTERN.exec(stored)
  if (!found) return null
  const [, m = '', t = '', p = '', salt = '', tag = ''] = found
  return { memorySize: Number(m), passes: Number(t), parallelism: Number(p), salt: fromBase64(salt), tag }
}

let argon2id: Promise<computeHash> | undefined
const loadArgon2id = (): Promise<computeHash> =>
  (argon2id ??= setupArgon2id(
    async (imports) => instantiate(simdModule, imports),
    async (imports) => instantiate(noSimdModule, imports),
  ))

/** The package expects what `instantiate(bytes)` answers; Workers compile modules ahead and take no bytes. */
async function instantiate(module: WebAssembly.Module, imports: WebAssembly.Imports) {
  return { module, instance: await WebAssembly.instantiate(module, imports) }
}

// No queue: the computation does not yield, so an isolate makes one hash at a time in one memory of 19 MB.
async function computeTag(password: string, use: Omit<ParsedHash, 'tag'>, tagLength = TAG_BYTES): Promise<string> {
  const compute = await loadArgon2id()
  const input = new TextEncoder().encode(password)
  const { memorySize, passes, parallelism, salt } = use
  return toBase64(compute({ password: input, salt, memorySize, passes, parallelism, tagLength }))
}

const DUMMY_SALT = new TextEncoder().encode('insikt-nobody-00')

/** `parameters` differ in tests only: what makes a stored hash outdated. */
export function createPasswords(randomBytes: (length: number) => Uint8Array, parameters = PASSWORD_COST): Passwords {
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES)
      const tag = await computeTag(password, { ...parameters, salt })
      const { memorySize, passes, parallelism } = parameters
      return `$argon2id$v=19$m=${memorySize},t=${passes},p=${parallelism}$${toBase64(salt)}$${tag}`
    },
    async verify(password, stored) {
      const known = stored === null ? null : parsePhcHash(stored)
      const possible =
        password.length <= PASSWORD_MAX_CHARS && new TextEncoder().encode(password).length >= INPUT_MIN_BYTES
      const use = known ?? { ...parameters, salt: DUMMY_SALT, tag: '' }
      const tag = await computeTag(
        possible ? password : 'nobody-has-this',
        use,
        known ? fromBase64(known.tag).length : TAG_BYTES,
      )
      const ok = known !== null && possible && equalText(tag, known.tag)
      return { ok, outdated: ok && !hasCurrentCost(use, parameters) }
    },
  }
}

const hasCurrentCost = (use: Omit<ParsedHash, 'tag'>, parameters: typeof PASSWORD_COST): boolean =>
  use.memorySize === parameters.memorySize &&
  use.passes === parameters.passes &&
  use.parallelism === parameters.parallelism &&
  use.salt.length === SALT_BYTES
