import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { HANG_MS, mutantsOf, mutationRuns } from '../../../test/worker/mutated-files'
import { ProductError } from '../../shared/errors'
import { parquetReader } from './parquet-reader'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/parquet/*', { query: '?inline', import: 'default', eager: true }),
)
const SIGNS = ['PAR1', 'PARE', '\0', '\u007f', '\u0015\u0000', '\u0003', '\ufffd']
/** Nothing moves: offsets still lead to pages, whose lengths and counts are wrong. */
const flipped = fc
  .record({
    name: fc.constantFrom(...files.keys()),
    changes: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 8 }),
    late: fc.boolean(),
  })
  .map(({ name, changes, late }) => {
    const bytes = (files.get(name) ?? new Uint8Array(1)).slice()
    const from = late ? Math.floor(bytes.length * 0.7) : 0
    for (const [at, byte] of changes) bytes[from + (at % (bytes.length - from))] = byte
    return bytes
  })

describe('mutated Parquet files', () => {
  it('are read or refused with a sentence, never crash and never hang', async () => {
    const property = fc.asyncProperty(fc.oneof(flipped, flipped, mutantsOf(files, SIGNS)), async (bytes) => {
      const started = performance.now()
      try {
        const { tables } = await openFile(parquetReader, { name: 'a.parquet', bytes })
        for (const { rows, hints } of tables) expect(rows.every((row) => row.length === hints.length)).toBe(true)
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        expect(error.message.length).toBeGreaterThan(20)
      }
      expect(performance.now() - started).toBeLessThan(HANG_MS)
    })
    await fc.assert(property, mutationRuns('Parquet'))
  }, 600_000)
})
