import { z } from 'zod'

/**
 * What an open page is told as it happens. It says only that something changed, never what: a page asks again, with its
 * own rights, for just what depends on it.
 */
export const LIVE_NOUNS = [
  'insight',
  'finding',
  'metric',
  'grouping',
  /** Values that no group holds were counted anew; what groups hold is as it was. */
  'unmatched',
  'target',
  'alert',
  'forecast',
  'report',
  'note',
  'comment',
  'rates',
  'category',
  'accounts',
  'source',
  'dataset',
  'relation',
  'group',
  'member',
] as const
export type LiveNoun = (typeof LIVE_NOUNS)[number]

const liveEventSchema = z.discriminatedUnion('kind', [
  /** New rows stand: figures that read this dataset are out of date. */
  z.strictObject({ kind: z.literal('data'), datasetId: z.string(), dataVersion: z.number() }),
  /** Something of this kind was made, changed or removed. `id` null: which one is not said, or there were several. */
  z.strictObject({ kind: z.literal('changed'), noun: z.enum(LIVE_NOUNS), id: z.string().nullable() }),
])
export type LiveEvent = z.infer<typeof liveEventSchema>

/** One message of the socket: what happened since the one before. */
export const liveMessageSchema = z.strictObject({
  events: z.array(liveEventSchema),
  /** So many pages are told at once that each waits up to this long (ms) before it asks. */
  spread: z.number(),
})
export type LiveMessage = z.infer<typeof liveMessageSchema>

/** What a page sends so that the connection stays open, and what it hears back. Nothing else is taken from pages. */
export const LIVE_PING = 'ping'
export const LIVE_PONG = 'pong'

/** Why a socket was closed by the server. */
export const LIVE_CLOSE_CODES = {
  /** Membership, role or session are not what they were: ask again, with a fresh check. */
  changed: { code: 4001, reason: 'check again' },
  /** The person opened more pages than are kept connected; the oldest gave way. */
  replaced: { code: 4002, reason: 'too many open pages' },
  /** Something was sent. */
  unexpected: { code: 4003, reason: 'nothing is taken from pages' },
} as const
