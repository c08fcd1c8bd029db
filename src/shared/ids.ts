import { z } from 'zod'

/** Prefix of each kind of id; an id is `<prefix>_<20 characters of Crockford base32>` (100 random bits). */
const ID_PREFIX = {
  user: 'usr',
  workspace: 'ws',
  source: 'src',
  dataset: 'ds',
  upload: 'upl',
  run: 'run',
  insight: 'ins',
  audit: 'aud',
  outbox: 'out',
  relation: 'rel',
  account: 'acc',
  link: 'lnk',
  invite: 'inv',
  group: 'grp',
  metric: 'met',
  grouping: 'gpg',
  grouped: 'gpm',
  finding: 'fnd',
  note: 'not',
  category: 'cat',
  target: 'tgt',
  alert: 'alr',
  rate: 'fxr',
  forecast: 'fct',
  forecastRun: 'fcr',
  accessRule: 'acr',
  attribute: 'atr',
  accessTest: 'act',
  report: 'rep',
  edition: 'edi',
  bookmark: 'bmk',
  comment: 'cmt',
  subscription: 'sub',
  shareLink: 'shl',
  schedule: 'sch',
  delivery: 'dlv',
  recipient: 'rcp',
  sync: 'syn',
  deadLetter: 'dlt',
  botConversation: 'bcv',
  botMessage: 'bms',
  botTerm: 'btm',
  verifiedAnswer: 'vfa',
  accessToken: 'tok',
  connectedApp: 'app',
  oauthClient: 'ocl',
} as const
export type IdKind = keyof typeof ID_PREFIX

const ID_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const ID_BODY = /^[0-9a-hjkmnp-tv-z]{20}$/

/** Injected source of instants (epoch milliseconds). Domain code never calls `Date.now()`. */
export interface Clock {
  now(): number
}

/** Injected source of randomness for ids and tokens. */
export interface Ids {
  /** A new id of this kind. */
  next(kind: IdKind): string
  /** `bytes` random bytes as lowercase hex: session tokens, nonces. */
  token(bytes: number): string
}

/** Builds {@link Ids} over a source of random bytes. */
export function idsFrom(randomBytes: (length: number) => Uint8Array): Ids {
  return {
    next(kind) {
      let body = ''
      for (const byte of randomBytes(20)) body += ID_ALPHABET[byte & 31]
      return `${ID_PREFIX[kind]}_${body}`
    },
    token(bytes) {
      return Array.from(randomBytes(bytes), (b) => b.toString(16).padStart(2, '0')).join('')
    },
  }
}

export function isId(kind: IdKind, text: string): boolean {
  const prefix = `${ID_PREFIX[kind]}_`
  return text.startsWith(prefix) && ID_BODY.test(text.slice(prefix.length))
}

/** A schema for an id of one kind, for use inside bodies (in paths a malformed id answers 404). */
export const idSchema = (kind: IdKind) => z.string().refine((text) => isId(kind, text), { message: 'Not a known id.' })
