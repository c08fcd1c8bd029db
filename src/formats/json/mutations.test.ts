import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { HANG_MS, mutantsOf, mutationRuns } from '../../../test/worker/mutated-files'
import { ProductError } from '../../shared/errors'
import { jsonReader, ndjsonReader } from './json-reader'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/json/*', { query: '?inline', import: 'default', eager: true }),
)
const SIGNS = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r\n',
  '\0',
  '[[',
  '{"a":',
  '\\u',
  '\ufeff',
  '1e',
  '-',
  'null',
  'å',
]

describe('mutated JSON files', () => {
  it('are read or refused with a sentence, never crash and never hang', async () => {
    const property = fc.asyncProperty(
      mutantsOf(files, SIGNS),
      fc.integer({ min: 1, max: 600 }),
      async (bytes, pieces) => {
        const started = performance.now()
        jsonReader.recognises(bytes, 'a.json')
        ndjsonReader.recognises(bytes, 'a')
        try {
          const { tables } = await openFile(jsonReader, { name: 'a.json', bytes }, pieces)
          for (const { rows, hints } of tables) {
            // Lists of lists have their cells by position, and no names.
            if (hints.length > 0) expect(rows.every((row) => row.length === hints.length)).toBe(true)
            expect(new Set(hints.map(({ label }) => label)).size).toBe(hints.length)
          }
        } catch (error) {
          if (!(error instanceof ProductError)) throw error
          expect(error.message.length).toBeGreaterThan(20)
        }
        expect(performance.now() - started).toBeLessThan(HANG_MS)
      },
    )
    await fc.assert(property, mutationRuns('JSON'))
  }, 600_000)

  it('are refused exactly when a strict reader refuses them', async () => {
    // NaN and infinities are read as no value here; the runtime's own reader knows none.
    const plain = fc.jsonValue().map((value) => JSON.stringify(value))
    const sign = fc.constantFrom(...SIGNS, '1', 'x', ' ')
    const property = fc.asyncProperty(plain, fc.nat(), fc.nat(2), sign, async (text, at, cut, put) => {
      const from = at % (text.length + 1)
      const changed = `[${text.slice(0, from)}${put}${text.slice(from + cut)}]`
      const wanted = strict(changed)
      const bytes = new TextEncoder().encode(changed)
      const got = await openFile(jsonReader, { name: 'a.json', bytes }).then(
        () => true,
        (error: unknown) => {
          if (!(error instanceof ProductError)) throw error
          return error.code === 'too_large'
        },
      )
      expect([changed, got]).toEqual([changed, wanted])
    })
    await fc.assert(property, mutationRuns('JSON'))
  }, 600_000)
})

function strict(text: string): boolean {
  try {
    // A NUL is dropped before the text is read.
    JSON.parse(text.replaceAll('\0', ''))
    return true
  } catch {
    return false
  }
}
