import { ProductError } from '../shared/errors'

/** Keys by id; the first seals, all of them open. */
export interface Keyring {
  current: { id: string; key: CryptoKey }
  byId: ReadonlyMap<string, CryptoKey>
}

/** What a secret belongs to: sealed for one source, or one use of a workspace, it opens for no other. */
export type SecretOwner = { workspaceId: string } & ({ sourceId: string } | { use: 'language-model' })

const FORM = 'v1'
const IV_BYTES = 12
const KEY_BYTES = 32
const KEY_ID = /^[a-z0-9-]{1,32}$/i
const encoder = new TextEncoder()

const toBase64 = (bytes: Uint8Array): string => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0))
  } catch {
    return null
  }
}

/** Pairs of `id:base64 of 32 bytes`; null where a text is no keyring. */
export function parseKeyring(text: string): { id: string; bytes: Uint8Array<ArrayBuffer> }[] | null {
  const entries = text.split(',').map((entry) => entry.trim())
  const keys = entries.flatMap((entry) => {
    const colon = entry.indexOf(':')
    const id = entry.slice(0, Math.max(0, colon))
    const bytes = fromBase64(entry.slice(colon + 1))
    return KEY_ID.test(id) && bytes?.byteLength === KEY_BYTES ? [{ id, bytes }] : []
  })
  const ids = new Set(keys.map(({ id }) => id))
  return keys.length === entries.length && ids.size === keys.length ? keys : null
}

const rings = new Map<string, Promise<Keyring>>()

/** The keyring of a setting; made once an isolate. @throws ProductError `not_enabled` where the installation has none */
export function keyringOf(setting: string | undefined): Promise<Keyring> {
  if (setting === undefined) throw new ProductError('not_enabled', { feature: 'connectors' })
  const known = rings.get(setting)
  if (known) return known
  const made = importKeyring(setting)
  rings.clear()
  rings.set(setting, made)
  return made
}

async function importKeyring(setting: string): Promise<Keyring> {
  const parsed = parseKeyring(setting) ?? []
  const keys = await Promise.all(
    parsed.map(async ({ id, bytes }) => {
      const key = await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt'])
      return { id, key }
    }),
  )
  const [current] = keys
  if (!current) throw new ProductError('misconfigured')
  return { current, byId: new Map(keys.map(({ id, key }) => [id, key])) }
}

const boundTo = (owner: SecretOwner): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(encoder.encode(`${owner.workspaceId}:${'sourceId' in owner ? owner.sourceId : owner.use}`))

/** Seals a text with the current key: AES-GCM, a random initial value, bound to its owner. */
export async function sealSecret(ring: Keyring, owner: SecretOwner, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
  const algorithm = { name: 'AES-GCM', iv, additionalData: boundTo(owner) }
  const sealed = await crypto.subtle.encrypt(algorithm, ring.current.key, encoder.encode(text))
  return [FORM, ring.current.id, toBase64(iv), toBase64(new Uint8Array(sealed))].join('.')
}

/** The id of the key that a sealed text was sealed with. */
export const keyIdOf = (sealed: string): string => sealed.split('.')[1] ?? ''

/** @throws ProductError `credential_unreadable` for another owner's, a changed, a cut or an unknown key's text */
export async function openSecret(ring: Keyring, owner: SecretOwner, sealed: string): Promise<string> {
  const [form, id = '', iv = '', body = ''] = sealed.split('.')
  const key = ring.byId.get(id)
  const [ivBytes, bytes] = [fromBase64(iv), fromBase64(body)]
  if (form !== FORM || !key || ivBytes?.byteLength !== IV_BYTES || !bytes)
    throw new ProductError('credential_unreadable')
  try {
    const algorithm = { name: 'AES-GCM', iv: ivBytes, additionalData: boundTo(owner) }
    return new TextDecoder().decode(await crypto.subtle.decrypt(algorithm, key, bytes))
  } catch (error) {
    throw new ProductError('credential_unreadable', {}, undefined, { cause: error })
  }
}
