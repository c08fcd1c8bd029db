import type { Upload } from '../../../../src/shared/data-sources/files'

/** Parts on their way at the same time. */
export const PARTS_IN_FLIGHT = 2
/** Tries of one part before the upload stops and offers to go on. */
export const PART_TRIES_MAX = 8
const RETRY_FIRST_MS = 500
const RETRY_MAX_MS = 20_000
/** Who is asked to wait for longer is told so instead. */
export const RETRY_AFTER_MAX_MS = 60_000
const RATE_WINDOW_MS = 5_000

/** Part numbers (1-based) the server does not have yet, in order. */
export function missingParts(upload: Pick<Upload, 'partCount' | 'received'>): number[] {
  const received = new Set(upload.received)
  return Array.from({ length: upload.partCount }, (_, at) => at + 1).filter((number) => !received.has(number))
}

/** Where a part lies in the file, in bytes: from inclusive, to exclusive. */
export function partRange(upload: Pick<Upload, 'partBytes' | 'size'>, number: number): { from: number; to: number } {
  const from = (number - 1) * upload.partBytes
  return { from, to: Math.min(upload.size, from + upload.partBytes) }
}

/** Bytes of the parts the server already has. */
export const receivedBytes = (upload: Pick<Upload, 'partBytes' | 'size' | 'received'>): number =>
  upload.received.reduce((sum, number) => {
    const { from, to } = partRange(upload, number)
    return sum + Math.max(0, to - from)
  }, 0)

/** Milliseconds before try `attempt` (1 = first repetition): doubling, capped, spread by `random` (0–1) over ±25 %. */
export function retryDelayMs(attempt: number, random: number): number {
  const base = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (attempt - 1))
  return Math.round(base * (0.75 + 0.5 * random))
}

export interface RateSample {
  at: number
  bytes: number
}

/** Adds a reading and forgets those past the window. Times in ms. */
export const addSample = (samples: readonly RateSample[], sample: RateSample): RateSample[] =>
  [...samples, sample].filter(({ at }) => sample.at - at <= RATE_WINDOW_MS)

/** Bytes per second over the window; null until half a second has been seen. */
export function bytesPerSecond(samples: readonly RateSample[]): number | null {
  const first = samples[0]
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < 500) return null
  return Math.max(0, ((last.bytes - first.bytes) * 1000) / (last.at - first.at))
}

/** Whole seconds until the rest is sent; null when nothing moves. */
export function secondsLeft(left: number, rate: number | null): number | null {
  if (rate === null || rate <= 0) return null
  return Math.ceil(left / rate)
}
