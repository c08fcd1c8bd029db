import { describe, expect, it } from 'vitest'
import { proposedTyper } from '../../../test/worker/csv-load'
import { isoFromDay } from '../../shared/dates'
import { createCsvReader } from '../csv/csv-reader'
import { inspectCsv } from './inspect-csv'

/** What the second column of a file is read as, with nothing corrected. */
function readColumn(values: readonly string[], label: string): { type: string; role: string; values: unknown[] } {
  const text = `Key;${label};Sum\n${values.map((value, n) => `A${n};${value};${n + 1}\n`).join('')}`
  const bytes = new TextEncoder().encode(text)
  const found = inspectCsv({ fileName: 'a.csv', size: bytes.length, head: bytes })
  const typer = proposedTyper(found)
  const column = found.columns[1]
  const read: unknown[] = []
  const reader = createCsvReader({
    settings: found.settings,
    startByte: 0,
    startLine: 1,
    onRecord: (cells, line) => {
      const row = typer.parse(cells, line)
      const value = row.ok ? row.values[1] : 'rejected'
      read.push(typeof value === 'number' && column?.type === 'date' ? isoFromDay(value) : value)
    },
  })
  reader.push(bytes)
  reader.end()
  return { type: column?.type ?? '', role: column?.role ?? '', values: read }
}
const everyMonth = (count: number, write: (year: number, month: string) => string): string[] =>
  Array.from({ length: count }, (_, n) => write(2024 + Math.floor(n / 12), String((n % 12) + 1).padStart(2, '0')))

describe('months of years', () => {
  it.each([
    ['with a hyphen', 'Month', ['2025-01', '2025-02', '2024-12']],
    ['with a slash', 'Period', ['2025/01', '2025/02', '2024/12']],
    ['with an M, as statistics offices write them', 'månad', ['2025M01', '2025M02', '2024M12']],
    ['year last', 'Bokföringsperiod', ['01/2025', '02/2025', '12/2024']],
    ['in six figures', 'Fakturamånad', ['202501', '202502', '202412']],
    ['in words', 'Sold', ['jan 2025', 'Feb 2025', 'december 2024']],
    ['in Swedish words', 'Utfall', ['januari 2025', 'februari 2025', 'dec 2024']],
    ['as spreadsheets shorten them', 'order_month', ['jan-25', 'feb-25', 'dec-24']],
  ])('are dates, each the first day of its month: %s', (_how, label, written) => {
    expect(readColumn(written, label)).toEqual({
      type: 'date',
      role: 'time',
      values: ['2025-01-01', '2025-02-01', '2024-12-01'],
    })
  })

  it('are dates below any name where they are a calendar without a gap', () => {
    const found = readColumn(
      everyMonth(18, (year, month) => `${year}-${month}`),
      'Utfall',
    )
    expect(found).toMatchObject({ type: 'date', role: 'time' })
    expect(found.values.at(-1)).toBe('2025-06-01')
  })

  it('leave an empty cell empty', () => {
    expect(readColumn(['2025-01', '', '2025-03'], 'Month').values).toEqual(['2025-01-01', null, '2025-03-01'])
  })

  it.each([
    ['numbers of a series below a name that says so', 'Project no', ['2025-01', '2025-02', '2025-03']],
    ['numbers of a series below a name that says nothing', 'Ref. file', ['2025-01', '2025-02', '2025-03']],
    ['a calendar of numbers that name things', 'Order', everyMonth(18, (year, month) => `${year}-${month}`)],
    ['numbers of periods', 'Period no', ['2025-01', '2025-02', '2025-03']],
    ['a thirteenth month', 'Period', ['2025-11', '2025-12', '2025-13']],
    ['days of a month', 'Delivered', ['Mar 12', 'Mar 13', 'Apr 01']],
  ])('are not seen in %s', (_what, label, written) => {
    expect(readColumn(written, label)).toMatchObject({ type: 'text', values: written })
  })

  it('are no dates among figures', () => {
    expect(readColumn(['202501', '202502', '202412'], 'Amount').type).toBe('integer')
    expect(readColumn(['2025.01', '2025.02', '2024.12'], 'Amount').type).toBe('number')
  })

  it('are texts again where a row far down has a thirteenth', () => {
    const written = [...everyMonth(4000, (year, month) => `${1900 + (year % 100)}-${month}`), '2025-13']
    const found = readColumn(written, 'Period')
    expect(found.type).toBe('text')
    expect(found.values.at(-1)).toBe('2025-13')
  })
})
