import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addSample,
  bytesPerSecond,
  missingParts,
  partRange,
  receivedBytes,
  retryDelayMs,
  secondsLeft,
} from './upload-parts'
import type { RateSample } from './upload-parts'

const upload = fc
  .record({ size: fc.integer({ min: 1, max: 5000 }), partBytes: fc.integer({ min: 1, max: 700 }) })
  .chain(({ size, partBytes }) => {
    const partCount = Math.ceil(size / partBytes)
    return fc.record({
      size: fc.constant(size),
      partBytes: fc.constant(partBytes),
      partCount: fc.constant(partCount),
      received: fc.uniqueArray(fc.integer({ min: 1, max: partCount })),
    })
  })

describe('upload plan', () => {
  it('cuts a file into parts that cover every byte once', () => {
    fc.assert(
      fc.property(upload, (one) => {
        let at = 0
        for (let number = 1; number <= one.partCount; number++) {
          const { from, to } = partRange(one, number)
          expect(from).toBe(at)
          expect(to).toBeGreaterThan(from)
          at = to
        }
        expect(at).toBe(one.size)
      }),
    )
  })

  it('sends what the server lacks and nothing it has', () => {
    fc.assert(
      fc.property(upload, (one) => {
        const missing = missingParts(one)
        expect([...missing, ...one.received].toSorted((a, b) => a - b)).toEqual(
          Array.from({ length: one.partCount }, (_, at) => at + 1),
        )
        const rest = missing.reduce((sum, number) => sum + partRange(one, number).to - partRange(one, number).from, 0)
        expect(receivedBytes(one) + rest).toBe(one.size)
      }),
    )
  })

  it('waits longer after each failure, never past the cap', () => {
    expect(retryDelayMs(1, 0.5)).toBe(500)
    expect(retryDelayMs(3, 0.5)).toBe(2000)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempt, random) => {
        expect(retryDelayMs(attempt, random)).toBeLessThanOrEqual(25_000)
        expect(retryDelayMs(attempt, random)).toBeGreaterThan(0)
      }),
    )
  })

  it('tells no rate before half a second, then the rate of the last five', () => {
    let samples: RateSample[] = []
    for (const [at, bytes] of [
      [0, 0],
      [400, 4000],
    ] as const)
      samples = addSample(samples, { at, bytes })
    expect(bytesPerSecond(samples)).toBeNull()
    samples = addSample(samples, { at: 1000, bytes: 10_000 })
    expect(bytesPerSecond(samples)).toBe(10_000)
    samples = addSample(samples, { at: 6000, bytes: 10_000 })
    expect(bytesPerSecond(samples)).toBe(0)
    expect(secondsLeft(1000, 0)).toBeNull()
    expect(secondsLeft(1000, 300)).toBe(4)
  })
})
