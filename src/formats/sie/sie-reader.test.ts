import { describe, expect, it } from 'vitest'
import { sieReader } from './sie-reader'
import { memorySource } from '../../../test/worker/memory-source'
import type { FileWarning } from '../../shared/data-sources/files'
import { openFile, recordsOf, type CollectedTable } from '../../../test/suites/open-file'
import { fixtureFiles } from '../../../test/worker/fixture-files'

const files = fixtureFiles(
  import.meta.glob<string>('../../../test/fixtures/sie/*', { query: '?inline', import: 'default', eager: true }),
)
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const HEAD = ['#FLAGGA 0', '#FORMAT UTF-8', '#SIETYP 4', '#ORGNR 556000-0001', '#FNAMN "Alfa AB"']
const YEAR = '#RAR 0 20250101 20251231'

type Row = Record<string, string | null>
interface OpenedFile {
  tables: CollectedTable[]
  warnings: FileWarning[]
  rows: (table: string) => Row[]
}
async function open(file: string[] | Uint8Array | string, pieces?: number): Promise<OpenedFile> {
  const bytes = Array.isArray(file)
    ? utf8(file.join('\r\n'))
    : typeof file === 'string'
      ? (files.get(file) ?? new Uint8Array(0))
      : file
  const opened = await openFile(sieReader, { name: 'book.se', bytes }, pieces)
  return {
    ...opened,
    rows: (name) => opened.tables.filter((table) => table.name === name).flatMap(recordsOf),
  }
}
const column = (rows: Row[], label: string): (string | null | undefined)[] => rows.map((row) => row[label])
const ofCode = ({ warnings }: OpenedFile, code: FileWarning['code']): FileWarning[] =>
  warnings.filter((warning) => warning.code === code)

describe('what a SIE file is', () => {
  it('is told by its labels, whatever the name', () => {
    for (const [name, bytes] of files) expect([name, sieReader.recognises(bytes, 'x.csv')]).toEqual([name, true])
  })

  it('is not taken for one when # begins comments or headings', () => {
    const others = ['#KONTO;NAMN\n1930;Bank\n', '# a comment\na,b\n1,2\n', '#FLAGGAD,b\n', '{"a":"#FLAGGA"}', '']
    for (const text of others) expect([text, sieReader.recognises(utf8(text), 'x.se')]).toEqual([text, false])
  })
})

