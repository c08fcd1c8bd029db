import { describe, expect, it } from 'vitest'
import { editionDifferences } from './differences'
import type { ReportDocument } from '../../../shared/reports/editions'
import type { QueryResult, ResultColumn } from '../../../shared/query/result'
import type { Cell } from '../../../shared/query/result'

const month: ResultColumn = {
  ...{ key: 'd0', label: 'Date', kind: 'dimension', type: 'date', grain: 'month' },
  format: { style: 'plain' },
}
const measure = (key: string, label: string, over: Partial<ResultColumn>): ResultColumn => ({
  ...{ key, label, kind: 'measure', type: 'number', format: { style: 'plain' } },
  ...over,
})
const columns = [
  month,
  measure('m0', 'Sales', { format: { style: 'currency', currency: 'SEK' }, scale: 2 }),
  measure('m1', 'Margin', {}),
]
const resultOf = (rows: Cell[][]): QueryResult => ({
  ...{ kind: 'aggregate', columns, rows, otherRow: null, totals: null, rowCount: rows.length, truncated: false },
  ...{ period: null, words: '', datasets: [], dataAsOf: null, hash: 'h', cached: false },
})
const statement = (value: string) => ({
  ...{ kind: 'income', decimals: 2, objects: [], notices: [] },
  columns: [
    { key: 'a', kind: 'actual', group: 'a', span: { from: '2026-01', to: '2026-03' }, total: false },
    { key: 'p', kind: 'lastYearPercent', group: 'a', span: { from: '2026-01', to: '2026-03' }, total: false },
  ],
  rows: [
    {
      ...{ key: 'net', label: { en: 'Net sales', sv: 'Nettoomsättning' }, level: 0, style: 'line', format: 'money' },
      ...{ values: [value, '0.125'], how: { kind: 'heading' } },
    },
  ],
})
/** Our own document, as far as it is read. */
const documentOf = (rows: Cell[][], net: string): ReportDocument =>
  JSON.parse(
    JSON.stringify({
      notation: { numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' },
      pages: [
        {
          ...{ id: 'p1', name: 'Pack' },
          blocks: [
            {
              block: { id: 'b1', kind: 'insight', title: '' },
              answer: {
                block: 'b1',
                content: { kind: 'chart', name: 'Sales by month', viz: { percent: [1] }, result: resultOf(rows) },
              },
            },
            {
              block: { id: 'b2', kind: 'statement', title: '', query: { statement: 'income' } },
              answer: { block: 'b2', content: { kind: 'statement', language: 'sv', statement: statement(net) } },
            },
          ],
        },
      ],
    }),
  )
const plain = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ')

describe('figures that differ between editions', () => {
  it('are named and written as the report shows them, with by how much', () => {
    const before = documentOf([['2026-01-01', '1000.50', 0.25]], '1000.00')
    const after = documentOf(
      [
        ['2026-01-01', '1200.75', 0.255],
        ['2026-02-01', '10.00', null],
      ],
      '-250.00',
    )
    const found = editionDifferences(before, after).map((one) =>
      [one.block, one.figure, one.before.text, one.after.text, one.change.text].map(plain),
    )
    expect(found).toEqual([
      ['Sales by month', 'Jan 2026: Sales', '1 000,50 kr', '1 200,75 kr', '+200,25 kr'],
      ['Sales by month', 'Jan 2026: Margin', '25,0 %', '25,5 %', '+0,5 pp'],
      ['Sales by month', 'Feb 2026: Sales', '–', '10 kr', ''],
      ['Profit and loss', 'Nettoomsättning: jan–mars 2026, Utfall', '1 000,00', '−250,00', '−1 250,00'],
    ])
    expect(new Set(editionDifferences(before, after).map(({ key }) => key)).size).toBe(4)
  })
})
