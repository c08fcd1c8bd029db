import { describe, expect, it } from 'vitest'
import { inspectCsv } from '../inference/inspect-csv'
import { createCsvReader } from './csv-reader'
import { totalRowLabel } from './total-rows'
import type { CsvSettings, FileInspection } from '../../shared/data-sources/files'

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const inspect = (text: string, given?: Partial<CsvSettings>): FileInspection =>
  inspectCsv({ fileName: 'a.csv', size: utf8(text).length, head: utf8(text) }, given)
function rows(text: string, settings: CsvSettings): string[][] {
  const found: string[][] = []
  const onRecord = (cells: string[]): void => void found.push(cells)
  const reader = createCsvReader({ settings, startByte: 0, startLine: 1, onRecord })
  reader.push(utf8(text))
  reader.end()
  return found
}

const SALES = 'Datum;Kund;Belopp\n2025-01-01;Alfa;100,00\n2025-01-02;Beta;50,00\nSumma;;150,00\n'

describe('rows that are totals of others', () => {
  it('are told by their first value, when it is a word for it and nothing else', () => {
    const words = ['Summa', 'TOTAL', 'Totalt:', 'Grand total', 'Delsumma', 'Slutsumma', 'Sum', 'Total SEK', 'Subtotal']
    words.push('Omslutning', 'Total: Account', 'Grand total: Search', 'Summa kund 10:', 'Delsumma Lund:')
    expect(words.filter((word) => totalRowLabel(['', word, '5']) === null)).toEqual([])
    const names = [
      'Total Care AB',
      'Summit',
      'Totalförsvaret',
      'Summa Equity',
      '5',
      'Sumatra',
      'Total abc',
      'Summa kund 10',
    ]
    expect(names.filter((name) => totalRowLabel([name, 'Summa']) !== null)).toEqual([])
  })

  it('are named with their line, and stay until they are left out', () => {
    const found = inspect(SALES)
    expect(found.warnings).toMatchObject([{ code: 'totals_row', line: 4 }])
    expect(found.rows.count).toBe(3)
    expect(rows(SALES, found.settings)).toHaveLength(3)
  })

  it('are left out of rows, count and preview when the person says so', () => {
    const found = inspect(SALES, { leaveOutTotals: true })
    expect(found.settings.leaveOutTotals).toBe(true)
    expect(found.rows.count).toBe(2)
    expect(found.preview.map(([first]) => first)).toEqual(['2025-01-01', '2025-01-02'])
    expect(rows(SALES, found.settings).map(([first]) => first)).toEqual(['2025-01-01', '2025-01-02'])
    expect(found.warnings[0]?.message).toContain('excluded')
  })

  it('do not decide the type of a column', () => {
    expect(inspect(SALES).columns.map(({ type }) => type)).toEqual(['date', 'text', 'number'])
  })

  it('are found at the end of a file of which only windows are read', () => {
    const body = Array.from({ length: 3000 }, (_, i) => `2025-01-01;Kund ${i};100,00`).join('\n')
    const bytes = utf8(`Datum;Kund;Belopp\n${body}\nTotalt;;300000,00`)
    const cut = (from: number, to: number): Uint8Array => bytes.subarray(from, to)
    const found = inspectCsv({
      ...{ fileName: 'a.csv', size: bytes.length, head: cut(0, 20_000), middle: cut(30_000, 50_000) },
      tail: cut(bytes.length - 20_000, bytes.length),
    })
    expect(found.warnings.map(({ code }) => code)).toEqual(['totals_row'])
  })

  it('never take the names of the columns for one', () => {
    const text = 'Total,Name\n5,a\n6,b\nTotal,c\n'
    const found = inspect(text, { leaveOutTotals: true })
    expect(found.columns.map(({ label }) => label)).toEqual(['Total', 'Name'])
    expect(rows(text, found.settings)).toHaveLength(2)
  })
})
