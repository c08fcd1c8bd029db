import { describe, expect, it } from 'vitest'
import { FILE_ENDINGS } from '../shared/data-sources/file-endings'
import { detectFormat, FORMAT_READERS } from './registry'
import { xlsOf } from '../../test/worker/binary-workbooks/xls'
import { bytesOf, zipOf } from '../../test/worker/zip'

const kind = (head: Uint8Array | string, name = 'file'): string => {
  const found = detectFormat(bytesOf(head), name)
  return typeof found === 'string' ? found : found.kind
}
const PARQUET = new Uint8Array([0x50, 0x41, 0x52, 0x31, 0x15, 0x04, 0x15, 0x00, 0x15])

describe('the kind of a file', () => {
  it('is told by its bytes, whatever its name says', async () => {
    const part = (name: string) => zipOf([{ name, bytes: '<x/>' }])
    const xls = xlsOf({ sheets: [{ name: 'A', cells: [] }] })
    const mimetype = 'application/vnd.oasis.opendocument.spreadsheet'
    for (const name of ['a.csv', 'a.xlsx', 'a.json', 'a.se', 'a.zip', 'a'])
      expect([
        name,
        kind(await part('[Content_Types].xml'), name),
        kind(await zipOf([{ name: 'mimetype', bytes: mimetype, store: true }]), name),
        kind(await part('sales.csv'), name),
        kind(xls, name),
        kind(PARQUET, name),
        kind('#FLAGGA 0\r\n#PROGRAM "X" 1\r\n', name),
        kind('[{"a":1}]', name),
        kind('{"a":1}\n{"a":2}\n', name),
        kind('a,b\n1,2\n', name),
      ]).toEqual([name, 'xlsx', 'ods', 'zip', 'xls', 'parquet', 'sie', 'json', 'ndjson', 'csv'])
  })

  it('is text where a text begins like something else', () => {
    expect(kind('PAR1,PAR2\n1,2\n')).toBe('csv')
    expect(kind('PK,name\n1,a\n')).toBe('csv')
    expect(kind('#comment\na,b\n1,2\n')).toBe('csv')
    expect(kind('{curly},b\n1,2\n')).toBe('csv')
    expect(kind('')).toBe('csv')
  })

  it('has a reader whenever its endings are offered, but for texts and archives', () => {
    const offered = Object.keys(FILE_ENDINGS).filter((one) => one !== 'csv' && one !== 'zip')
    expect(FORMAT_READERS.map((reader) => reader.kind).sort()).toEqual(offered.sort())
  })
})
