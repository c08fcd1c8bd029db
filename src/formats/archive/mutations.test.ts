import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openZip } from './zip-reader'
import { memorySource } from '../../../test/worker/memory-source'
import { expectNoHang, mutantsOf, mutationRuns, RUN_MS } from '../../../test/worker/mutated-files'
import { zipOf } from '../../../test/worker/zip'
import { ProductError } from '../../shared/errors'
import { INFLATED_RATIO_EXEMPT_BYTES } from '../../shared/limits'

const SIGNS = ['PK\u0003\u0004', 'PK\u0001\u0002', 'PK\u0005\u0006', 'PK\u0006\u0006', '\0', '\u007f', '../']
const REASONS = ['broken', 'unsafe', 'encrypted', 'unsupported']

const files = new Map([
  ['one', await zipOf([{ name: 'a.csv', bytes: 'a,b\n1,2\n'.repeat(50) }])],
  [
    'three',
    await zipOf([
      { name: 'a', bytes: 'x' },
      { name: 'b', bytes: 'hello', store: true },
      { name: 'c/', bytes: '' },
    ]),
  ],
  [
    'long',
    await zipOf(
      [
        { name: 'a.csv', bytes: 'a,b\n1,2\n' },
        { name: 'b.csv', bytes: 'c' },
      ],
      { zip64: true },
    ),
  ],
])
/** Nothing moves: offsets still lead to headers, whose lengths, counts and flags are wrong. */
const flipped = fc
  .record({
    name: fc.constantFrom(...files.keys()),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
  })
  .map(({ name, changes }) => {
    const bytes = (files.get(name) ?? new Uint8Array(1)).slice()
    for (const [at, value] of changes) bytes[at % bytes.length] = value
    return bytes
  })

it('mutated archives are read or refused with a sentence, never crash, hang or grow', { timeout: RUN_MS }, async () => {
  const property = fc.asyncProperty(fc.oneof(flipped, mutantsOf(files, SIGNS)), async (bytes) => {
    await expectNoHang(async () => {
      let read = 0
      try {
        const archive = await openZip(memorySource('a.zip', bytes))
        for (const entry of archive.entries) for await (const chunk of archive.stream(entry)) read += chunk.length
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        expect(REASONS).toContain(error.details['reason'])
        expect(error.message.length).toBeGreaterThan(20)
      }
      expect(read).toBeLessThanOrEqual(INFLATED_RATIO_EXEMPT_BYTES)
    })
  })
  await fc.assert(property, mutationRuns())
})
