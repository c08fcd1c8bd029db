import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CP850 } from '../encoding/text-decoder'
import { inspectCsv } from '../inference/inspect-csv'
import { ProductError } from '../../shared/errors'
import { csvSettingsSchema, fileColumnSchema } from '../../shared/data-sources/files'
import { loadCsv } from '../../../test/worker/csv-load'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import { HANG_MS, mutantsOf, mutationRuns } from '../../../test/worker/mutated-files'

const DOS_TEXT = 'Kund; Ort; Belopp\nÅkeri; "Växjö; Öst"; 1 234,50\nBåt; "Malmö"; (5,00) kr\nSumma; ; 1 229,50\n'
const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/*__*', { query: '?inline', import: 'default', eager: true }),
).set(
  'dos.csv',
  Uint8Array.from(DOS_TEXT, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + CP850.indexOf(char))),
)
const SIGNS = [
  ...['"', '\r', '\n\n', ';', ',,,,', '\0', '\ufeff', '"\n', '\\"', "'", 'é', '"x,', ', "', '  ', '\nTotal,', '#'],
]

describe('mutated delimited texts', () => {
  it('are read or refused with a sentence, never crash and never hang', () => {
    const property = fc.property(mutantsOf(files, SIGNS), fc.boolean(), (head, leaveOutTotals) => {
      const started = performance.now()
      try {
        const found = inspectCsv({ fileName: 'file.csv', size: head.length, head }, { leaveOutTotals })
        expect(csvSettingsSchema.safeParse(found.settings).success).toBe(true)
        expect(found.columns.every((column) => fileColumnSchema.safeParse(column).success)).toBe(true)
        expect(loadCsv(head, found).rows).toBe(found.rows.count)
      } catch (error) {
        if (!(error instanceof ProductError)) throw error
        expect(error.message.length).toBeGreaterThan(20)
      }
      expect(performance.now() - started).toBeLessThan(HANG_MS)
    })
    fc.assert(property, mutationRuns('CSV'))
  }, 600_000)
})
