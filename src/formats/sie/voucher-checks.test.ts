import { describe, expect, it } from 'vitest'
import { sieReader } from './sie-reader'
import { openFile, recordsOf } from '../../../test/suites/open-file'
import type { FileWarning } from '../../shared/data-sources/files'

const HEAD = ['#FLAGGA 0', '#FORMAT UTF-8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"']
const YEAR = '#RAR 0 20250101 20251231'
const voucher = (head: string): string[] => [`#VER ${head}`, '{', '#TRANS 1930 {} 1', '#TRANS 3010 {} -1', '}']

async function open(lines: string[] | Uint8Array) {
  const bytes = Array.isArray(lines) ? new TextEncoder().encode(lines.join('\r\n')) : lines
  const { tables, warnings } = await openFile(sieReader, { name: 'book.se', bytes })
  const rows = (name: string) => tables.filter((table) => table.name === name).flatMap(recordsOf)
  const told = (code: FileWarning['code']) => warnings.flatMap((one) => (one.code === code ? [one.message] : []))
  return { rows, told, warnings }
}
const book = (...heads: string[]) => open([...HEAD, YEAR, ...heads.flatMap(voucher)])

describe('the heads of vouchers', () => {
  it('are read where their series is left out', async () => {
    const { rows, warnings } = await book('1 20250115 "Hyra" 20250116', '2 20250201 Lön')
    expect(rows('vouchers')).toMatchObject([
      { series: null, number: '1', date: '2025-01-15', text: 'Hyra', registered: '2025-01-16' },
      { series: null, number: '2', date: '2025-02-01', text: 'Lön', registered: null },
    ])
    expect(warnings.map(({ code }) => code)).toEqual(['unknown_records'])
    const named = await book('1 20250115 20250116 "A number like a date"')
    expect(named.rows('vouchers')).toMatchObject([{ series: '1', number: '20250115', date: '2025-01-16' }])
  })

  it('are told where they have no date', async () => {
    const { rows, told } = await book('A 1 "" "Hyra"', 'A 2 20250201')
    expect(rows('vouchers')).toMatchObject([{ date: null, text: 'Hyra' }, { date: '2025-02-01' }])
    expect(told('undated_voucher')).toEqual(['Voucher A 1 on line 7 has no date.'])
  })

  it('are told where numbers are missing or come twice, in each series by itself and in any order', async () => {
    const { rows, told } = await book(
      ...['A 9 20250101', 'A 1 20250101', 'A 2 20250101', 'A 5 20250101', 'A 2 20250102', 'B 4 20250101'],
      ...['B 6 20250101', 'C 1 20250101', 'C 2 20250101'],
    )
    expect(told('voucher_number')).toEqual([
      'Voucher A 2 on line 27 has a number that an earlier voucher has.',
      'Series A, 2025: 5 numbers are missing: 3–4, 6–8.',
      'Series B, 2025: 1 number is missing: 5.',
    ])
    expect(new Set(rows('vouchers').map((row) => row['voucher_key'])).size).toBe(9)
  })

  it('make keys of company, year, series and number, and of the line where that is not unique', async () => {
    const heads = ['A 7', 'A 3000000000', '"A,B" 7', '"A \\"B\\"" 7', 'A 007', 'A 7a', '"" 7', 'A 7', 'å 7']
    const { rows } = await book(...heads.map((head) => `${head} 20250115`))
    const keys = rows('vouchers').map((row) => [row['voucher_key'], row['series'], row['number']])
    const start = '556000-0001/2025'
    expect(keys).toEqual([
      [`${start}/A/7`, 'A', '7'],
      [`${start}/A/3000000000`, 'A', '3000000000'],
      [`${start}/A,B/7`, 'A,B', '7'],
      [`${start}/A "B"/7`, 'A "B"', '7'],
      [`${start}/A/007`, 'A', '007'],
      [`${start}/A/7a`, 'A', '7a'],
      [`${start}//7`, null, '7'],
      [`${start}/A/7#42`, 'A', '7'],
      [`${start}/å/7`, 'å', '7'],
    ])
    expect(rows('entries').map((row) => row['voucher_key'])).toEqual(keys.flatMap(([key]) => [key, key]))
  })

  it('are told where they were registered long after their date', async () => {
    const { told } = await book('A 1 20250101 x 20250302', 'A 2 20250101 x 20250303', 'A 3 20250101 x 20250601')
    expect(told('late_entry')).toEqual([
      'Voucher A 2 on line 12 was registered 61 days after its date (2025-01-01).',
      'Voucher A 3 on line 17 was registered 151 days after its date (2025-01-01).',
    ])
  })
})

describe('records whose fields are in the wrong place', () => {
  it('are budgets with account and month swapped, read and told', async () => {
    const { rows, told } = await open([...HEAD, YEAR, '#PBUDGET 0 202501 3010 {} -5', '#PBUDGET 0 3010 202502 {} -6'])
    expect(rows('budgets')).toMatchObject([
      { period: '2025-01-01', account: '3010', amount: '-5' },
      { period: '2025-02-01', account: '3010', amount: '-6' },
    ])
    expect(rows('accounts').map((row) => row['account'])).toEqual(['3010'])
    expect(told('swapped_fields')).toEqual([
      'Line 8: account and month are swapped. Read as account 3010, month 202502.',
    ])
  })

  it('are fiscal years that end before they begin: turned round when that makes a year, else of twelve months', async () => {
    const turned = await open([...HEAD, '#RAR 0 20251231 20250101', ...voucher('A 1 20250115')])
    expect(turned.rows('fiscal_years')).toMatchObject([{ start: '2025-01-01', end: '2025-12-31' }])
    expect(turned.told('swapped_fields')).toHaveLength(1)
    const odd = await open([...HEAD, '#RAR 0 20250101 20241231', ...voucher('A 1 20250115')])
    expect(odd.rows('fiscal_years')).toMatchObject([{ start: '2025-01-01', end: '2025-12-31' }])
    expect(odd.told('swapped_fields')[0]).toContain('Its end is read as 2025-12-31.')
    const leap = await open([...HEAD, '#RAR 0 20230301 20220228', '#RAR -1 20220301 20230228', '#UB 0 1930 5'])
    expect(leap.rows('fiscal_years')).toMatchObject([
      { start: '2023-03-01', end: '2024-02-29' },
      { start: '2022-03-01', end: '2023-02-28' },
    ])
    const midMonth = await open([...HEAD, '#RAR 0 20250115 20241231', ...voucher('A 1 20250115')])
    expect(midMonth.told('swapped_fields')[0]).toContain('It is ignored.')
  })
})

describe('letters that cannot be read', () => {
  it('are told: bytes that are no letter, and question marks where letters were', async () => {
    const lines = [
      ...HEAD,
      YEAR,
      '#KONTO 3010 "F?rs?ljning"',
      '#KONTO 1930 "Är det så? Ja"',
      ...voucher('A 1 20250115'),
    ]
    const lost = await open(lines)
    expect(lost.told('invalid_bytes')).toEqual([
      '1 name has “?” for letters that were lost before export: “F?rs?ljning”, line 7. Export the file again.',
    ])
    const broken = new TextEncoder().encode([...lines, `#PROSA ${'å ä ö '.repeat(9)}`, '#PROSA x@y'].join('\n'))
    broken[broken.lastIndexOf(0x40)] = 0xff
    expect((await open(broken)).told('invalid_bytes')).toContain(
      '1 line has letters that can’t be read and show as \ufffd, first on line 15.',
    )
  })
})
