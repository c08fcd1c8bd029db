import { readXlsx } from 'hucre'
import { describe, expect, it } from 'vitest'
import { tableDownload, type FileColumn, type TableFile } from './table-download'
import type { Cell } from '../../shared/query/result'

const day: FileColumn = { kind: 'column', type: 'date', format: { style: 'plain' } }
const moment: FileColumn = { kind: 'column', type: 'datetime', format: { style: 'plain' } }
const kronor: FileColumn = { kind: 'column', type: 'number', scale: 2, format: { style: 'currency', currency: 'SEK' } }
const share: FileColumn = { kind: 'measure', type: 'number', format: { style: 'percent' } }
const name: FileColumn = { kind: 'column', type: 'text', format: { style: 'plain' } }

const COLUMNS = [name, day, moment, kronor, share]
const ROWS: Cell[][] = [
  ['Åsa; "AB"', '2026-03-01', '2026-03-01T22:30:00Z', '-1234.50', 0.125],
  ['=1+1', '1820-01-01', null, '12345678901234567.89', null],
]
const fileOf = (format: 'csv' | 'xlsx', numberLocale = 'sv-SE'): TableFile => ({
  ...{ name: 'Orders', format, numberLocale, timeZone: 'Europe/Stockholm', context: [['Table', 'Orders']] },
  table: {
    columns: COLUMNS,
    heads: ['Customer', 'Day', 'Moment', 'Amount', 'Share'],
    sample: ROWS,
    rows: async function* () {
      yield* await Promise.resolve(ROWS)
    },
    totals: null,
  },
})
const bytesOf = async (file: TableFile): Promise<Uint8Array> =>
  new Uint8Array(await new Response(tableDownload(file).body).arrayBuffer())

describe('a table as CSV', () => {
  const textOf = async (locale: string) =>
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await bytesOf(fileOf('csv', locale)))

  it('begins with a byte order mark and the headings, in semicolons and decimal commas where the locale wants them', async () => {
    expect(await textOf('sv-SE')).toBe(
      [
        '\ufeffCustomer;Day;Moment;Amount;Share (%)',
        '"Åsa; ""AB""";2026-03-01;2026-03-01T22:30:00Z;-1234,50;12,5',
        "'=1+1;1820-01-01;;12345678901234567,89;",
        '',
      ].join('\r\n'),
    )
  })
  it('parts cells by commas where fractions are parted by points', async () => {
    expect(await textOf('en-GB')).toContain('2026-03-01T22:30:00Z,-1234.50,12.5\r\n')
  })
})

describe('a table as a workbook', () => {
  it('is read by another program with real dates, figures and a second sheet that says what it is', async () => {
    const { sheets } = await readXlsx(await bytesOf(fileOf('xlsx')))
    expect(sheets.map((sheet) => sheet.name)).toEqual(['Data', 'About'])
    const [heads, first, second] = sheets[0]?.rows ?? []
    expect(heads).toEqual(['Customer', 'Day', 'Moment', 'Amount', 'Share'])
    expect(first).toEqual([
      'Åsa; "AB"',
      new Date('2026-03-01T00:00:00Z'),
      // On the workspace's clock.
      new Date('2026-03-01T23:30:00Z'),
      -1234.5,
      0.125,
    ])
    expect(second?.slice(0, 2)).toEqual(["'=1+1", '1820-01-01'])
    expect(sheets[1]?.rows[0]).toEqual(['Table', 'Orders'])
  })
  it('formats amounts by currency and parts as per cent, and keeps headings in sight', async () => {
    const { sheets } = await readXlsx(await bytesOf(fileOf('xlsx')), { readStyles: true })
    const cells = sheets[0]?.cells
    const formatAt = (column: number) => cells?.get(`1,${column}`)?.style?.numFmt
    expect(formatAt(3)?.replaceAll('\u00a0', ' ')).toBe('#,##0.00" ""kr"')
    expect(formatAt(4)).toBe('0.0%')
    expect(sheets[0]?.freezePane).toMatchObject({ rows: 1, columns: 1 })
  })
})
