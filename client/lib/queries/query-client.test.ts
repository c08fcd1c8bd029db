import { describe, expect, it } from 'vitest'
import { ApiError, NetworkError } from '../api'
import { queryClient, readRetryDelayMs, retryWhenBusy, shouldRetry } from './query-client'
import { ERRORS, type ErrorCode, type ErrorDetails } from '../../../src/shared/errors'

const refusal = (code: ErrorCode, details: ErrorDetails = {}) =>
  new ApiError(ERRORS[code].status, { ...details, code, message: ERRORS[code].message, requestId: 'r' })

describe('a read that got no answer', () => {
  it.each([
    ['busy', { retryAfter: 2 }, true],
    ['rate_limited', { retryAfter: 20 }, true],
    // Nobody sits before a screen for that long.
    ['rate_limited', { retryAfter: 900 }, false],
    ['busy', {}, false],
    ['query_too_complex', {}, false],
    ['not_found', {}, false],
  ] as const)('is tried again after %s %j: %s', (code, details, again) => {
    expect(shouldRetry(0, refusal(code, details))).toBe(again)
    expect(retryWhenBusy(0, refusal(code, details))).toBe(again)
  })

  it('is tried a few times only', () => {
    const busy = refusal('busy', { retryAfter: 1 })
    expect([0, 1, 2, 3].map((count) => shouldRetry(count, busy))).toEqual([true, true, true, false])
    const silence = new NetworkError(new TypeError('offline'))
    expect([0, 1, 2].map((count) => shouldRetry(count, silence))).toEqual([true, true, false])
    expect(retryWhenBusy(0, silence)).toBe(false)
  })

  it('waits as long as it was asked to, longer each time, and not as long as every other page', () => {
    const busy = refusal('busy', { retryAfter: 4 })
    expect([0, 1, 2].map((count) => readRetryDelayMs(count, busy, () => 0))).toEqual([4000, 5000, 7000])
    expect(readRetryDelayMs(0, busy, () => 1)).toBe(6000)
  })

  it('is never a write', () => {
    expect(queryClient.getDefaultOptions().mutations?.retry).toBe(false)
  })
})
