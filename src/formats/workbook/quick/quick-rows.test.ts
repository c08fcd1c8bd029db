import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openFile } from '../../../../test/suites/open-file'
import { xlsxOf } from '../../../../test/worker/workbooks'
import { crc32 } from '../../../lib/crc32'
import { xlsxReader } from '../xlsx-reader'

const STRINGS = ['Åkeri', 'a, b', 'say "x"', '007', '', '+46', 'line\nend', '1', 'plain', '_x000D_', 'x'.repeat(300)]
const value = fc.oneof(
  fc.constantFrom(
    '0',
    '-0',
    '1',
    '-12.5',
    '0.30000000000000004',
    '45000',
    '45000.5',
    '1e5',
    '.5',
    '5.',
    '12345678901234567',
    '0.0000001',
    '0.00001',
    '007',
    ' 7 ',
    '',
    'x',
    '1.10',
    '-',
    '99',
    '60',
    '1.50000',
    '&#49;',
    'å',
    'true',
  ),
  fc.integer({ min: -5, max: 12 }).map(String),
  fc.double({ noNaN: true }).map(String),
)
const inside = fc.oneof(
  { weight: 6, arbitrary: value.map((text) => `<v>${text}</v>`) },
  value.map((text) => `<f>A1+1</f><v>${text}</v>`),
  value.map((text) => `<f t="shared" si="0"/><v>${text}</v>`),
  fc.constantFrom(
    '<f>A1</f>',
    '',
    '<v/>',
    ' <v>1</v>',
    '<v>1</v><extLst/>',
    '<!-- x --><v>2</v>',
    '<v><![CDATA[3]]></v>',
    '<is><t/></is>',
  ),
  fc
    .constantFrom('Öst', 'a,b', '12', '"q"', 'a &amp; b', '_x0041_', 'tab\tx', ' x')
    .map((text) => `<is><t xml:space="preserve">${text}</t></is>`),
)
const type = fc.constantFrom(
  '',
  ' t="s"',
  ' t="n"',
  ' t="str"',
  ' t="inlineStr"',
  ' t="b"',
  ' t="e"',
  ' t="d"',
  " t='s'",
)
const style = fc.constantFrom('', ' s="1"', ' s="2"', ' s="3"', ' s="4"', ' s="99"', ' s="x"')
const cell = fc
  .record({
    column: fc.constantFrom('', 'A', 'B', 'C', 'D', 'F', 'AA', 'SF', 'SG'),
    type,
    style,
    inside,
    isEmpty: fc.boolean(),
  })
  .map((of) => (row: number) => {
    const tag = `c${of.column === '' ? '' : ` r="${of.column}${row}"`}${of.style}${of.type}`
    return of.isEmpty && of.inside === '' ? `<${tag}/>` : `<${tag}>${of.inside}</c>`
  })
const rows = fc.array(
  fc.record({
    cells: fc.array(cell, { maxLength: 5 }),
    step: fc.constantFrom(1, 1, 1, 1, 1, 1, 2, 0, -1),
    spelling: fc.constantFrom('plain', 'plain', 'plain', 'unnumbered', 'spaced', 'more'),
  }),
  { maxLength: 12 },
)
const SPELLINGS: Record<string, (line: number) => string> = {
  plain: (line) => `<row r="${line}" spans="1:5">`,
  unnumbered: () => '<row>',
  spaced: (line) => `\r\n <row ht='12' r='${line}' >`,
  more: (line) => `<row customFormat="1" r="${line}">`,
}
const FORMATS = ['yyyy-mm-dd', '0%', '[h]:mm', '#,##0.00 [$kr-41D]']

it('reads rows from their bytes as it reads them tag by tag, whatever stands in them', async () => {
  await fc.assert(
    fc.asyncProperty(rows, fc.constantFrom(60, 500, 65_536), async (made, pieces) => {
      let line = 1
      const written = made.map(({ cells, step, spelling }) => {
        line = Math.max(1, line + step)
        return `${SPELLINGS[spelling]?.(line)}${cells.map((of) => of(line)).join('')}</row>`
      })
      const read = async (text: string) => {
        const bytes = await xlsxOf({
          strings: STRINGS.map((string) => `<t>${string}</t>`),
          formats: FORMATS,
          sheets: [{ name: 'One', rows: text }],
        })
        return openFile(xlsxReader, { name: 'a.xlsx', bytes }, pieces).catch((error: unknown) => String(error))
      }
      // A comment in a row changes nothing but that it is read tag by tag.
      const tagged = written.map((row) => row.replace('</row>', '<!-- --></row>'))
      expect(await read(written.join(''))).toEqual(await read(tagged.join('')))
    }),
    { numRuns: 150 },
  )
})

it('adds up bytes as CRC-32 does, eight at a time or one by one', () => {
  const digits = new TextEncoder().encode('123456789')
  expect(crc32(digits)).toBe(0xcbf43926)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (bytes, at) => {
      const single = bytes.reduce((sum, byte) => crc32(Uint8Array.of(byte), sum), 0)
      expect([crc32(bytes), crc32(bytes.subarray(at), crc32(bytes.subarray(0, at)))]).toEqual([single, single])
    }),
  )
})
