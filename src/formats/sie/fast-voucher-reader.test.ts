import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openFile } from '../../../test/suites/open-file'
import { CP437, WINDOWS_1252_C1 } from '../encoding/text-decoder'
import { sieReader } from './sie-reader'

const ENCODERS = {
  'utf-8': (text: string): Uint8Array => new TextEncoder().encode(text),
  cp437: (text: string): Uint8Array =>
    Uint8Array.from(text, (char) => (char < '\u0080' ? char.charCodeAt(0) : 0x80 + Math.max(0, CP437.indexOf(char)))),
  'windows-1252': (text: string): Uint8Array =>
    Uint8Array.from(text, (char) =>
      WINDOWS_1252_C1.includes(char) ? 0x80 + WINDOWS_1252_C1.indexOf(char) : char.charCodeAt(0),
    ),
}
const HEAD =
  '#FLAGGA 0\n#ORGNR 556000-0001\n#KONTO 1930 "Företagskonto på hög"\n#DIM 1 "Ställe"\n#OBJEKT 1 5 "Väst, övre"\n'

const text = fc.oneof(
  fc.constantFrom(
    'Hyra',
    'Åkeri, väst',
    '"Köp av öl"',
    '"a ""b"" c"',
    '"C:\\x"',
    '"x\\"y"',
    '"  blank "',
    '""',
    '"a}b"',
    'x"y z"',
    '"\u00a0å\u00a0"',
    '"ö\tä"',
    '"oavslutad',
    'Ã¥',
    '\u0007',
    '"–€ñ"',
  ),
  fc.string({ maxLength: 12 }),
)
const amount = fc.oneof(
  fc.constantFrom(
    '100',
    '-5.50',
    '0',
    '-0.00',
    '.5',
    '5.',
    '007.10',
    '+3',
    '1,5',
    '1 000',
    'x',
    '""',
    '"12.50"',
    '0.00001',
    '123456789012345.67',
    '999999999999.9999',
    '1e5',
    '-',
  ),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => value.toFixed(2)),
)
const list = fc.constantFrom(
  '{}',
  '{1 5}',
  '{"1" "5"}',
  '{1 5 6 "P 1"}',
  '{ }',
  '{7 "Ny"}',
  '{1}',
  '{1 "a}b"}',
  '{1 "å"}',
  '',
  '{',
  '}',
  '{1 {2}}',
)
const day = fc.constantFrom('', '""', '20250115', '2025-01-15', '20251399', '"20250116"', '20250401', '0')
const account = fc.constantFrom('1930', '"1930"', '3010', '" 3010"', '""', 'Å1', '1,5', '1930#', '12"3')
const entry = fc.tuple(account, list, amount, day, text, amount, text).map((fields) => `#TRANS ${fields.join(' ')}`)
const head = fc
  .tuple(
    fc.constantFrom('A', '""', '"B"', '1', 'Å', 'A,B', '" A"'),
    fc.constantFrom('1', '2', '"3"', '007', '""', 'x', '20250115', '9'),
    day,
    text,
    day,
  )
  .map((fields) => `#VER ${fields.join(' ')}`)
const other = fc.constantFrom(
  '{',
  '}',
  ' {',
  '',
  '#RTRANS 1930 {} 100',
  '#BTRANS 1930 {} 5',
  '#IB 0 1930 5',
  '#KONTO 3010 "Sälj" ',
  '{ }',
)
const end = fc.constantFrom('\n', '\r\n', '\r')

it('reads from bytes what it reads from letters, whatever stands on a line', async () => {
  const books = fc.record({
    encoding: fc.constantFrom('utf-8' as const, 'cp437' as const, 'windows-1252' as const),
    hasYear: fc.boolean(),
    lines: fc.array(
      fc.tuple(
        fc.oneof({ weight: 5, arbitrary: entry }, { weight: 2, arbitrary: head }, { weight: 2, arbitrary: other }),
        end,
      ),
      { maxLength: 30 },
    ),
    pieces: fc.constantFrom(7, 1000),
  })
  await fc.assert(
    fc.asyncProperty(books, async ({ encoding, hasYear, lines, pieces }) => {
      const written = lines.map((line) => line.join('')).join('')
      const start = `${HEAD}${hasYear ? '#RAR 0 20250101 20251231\n' : ''}#VER A 1 20250110 "Första"\n{\n`
      const read = (file: string) => openFile(sieReader, { name: 'a.se', bytes: ENCODERS[encoding](file) }, pieces)
      // Labels in small letters mean the same, and nothing of such a line is read from its bytes.
      expect(await read(start + written)).toEqual(
        await read((start + written).replace(/^#(TRANS|VER) /gm, (label) => label.toLowerCase())),
      )
    }),
    { numRuns: 300 },
  )
})