describe('the ledger of a file', () => {
  it('has the agreed tables and columns, and none without rows', async () => {
    const opened = await open('jsisie__BL0001_typ4.SE')
    const shape = Object.fromEntries(
      opened.tables.map(({ ledger, hints }) => [ledger, hints.map(({ label }) => label)]),
    )
    expect(shape).toEqual({
      companies: ['org_number', 'name', 'currency', 'chart', 'sie_type', 'program', 'generated'],
      fiscal_years: ['org_number', 'fiscal_year', 'start', 'end'],
      accounts: ['org_number', 'fiscal_year', 'account_key', 'account', 'name', 'type', 'class', 'sru', 'unit'],
      balances: ['org_number', 'fiscal_year', 'account_key', 'account', 'object', 'kind', 'amount', 'quantity'],
      vouchers: ['org_number', 'fiscal_year', 'voucher_key', 'series', 'number', 'date', 'text', 'registered'],
      entries: [
        ...['org_number', 'fiscal_year', 'voucher_key', 'series', 'number', 'row', 'date', 'account_key', 'account'],
        ...['amount', 'text', 'quantity', 'dim_1', 'dim_1_name', 'dim_6', 'dim_6_name', 'dim_2', 'dim_2_name'],
      ],
      dimensions: ['org_number', 'dimension', 'name', 'parent'],
      budgets: expect.arrayContaining(['period', 'account', 'amount']),
      objects: ['org_number', 'object_key', 'dimension', 'object', 'name'],
    })
  })

  it('gives types, roles and money to every column', async () => {
    const { tables } = await open([
      ...HEAD,
      YEAR,
      '#VALUTA EUR',
      '#VER A 1 20250115',
      '{',
      '#TRANS 1930 {} 10.125',
      '}',
    ])
    const hints = tables.find(({ ledger }) => ledger === 'entries')?.hints ?? []
    const hint = (label: string) => hints.find((one) => one.label === label)
    expect(hint('amount')).toMatchObject({ type: 'number', role: 'measure', scale: 3, format: { currency: 'EUR' } })
    expect(hint('account')).toMatchObject({ type: 'text', role: 'dimension' })
    expect(hint('voucher_key')).toMatchObject({ type: 'text', role: 'id' })
    expect(hint('date')).toMatchObject({ type: 'date', role: 'time' })
    expect(hint('row')).toMatchObject({ type: 'integer', role: 'id' })
  })

  it('keeps amounts as they stand, sign and all', async () => {
    const amounts = ['-200', '+1.50', '0012.5', '-.5', '1e5', '-0.00', '12345678901234567.89', '99,95', '']
    const opened = await open([
      ...HEAD,
      YEAR,
      '#VER A 1 20250115',
      '{',
      ...amounts.map((amount) => `#TRANS 1930 {} ${amount}`),
      '}',
    ])
    const wanted = ['-200', '1.50', '12.5', '-0.5', null, '0.00', '12345678901234567.89', '99.95', null]
    expect(column(opened.rows('entries'), 'amount')).toEqual(wanted)
    expect(ofCode(opened, 'skipped_entry').map(({ line }) => line)).toEqual([13, 17])
  })

  it('reads balances of accounts and of their objects, and what moved in a month', async () => {
    const { rows } = await open('jsisie__BL0001_typ3.SE')
    const object = rows('balances').find((row) => row['object'] === '1:1' && row['kind'] === 'IB')
    expect(object).toMatchObject({ account: '1930', amount: '7600', fiscal_year: '2009-07/2010-06' })
    expect(new Set(column(rows('balances'), 'kind'))).toEqual(new Set(['IB', 'UB', 'RES']))
    expect(rows('period_balances')[0]).toMatchObject({ period: '2009-08-01', account: '1220', amount: '6000' })
  })

  it('names accounts, objects and dimensions by keys that entries share', async () => {
    const { rows } = await open('jsisie__BL0001_typ4.SE')
    const entry = rows('entries').find((row) => row['dim_1'] === '1')
    expect(entry?.['dim_1_name']).toBe('Stockholm')
    expect(column(rows('accounts'), 'account_key')).toContain(entry?.['account_key'])
    expect(column(rows('vouchers'), 'voucher_key')).toContain(entry?.['voucher_key'])
    expect(entry?.['account_key']).toBe(`556265-1892/2009-07/2010-06/${entry?.['account']}`)
  })

  it('takes the type of an account from #KTYP, else from its class', async () => {
    const accounts = ['1930', '2440', '3010', '4010', '8310', '8410', 'X']
    const { rows } = await open([
      ...HEAD,
      YEAR,
      ...accounts.map((a) => `#KONTO ${a} "a"`),
      '#KTYP 2440 T',
      '#KTYP 8410 constructor',
    ])
    const types = ['asset', 'asset', 'income', 'expense', 'income', 'expense', null]
    expect(column(rows('accounts'), 'type')).toEqual(types)
  })

  it('is the same however its bytes arrive', async () => {
    const whole = await open('jsisie__BL0001_typ4.SE', 1_000_000)
    const bits = await open('jsisie__BL0001_typ4.SE', 7)
    expect(bits.tables).toEqual(whole.tables)
    expect(bits.warnings).toEqual(whole.warnings)
  })

  it('tells every row its line', async () => {
    const { tables } = await open([...HEAD, YEAR, '#VER A 1 20250115', '{', '', '#TRANS 1930 {} 0', '}'])
    expect(tables.find(({ name }) => name === 'vouchers')?.lines).toEqual([7])
    expect(tables.find(({ name }) => name === 'entries')?.lines).toEqual([10])
  })

  it('gives others their turn at least every 64 kB', async () => {
    let flushes = 0
    const bytes = utf8([...HEAD, ...Array.from({ length: 40_000 }, () => '#PROSA xxxx')].join('\n'))
    const sink = {
      table: () => ({ add: () => {}, addRecords: () => {}, describe: () => {} }),
      flush: async () => void flushes++,
    }
    await sieReader.open(memorySource('a.se', bytes), sink)
    expect(flushes).toBeGreaterThan(bytes.length / 64_000)
  })
})

