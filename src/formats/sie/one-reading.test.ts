import { expect, it } from 'vitest'
import { sieReader } from './sie-reader'
import { openFile } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'
import type { FormatReader } from '../contract'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/sie/*', { query: '?inline', import: 'default', eager: true }),
)
const HEAD = '#FLAGGA 0\n#SIETYP 4\n#ORGNR 556000-0001\n#RAR 0 20250101 20251231\n#KONTO 1930 "Bank"\n#IB 0 1930 5.00\n'
const voucher = (number: number, text = 'a'): string =>
  `#VER A ${number} 20250102 "${text}"\n{\n#TRANS 1930 {1 5} 10.00 "" "${text}"\n#TRANS 3001 {} -10.00\n}\n`
const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0))
/** A ledger, what stands in it, and whether it is read to its end once. */
const LEDGERS: [what: string, bytes: Uint8Array, isOnce: boolean][] = [
  ['names before vouchers', latin1(HEAD + voucher(1) + voucher(2)), true],
  [
    'letters in names and vouchers',
    latin1(`${HEAD}#KONTO 3001 "F\u00f6rs\u00e4ljning"\n${voucher(1, 'K\u00f6p')}`),
    true,
  ],
  ['figures after vouchers', latin1(`${HEAD}${voucher(1)}#UB 0 1930 15.00\n`), true],
  ['an account after vouchers', latin1(`${HEAD}${voucher(1)}#KONTO 3001 "Sales"\n`), false],
  ['an object after vouchers', latin1(`${HEAD}${voucher(1)}#OBJEKT 1 5 "Lund"\n${voucher(2)}`), false],
  ['letters in vouchers alone', latin1(HEAD + voucher(1, 'K\u00f6p')), false],
  [
    'other letters in vouchers',
    latin1(`${HEAD}#KONTO 3001 "F\u0094rs"\n${voucher(1, 'K\u00f6p p\u00e5 \u00f6')}`),
    false,
  ],
  ['a checksum', latin1(`#FLAGGA 0\n#KSUMMA\n${HEAD.slice(10)}${voucher(1)}#KSUMMA 5\n`), false],
  ['no voucher', latin1(HEAD), false],
]

async function readingsOf(bytes: Uint8Array): Promise<number> {
  let readings = 0
  const counted: FormatReader = {
    ...sieReader,
    open: (source, sink) => {
      const stream = (): ReturnType<typeof source.stream> => {
        readings += 1
        return source.stream()
      }
      const { fileName, size } = source
      return sieReader.open({ fileName, size, read: (offset, length) => source.read(offset, length), stream }, sink)
    },
  }
  await openFile(counted, { name: 'a.se', bytes })
  return readings
}

it.each(LEDGERS)('gives what two readings give, of a ledger with %s', async (_what, bytes, isOnce) => {
  const file = { name: 'a.se', bytes }
  for (const pieces of [7, 64 * 1024])
    expect(await openFile(sieReader, file, pieces)).toEqual(await openFile(sieReader, file, pieces, false))
  // One looks for the first voucher; the file of a second reading is fetched once more, and held for the third.
  const attempts = _what === 'no voucher' ? 1 : 2
  expect(await readingsOf(bytes)).toBe(isOnce ? 2 : attempts + 1)
})

it('gives what two readings give, of ledgers of many programs', async () => {
  for (const [name, bytes] of files) {
    const file = { name, bytes }
    expect(await openFile(sieReader, file)).toEqual(await openFile(sieReader, file, undefined, false))
  }
})
