/*
 * What the bucket's errors say: a code stands in brackets at the end of the message
 * (https://developers.cloudflare.com/r2/api/error-codes).
 */
const CODE = /\((\d{5,6})\)$/
/** Internal error, service unavailable, too many requests. */
const PASSING = new Set(['10001', '10043', '10058'])

const hasCode = (error: unknown, codes: ReadonlySet<string>): boolean =>
  error instanceof Error && codes.has(CODE.exec(error.message)?.[1] ?? '')

/** Whether the same call may go well a moment later. */
export const isBucketBusy = (error: unknown): boolean => hasCode(error, PASSING)
