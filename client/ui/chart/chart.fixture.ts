import type { Cell, QueryResult, ResultColumn } from '../../../src/shared/query/result'
import { createFormatter } from '../../../src/shared/figures/formatter'
import { createCellFormatter } from '../../../src/shared/figures/cell-formatter'

/** Made-up answers, for tests. */
export const kronor = createCellFormatter(createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' }))

const SEK = { style: 'currency', currency: 'SEK' } as const
export const month: ResultColumn = {
  key: 'd0',
  label: 'date',
  kind: 'dimension',
  type: 'date',
  format: { style: 'plain' },
  grain: 'month',
}
export const country: ResultColumn = {
  key: 'd1',
  label: 'country',
  kind: 'dimension',
  type: 'text',
  format: { style: 'plain' },
}
export const sales: ResultColumn = { key: 'm0', label: 'Sales', kind: 'measure', type: 'number', format: SEK, scale: 2 }
const derived = (kind: 'previous' | 'change'): ResultColumn => ({ ...sales, key: `m0.${kind}`, kind, measure: 0 })
const share: ResultColumn = {
  key: 'm0.changePercent',
  label: 'Sales, change in %',
  kind: 'changePercent',
  type: 'number',
  format: { style: 'percent' },
  measure: 0,
}
export const compared: ResultColumn[] = [sales, derived('previous'), derived('change'), share]

export const answerOf = (columns: ResultColumn[], rows: Cell[][], over: Partial<QueryResult> = {}): QueryResult => ({
  kind: 'aggregate',
  columns,
  rows,
  otherRow: null,
  totals: null,
  rowCount: rows.length,
  truncated: false,
  period: null,
  words: 'Sales by month',
  datasets: [{ id: 'ds_one', name: 'Orders', dataVersion: 2, rowCount: 1000, loadedAt: '2026-04-01T08:00:00.000Z' }],
  dataAsOf: '2026-04-01T08:00:00.000Z',
  hash: 'a1b2c3',
  cached: false,
  ...over,
})

/** January to March 2026 beside 2025; sales fell from 1 486 000 to 1 301 770. */
export const quarter = (over: Partial<QueryResult> = {}): QueryResult =>
  answerOf(
    [month, ...compared],
    [
      ['2026-01-01', 400_000, 500_000, -100_000, -0.2],
      ['2026-02-01', 450_000, 486_000, -36_000, -0.074],
      ['2026-03-01', 451_770, 500_000, -48_230, -0.096],
    ],
    {
      totals: [null, 1_301_770, 1_486_000, -184_230, -0.124],
      period: {
        ...{ from: '2026-01-01', to: '2026-03-31', label: 'Jan–Mar 2026', incomplete: false },
        compare: { from: '2025-01-01', to: '2025-03-31', label: 'Jan–Mar 2025' },
      },
      ...over,
    },
  )
