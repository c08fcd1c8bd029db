import { QueryObserver } from '@tanstack/react-query'
import { describe, expect, it } from 'vitest'
import { ApiError, NetworkError } from '../api'
import { queryClient, ReadAfterWriteClient, readRetryDelayMs, retryWhenBusy, shouldRetry } from './query-client'
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

describe('a first answer that is under way when a write ends', () => {
  /** A screen that asks for the state; each question is answered when the test says so, with the state of when it was asked. */
  function screen() {
    const client = new ReadAfterWriteClient({ defaultOptions: { queries: { retry: false } } })
    let state = 'proposed'
    const answers: (() => void)[] = []
    const queryFn = () => {
      const asked = state
      return new Promise<string>((resolve) => answers.push(() => resolve(asked)))
    }
    const observer = new QueryObserver(client, { queryKey: ['relations', 'one'], queryFn })
    const stop = observer.subscribe(() => undefined)
    return { client, observer, answers, stop, write: () => (state = 'confirmed') }
  }

  it('is asked again, and the one from before is never shown', async () => {
    const { client, observer, answers, stop, write } = screen()
    write()
    const asked = client.invalidateQueries({ queryKey: ['relations'] })
    await expect.poll(() => answers.length).toBe(2)
    for (const answer of answers) answer()
    await asked
    expect(observer.getCurrentResult()).toMatchObject({ data: 'confirmed', error: null })
    stop()
  })

  it('is left alone where the write was of something else, or nothing is to be asked', async () => {
    const { client, observer, answers, stop } = screen()
    await client.invalidateQueries({ queryKey: ['metrics'] })
    await client.invalidateQueries({ queryKey: ['relations'], refetchType: 'none' })
    await client.invalidateQueries({ queryKey: ['relations'], predicate: () => false })
    expect(answers).toHaveLength(1)
    answers[0]?.()
    await expect.poll(() => observer.getCurrentResult().data).toBe('proposed')
    stop()
  })
})
