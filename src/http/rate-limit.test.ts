import { env } from 'cloudflare:test'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { networkOf } from './rate-limit'
import { unique } from '../../test/worker/factories'

describe('one network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:DB8:0001:0002::9', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s counts as %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })

  it('is the same for every address of a /64', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16))
    fc.assert(
      fc.property(
        fc.array(group, { minLength: 8, maxLength: 8 }),
        fc.array(group, { minLength: 4, maxLength: 4 }),
        (a, tail) => {
          expect(networkOf([...a.slice(0, 4), ...tail].join(':'))).toBe(networkOf(a.join(':')))
        },
      ),
    )
  })
})

describe('a window of tries', () => {
  const object = () => env.RATE_LIMITER.getByName(unique('limit'))

  it('gives out exactly as many as it holds, to any number of parallel callers', async () => {
    const limiter = object()
    const taken = await Promise.all(Array.from({ length: 60 }, () => limiter.take(1000, 7, 5000)))
    expect(taken.filter(({ retryAfterMs }) => retryAfterMs === null)).toHaveLength(7)
  })

  it('ends at its end: refused a millisecond before, free at the instant', async () => {
    const limiter = object()
    await limiter.take(1000, 1, 5000)
    expect(await limiter.take(5999, 1, 5000)).toEqual({ retryAfterMs: 1 })
    expect(await limiter.take(6000, 1, 5000)).toEqual({ retryAfterMs: null })
  })

  it('takes a try back, but never more than were made', async () => {
    const limiter = object()
    await limiter.take(0, 1, 5000)
    await limiter.release()
    await limiter.release()
    expect(await limiter.take(0, 1, 5000)).toEqual({ retryAfterMs: null })
    expect(await limiter.take(0, 1, 5000)).toEqual({ retryAfterMs: 5000 })
  })
})
