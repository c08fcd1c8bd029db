import { describe, expect, it } from 'vitest'
import { loadCsv } from '../../../test/worker/csv-load'
import { inspectCsv } from '../inference/inspect-csv'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (text: string) => {
  const head = utf8(text)
  return inspectCsv({ fileName: 'a.csv', size: head.length, head })
}
const WRAPPED = '"Kund,Ort,Belopp"\r\n"1,""Växjö, Öst"",10.50"\r\n"2,""Malmö """"M"""""",20.00"\r\n"3,Lund,5.25"\r\n'

describe('lines that are wrapped in quotes as a whole', () => {
  it('are divided by what stands inside', () => {
    const { columns, preview, settings, warnings } = inspect(WRAPPED)
    expect(settings).toMatchObject({ delimiter: ',', wrappedLines: true })
    expect(columns.map(({ label, type }) => [label, type])).toEqual([
      ['Kund', 'integer'],
      ['Ort', 'text'],
      ['Belopp', 'number'],
    ])
    expect(preview.map(([, town]) => town)).toEqual(['Växjö, Öst', 'Malmö "M"', 'Lund'])
    expect(warnings).toEqual([])
    expect(loadCsv(utf8(WRAPPED), inspect(WRAPPED))).toEqual({ rows: 3, rejects: 0 })
  })

  it('are told from cells that are all quoted, and from a column of sentences', () => {
    expect(inspect('"a","b"\n"1","2"\n').settings.wrappedLines).toBeUndefined()
    const sentences = '"text"\n"one, two, three"\n"four"\n"five, six"\n'
    expect(inspect(sentences).settings.wrappedLines).toBeUndefined()
    expect(inspect(sentences).columns).toHaveLength(1)
  })
})
