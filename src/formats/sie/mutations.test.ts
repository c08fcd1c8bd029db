import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sieReader } from './sie-reader'
import { ProductError } from '../../shared/errors'
import { openFile } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { HANG_MS, mutantsOf, mutationRuns } from '../../../test/worker/mutated-files'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/sie/*', { query: '?inline', import: 'default', eager: true }),
)
const SIGNS = [
  '"',
  '{',
  '}',
  '#',
  '\\"',
  '\r',
  '\n',
  '\n#VER A 1 20250101\n{\n',
  '#TRANS 1 {9 "9"} 1',
  '\0',
  ' ',
  'å',
  '-',
]
const isTable = (table: { rows: unknown[][]; lines: number[]; hints: { label?: string | undefined }[] }): boolean =>
  table.lines.every((line) => line >= 1) &&
  table.rows.every((row) => row.length <= table.hints.length) &&
  new Set(table.hints.map(({ label }) => label)).size === table.hints.length

describe('mutated SIE files', () => {
  it('are read or refused with a sentence, never crash and never hang', async () => {
    const property = fc.asyncProperty(mutantsOf(files, SIGNS), async (bytes) => {
      const started = performance.now()
      try {
        const { tables } = await openFile(sieReader, { name: 'a.se', bytes })
        expect(tables.every(isTable)).toBe(true)
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        expect(error.message.length).toBeGreaterThan(20)
      }
      expect(performance.now() - started).toBeLessThan(HANG_MS)
    })
    await fc.assert(property, mutationRuns('SIE'))
  }, 600_000)
})