describe('keys that hold from file to file', () => {
  it('name the company by its number in one notation, else by its name', async () => {
    const key = async (...lines: string[]): Promise<string | null | undefined> =>
      (await open(['#FLAGGA 0', '#FORMAT PC8', ...lines])).rows('companies')[0]?.['org_number']
    expect(await key('#ORGNR 5560000001')).toBe('556000-0001')
    expect(await key('#ORGNR "16556000-0001"')).toBe('556000-0001')
    expect(await key('#ORGNR', '#FNAMN "Alfa AB"')).toBe('Alfa AB')
    // It stands in every row: a long one would make far more of the file than it is.
    expect(await key(`#ORGNR "${'9'.repeat(20_000)}"`)).toBe('9'.repeat(100))
    expect(await key(`#FNAMN "${'A'.repeat(20_000)}"`)).toBe('A'.repeat(100))
  })

  it('find the company below the vouchers too', async () => {
    const { rows } = await open(['#FLAGGA 0', YEAR, '#VER A 1 20250115', '{', '}', '#ORGNR 556000-0001'])
    expect(rows('vouchers')[0]?.['org_number']).toBe('556000-0001')
  })

  it('tell vouchers of one number apart, and those without one', async () => {
    const vouchers = ['A 2', 'A 1', 'A 2', 'A ""', 'B 2', 'A 3', 'A 1'].map((at) => `#VER ${at} 20250115 ""`)
    const { rows } = await open([...HEAD, YEAR, ...vouchers])
    const part = '556000-0001/2025'
    expect(column(rows('vouchers'), 'voucher_key')).toEqual(
      ['A/2', 'A/1', 'A/2#9', 'A/#10', 'B/2', 'A/3', 'A/1#13'].map((key) => `${part}/${key}`),
    )
  })

  it('go by the calendar year, with a warning, when the file names no fiscal year', async () => {
    const opened = await open('jsisie__Exempelbolaget.si')
    expect(new Set(column(opened.rows('vouchers'), 'fiscal_year'))).toEqual(new Set(['2009', '2010']))
    expect(ofCode(opened, 'skipped_entry')[0]?.message).toContain('#RAR')
  })
})

describe('years', () => {
  it('count back from this year where the file names only that one', async () => {
    const balances = [0, -1, -2].map((year) => `#IB ${year} 1930 5`)
    const { rows } = await open([...HEAD, '#RAR 0 20240301 20250228', ...balances])
    expect(rows('fiscal_years').map((row) => [row['fiscal_year'], row['start'], row['end']])).toEqual([
      ['2024-03/2025-02', '2024-03-01', '2025-02-28'],
      ['2023-03/2024-02', '2023-03-01', '2024-02-29'],
      ['2022-03/2023-02', '2022-03-01', '2023-02-28'],
    ])
    expect(new Set(column(rows('accounts'), 'account_key')).size).toBe(3)
  })

  it('are refused in numbers that no ledger has', async () => {
    const vouchers = Array.from({ length: 60 }, (_, i) => `#VER A ${i} ${1950 + i}0101`)
    await expect(open([...HEAD, ...vouchers])).rejects.toMatchObject({ code: 'too_large', details: { what: 'years' } })
  })
})

describe('lists held in memory', () => {
  it.each([
    ['records', Array.from({ length: 200_000 }, (_, i) => `#OBJEKT ${i} o n`)],
    ['characters', Array.from({ length: 3_000 }, (_, i) => `#KONTO ${i} "${'x'.repeat(4_000)}"`)],
    ['empty fields', Array.from({ length: 500 }, (_, i) => `#SRU ${i}${' ""'.repeat(4_000)}`)],
  ])('are refused past what memory holds: %s', async (_what, records) => {
    await expect(open([...HEAD, ...records], 65_536)).rejects.toMatchObject({ code: 'too_large' })
  })

  it('tell vouchers apart by their numbers in as many series as memory holds, then by their lines', async () => {
    const vouchers = Array.from({ length: 110_000 }, (_, i) => `#VER S${i % 900} ${2 * i + 1} 20250101`)
    const { rows } = await open([...HEAD, YEAR, ...vouchers], 65_536)
    const keys = column(rows('vouchers'), 'voucher_key')
    expect(new Set(keys).size).toBe(vouchers.length)
    expect(keys[0]).not.toContain('#')
    expect(keys.at(-1)).toContain('#')
  })
})

