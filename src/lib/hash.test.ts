import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sha256Hex, sha256HexSync } from './hash'

it('answers at once what the platform answers later', async () => {
  // Around the ends of blocks of 64 bytes, and letters of several bytes.
  for (let length = 0; length <= 200; length += 1) {
    const text = `${'å'.repeat(length % 3)}${'x'.repeat(length)}`
    expect(sha256HexSync(text)).toBe(await sha256Hex(text))
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 5_000 }), async (text) => {
      expect(sha256HexSync(text)).toBe(await sha256Hex(text))
    }),
    { numRuns: 50 },
  )
})
