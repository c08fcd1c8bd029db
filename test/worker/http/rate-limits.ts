import { env } from 'cloudflare:test'
import { expect } from 'vitest'
import { RATE_LIMITS, type RateLimitName } from '../../../src/http/rate-limit'
import { sha256Hex } from '../../../src/lib/hash'

/**
 * Counts all tries of a rate but the last few, as if they had been made: a test makes those that are left, and one more.
 * @param subject what the rate counts: the text, or the network address
 */
export async function spendTries(
  rate: RateLimitName,
  subject: string,
  { left, now = Date.now() }: { left: number; now?: number },
): Promise<void> {
  const { max, windowMs } = RATE_LIMITS[rate]
  const counter = env.RATE_LIMITER.getByName(await sha256Hex(`${rate} ${subject}`))
  expect(await counter.take(now, max, windowMs, max - left)).toEqual({ retryAfterMs: null })
}