describe('what is left out, and said', () => {
  it('leaves out struck rows, and counts a row added later once', async () => {
    const { rows, warnings } = await open([
      ...[...HEAD, YEAR, '#VER A 1 20250115', '{', '#TRANS 1930 {} 100', '#BTRANS 3010 {} -100'],
      ...['#RTRANS 3020 {} -100', '#TRANS 3020 {} -100', '}'],
    ])
    expect(rows('entries').map((row) => [row['account'], row['amount']])).toEqual([
      ['1930', '100'],
      ['3020', '-100'],
    ])
    expect(warnings.filter(({ code }) => code !== 'unknown_records')).toEqual([])
  })

  it('says when a row added later has no row of its own', async () => {
    const opened = await open('own__ksumma_utf8_bom.se')
    expect(opened.rows('entries')).toHaveLength(2)
    expect(ofCode(opened, 'skipped_entry').map(({ line }) => line)).toEqual([17])
  })

  it('counts unknown labels and lines that are no records, and reads on', async () => {
    const opened = await open([
      ...HEAD,
      YEAR,
      '#NYTT 1',
      '#NYTT 2',
      'words',
      '#IB 0 1930 5',
      '#UB 0 1930 0',
      '#RES 0 3000 0',
    ])
    expect(ofCode(opened, 'unknown_records').map(({ line, message }) => [line, message.slice(0, 36)])).toEqual([
      [7, 'Skipped: 2 lines with the unknown la'],
      [9, 'Skipped: 1 line without a label, fir'],
      [10, 'Accounts used but not named in the f'],
    ])
    expect(opened.rows('balances')).toHaveLength(3)
  })

  it('takes the number that a program gives a company for no account', async () => {
    const { rows, warnings } = await open([
      ...HEAD,
      '#FNR 0123',
      YEAR,
      '#KONTO 1930 Bank',
      '#IB 0 1930 5',
      '#UB 0 1930 5',
    ])
    expect(rows('accounts').map((row) => row['account'])).toEqual(['1930'])
    expect(warnings.filter(({ code }) => code === 'unknown_records')).toEqual([])
  })

  it('skips the rows of an unknown record', async () => {
    const { rows } = await open([...HEAD, YEAR, '#NYTT 1', '{', '#TRANS 1930 {} 5', '}', '#VER A 1 20250115', '{', '}'])
    expect(rows('entries')).toEqual([])
    expect(rows('vouchers')).toHaveLength(1)
  })

  it('says that a file ends inside a voucher', async () => {
    const opened = await open([...HEAD, YEAR, '#VER A 7 20250115', '{', '#TRANS 1930 {} 0'])
    expect(ofCode(opened, 'skipped_entry')[0]).toMatchObject({ line: 7 })
  })

  it('leaves a date that is none empty, with its line', async () => {
    const opened = await open([...HEAD, YEAR, '#VER A 1 20250231', '{', '#TRANS 1930 {} 0 20250401', '}'])
    expect(opened.rows('vouchers')[0]?.['date']).toBeNull()
    expect(opened.rows('entries')[0]?.['date']).toBe('2025-04-01')
    expect(ofCode(opened, 'skipped_entry')).toMatchObject([{ line: 7 }])
  })
})

describe('sums that a ledger promises', () => {
  it('names a voucher that does not balance by its line', async () => {
    const opened = await open('barsoom__sie_file_with_unknown_entries.se')
    expect(ofCode(opened, 'unbalanced_voucher')).toMatchObject([{ line: 22 }])
    expect(ofCode(opened, 'unbalanced_voucher')[0]?.message).toContain('add up to −40.00')
  })

  it('says where opening balance and vouchers do not make the closing balance', async () => {
    const book = (closing: string): string[] => [
      ...[...HEAD, YEAR, '#IB 0 1930 100.00', `#UB 0 1930 ${closing}`, '#RES 0 3010 -250.50'],
      ...['#VER A 1 20250115', '{', '#TRANS 1930 {} 150.50', '#TRANS 3010 {} -150.50', '}'],
    ]
    expect(ofCode(await open(book('250.50')), 'unbalanced_year')).toEqual([])
    const wrong = ofCode(await open(book('250.51')), 'unbalanced_year')
    expect(wrong.map(({ line }) => line)).toEqual([8, 8])
    expect(wrong[0]?.message).toContain('Account 1930')
    const large = ofCode(await open(book('-1250000.5')), 'unbalanced_year')
    expect(large[0]?.message).toContain('the closing balance is −1\u00a0250\u00a0000.50')
    expect(wrong[1]?.message).toContain('differ by 0.01')
  })

  it('proves the checksum, and says when it is wrong', async () => {
    const right = files.get('jsisie__Norstedts_Bokslut_SIE_4I.si') ?? new Uint8Array(0)
    expect(ofCode(await open(right), 'checksum')).toEqual([])
    const changed = right.slice()
    const at = changed.lastIndexOf(0x2e)
    changed[at + 1] = (changed[at + 1] ?? 0) ^ 1
    expect(ofCode(await open(changed), 'checksum')).toHaveLength(1)
  })

  it('tells twenty of many faults and counts the rest', async () => {
    const vouchers = Array.from({ length: 500 }, (_, i) => [
      `#VER A ${i} 20250115`,
      '{',
      '#TRANS 1930 {} 1',
      '}',
    ]).flat()
    const found = ofCode(await open([...HEAD, YEAR, ...vouchers]), 'unbalanced_voucher')
    expect(found).toHaveLength(21)
    expect(found.at(-1)?.message).toContain('480 more')
  })
})
