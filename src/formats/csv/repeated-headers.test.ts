import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../shared/data-sources/files'
import { loadCsv } from '../../../test/worker/csv-load'
import { inspectCsv } from '../inference/inspect-csv'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (text: string, given: Partial<CsvSettings> = {}) => {
  const head = utf8(text)
  return inspectCsv({ fileName: 'a.csv', size: head.length, head }, given)
}
const GLUED = 'Kund;Datum;Belopp\nLund;2026-01-01;10\nYstad;2026-01-02;20\nKund;Datum;Belopp\nMalmö;2026-02-01;30\n'

describe('a header that comes again amid the rows', () => {
  it('is no row, says so, and leaves the columns their types', () => {
    const { columns, preview, rows, settings, warnings } = inspect(GLUED)
    expect(columns.map(({ type }) => type)).toEqual(['text', 'date', 'integer'])
    expect([preview.length, rows.count]).toEqual([3, 3])
    expect(settings.repeatedHeader).toEqual(['Kund', 'Datum', 'Belopp'])
    expect(warnings).toEqual([
      { code: 'repeated_headers', line: 4, message: '1 row repeats the header row, on line 4. It is excluded.' },
    ])
  })

  it('is left out by the load too, from any place on', () => {
    expect(loadCsv(utf8(GLUED), inspect(GLUED))).toEqual({ rows: 3, rejects: 0 })
  })

  it('is counted, with the first line', () => {
    expect(inspect(`${GLUED}${GLUED}`).warnings.map(({ message }) => message)).toEqual([
      '3 rows repeat the header row, first on line 4. They are excluded.',
    ])
  })

  it('is a row when the person says that there is no header', () => {
    const { rows, settings, warnings } = inspect(GLUED, { header: false })
    expect([rows.count, settings.repeatedHeader, warnings.map(({ code }) => code)]).toEqual([
      5,
      undefined,
      expect.not.arrayContaining(['repeated_headers']),
    ])
  })

  it('is a row like others where the first row names nothing, and in a single column', () => {
    expect(inspect('1;2\n3;4\n1;2\n').rows.count).toBe(3)
    expect(inspect('Lund;Ystad\nMalmö;Lund\nLund;Ystad\nEslöv;Höör\n').settings.repeatedHeader ?? []).toHaveLength(
      inspect('Lund;Ystad\nMalmö;Lund\nLund;Ystad\nEslöv;Höör\n').settings.header ? 2 : 0,
    )
    expect(inspect('name\na\nname\nb\n').settings.repeatedHeader).toBeUndefined()
  })
})
