import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openFile } from '../../../test/suites/open-file'
import { JSON_SIGNS, mutationRuns, RUN_MS } from '../../../test/worker/mutated-files'
import { ProductError } from '../../shared/errors'
import { jsonReader } from './json-reader'

describe('changed JSON texts', () => {
  it(
    'are refused exactly when a strict reader refuses them',
    async () => {
      // NaN and infinities are read as no value here; the runtime's own reader knows none.
      const plain = fc.jsonValue().map((value) => JSON.stringify(value))
      const sign = fc.constantFrom(...JSON_SIGNS, '1', 'x', ' ')
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
      await fc.assert(property, mutationRuns())
    },
    RUN_MS,
  )
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
