import { describe, expect, it, vi } from 'vitest'
import { findTypeMismatches } from './type-mismatches'
import { inspectCsv } from './inspect-csv'
import { CHUNK_BYTES } from '../csv/sample-rows'
import { loadCsv } from '../../../test/worker/csv-load'
import type { CsvSettings, FileInspection } from '../../shared/data-sources/files'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (text: string, given: Partial<CsvSettings> = {}): FileInspection => {
  const head = utf8(text)
  return inspectCsv({ fileName: 'file.csv', size: head.length, head }, given)
}
/** 500 rows, some of whose values are replaced. */
const table = (label: string, odd: Record<number, string>, value = (i: number) => String(536_365 + i * 3)): string =>
  `${label},Belopp\n${Array.from({ length: 500 }, (_, i) => `${odd[i] ?? value(i)},${i + 1}`).join('\n')}\n`

describe('values that do not fit the type of their column', () => {
  it.each(['InvoiceNo', 'Kundnr', 'account', 'Telefon', 'Postnr', 'order_id', 'Code', 'Orgnr'])(
    'leave a column that names things text, and no row is lost: %s',
    (label) => {
      const text = table(label, { 211: 'C536379', 400: 'C536391' })
      const found = inspect(text)
      expect(found.columns[0]).toMatchObject({ label, type: 'text' })
      expect(found.warnings).toEqual([])
      expect(loadCsv(utf8(text), found)).toEqual({ rows: 500, rejects: 0 })
    },
  )

  it('are told where a separator too many moved a row to the right over an empty end', () => {
    const rows = Array.from({ length: 100 }, (_, i) =>
      i === 7 ? `,2024-05-08,7,${i},` : `2024-05-0${1 + (i % 9)},7,${i},`,
    )
    const found = inspect(`Day,Quantity,Amount,Note\n${rows.join('\n')}\n`)
    expect(found.warnings).toMatchObject([{ code: 'unfit_values', column: 'Quantity', line: 9 }])
    expect(found.warnings[0]?.message).toContain('“2024-05-08”')
  })

  it.each([
    ['Belopp per konto', 'number', (i: number) => `${i},25`],
    ['Price per week', 'integer', String],
    ['Sales this year', 'integer', String],
  ] as const)('leave a column of figures what it is, whatever its heading names beside: %s', (label, type, value) => {
    const text = table(label, { 211: 'x' }, (i) => `"${value(i)}"`)
    const found = inspect(text)
    expect(found.columns[0]).toMatchObject({ label, type, role: 'measure' })
    expect(found.warnings).toMatchObject([{ code: 'unfit_values', column: label, line: 213 }])
    expect(loadCsv(utf8(text), found)).toEqual({ rows: 500, rejects: 1 })
  })

  it('are those of the load where a column holds to the unit it met first', () => {
    const { columns, settings } = inspect('Vara,Antal,Pris\nA,1,2 EUR\nB,3,4 EUR\n')
    const head = utf8('Vara,Antal,Pris\nA,x,5 SEK\nB,6,7 EUR\nC,8,9 SEK\nD,y,10 SEK\nE,11,12 EUR\n')
    const sample = { fileName: 'file.csv', size: head.length, head }
    expect([...findTypeMismatches(sample, columns, { settings, found: { windowRows: [] } })]).toEqual([
      [1, { count: 2, line: 2, examples: ['x', 'y'] }],
      [2, { count: 2, line: 4, examples: ['9 SEK', '10 SEK'] }],
    ])
  })

  it('are looked for without copying more than a little of the file at once', () => {
    const head = utf8(`Besök,Antal\n${'1,2\n'.repeat(CHUNK_BYTES)}`)
    const { columns, settings } = inspect('Besök,Antal\n1,2\n3,4\n')
    const set = vi.spyOn(Uint8Array.prototype, 'set')
    try {
      const sample = { fileName: 'file.csv', size: head.length, head }
      expect(findTypeMismatches(sample, columns, { settings, found: { windowRows: [] } }).size).toBe(0)
      const copied = set.mock.calls.map(([bytes]) => bytes.length)
      expect(copied.length).toBeGreaterThan(0)
      expect(Math.max(...copied)).toBeLessThanOrEqual(CHUNK_BYTES)
    } finally {
      set.mockRestore()
    }
  })

  it('are told of any other column, with examples, their line and what can be done, before the load', () => {
    const text = table('Antal', { 10: 'n', 11: 'x', 12: 'x', 13: 'y', 14: 'z' })
    const found = inspect(text)
    expect(found.columns[0]).toMatchObject({ type: 'integer' })
    expect(found.warnings).toEqual([
      {
        code: 'unfit_values',
        column: 'Antal',
        line: 12,
        message:
          '“Antal” has 5 values that aren’t whole numbers: “n”, “x”, “y” (first on line 12). Their rows are rejected.',
        fix: 'text',
      },
    ])
    expect(loadCsv(utf8(text), found).rejects).toBe(5)
    expect(inspect(table('Antal', { 10: 'x' })).warnings[0]?.message).toBe(
      '“Antal” has 1 value that isn’t a whole number: “x” (line 12). Its row is rejected.',
    )
  })

  it('are found among dates, and not in totals, which are told as such', () => {
    const day = (i: number): string => `2026-01-${String((i % 28) + 1).padStart(2, '0')}`
    const codes = (text: string): string[] => inspect(text).warnings.map(({ code }) => code)
    expect(codes(table('Datum', { 3: 'igår' }, day))).toEqual(['unfit_values'])
    expect(codes(table('Datum', { 499: 'Summa' }, day))).toEqual(['totals_row'])
  })

  it('are looked for in every row of a small file, not in a sample of it', () => {
    const rows = Array.from({ length: 30_000 }, (_, i) => `${i === 17_717 ? 'C17717' : i},${i === 23_001 ? 'x' : 1}\n`)
    const found = inspect(`Fakturanr,Antal\n${rows.join('')}`)
    expect(found.columns.map(({ type }) => type)).toEqual(['text', 'integer'])
    expect(found.warnings).toMatchObject([{ code: 'unfit_values', column: 'Antal', line: 23_003 }])
  })

  it('are told as the least there are where the file is too large to be read in full', () => {
    const part = (from: number): string => Array.from({ length: 300 }, (_, i) => `${from + i},${i}\n`).join('')
    const middle = utf8(`x,1\n${part(900)}5,odd\n`)
    const head = utf8(`Besök,Antal\n${part(1)}`)
    const found = inspectCsv({ fileName: 'x', size: 50_000_000, head, middle, tail: utf8(part(7000)) })
    expect(found.warnings[0]?.message).toBe(
      '“Antal” has at least 1 value that isn’t a whole number: “odd”. Its row is rejected.',
    )
  })
})

describe('a decimal in a column that uses the other mark', () => {
  const column = (values: string[]): string => `Vara;Pris\n${values.map((value, i) => `v${i};${value}`).join('\n')}\n`
  const asked = (values: string[], given?: Partial<CsvSettings>): string[] =>
    inspect(column(values), given).warnings.flatMap(({ code, message }) =>
      code === 'ambiguous_numbers' ? [message] : [],
    )

  it('is asked about', () => {
    expect(asked(['1,25', '5.555', '2,5'])).toEqual([
      '“Pris”: is “5.555” 5555? It’s read so, as other values have a decimal comma. If not, correct the file or keep the column as text.',
    ])
    expect(asked(['1.25', '5,555', '2.5'])).toHaveLength(1)
  })

  it('is no question where other values part their thousands so, or the person said which mark it is', () => {
    expect(asked(['1,25', '5.555', '1.234,50'])).toEqual([])
    expect(asked(['1,25', '5.555', '2,5'], { decimalMark: ',' })).toEqual([])
    expect(asked(['1,25', '5 555', '2,5'])).toEqual([])
  })
})
