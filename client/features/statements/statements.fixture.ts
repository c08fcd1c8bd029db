import type { Statement } from '../../../src/shared/statements/statements'

const DATASET = 'ds_00000000000000000000'
const name = (text: string) => ({ en: text, sv: `${text} (sv)` })

/** A profit and loss of one month beside the year before. */
export const statement = (more: Partial<Statement> = {}): Statement => ({
  ...{ source: { id: 'src_00000000000000000000', name: 'Books' }, kind: 'income', view: 'ytd', through: '2026-01' },
  ...{ company: { id: '556000-0001', name: 'Alfa AB', currency: 'SEK' }, companies: [], decimals: 2 },
  year: { name: '2026', start: '2026-01-01', end: '2026-12-31', detail: 'entries' },
  years: [{ name: '2026', start: '2026-01-01', end: '2026-12-31', detail: 'entries' }],
  months: { from: '2026-01', to: '2026-01' },
  columns: [
    ...[
      { key: '0.actual', kind: 'actual', group: '0', total: false, span: { from: '2026-01', to: '2026-01' } } as const,
    ],
    ...[
      {
        key: '0.lastYear',
        kind: 'lastYear',
        group: '0',
        total: false,
        span: { from: '2025-01', to: '2025-01' },
      } as const,
    ],
  ],
  rows: [
    {
      ...{
        key: 'netSales',
        label: name('Net sales'),
        level: 1,
        style: 'line',
        format: 'money',
        values: ['1250.00', null],
      },
      accounts: [{ account: '3010', name: 'Sales', values: ['1250.00', null] }],
      how: { kind: 'accounts', ranges: '3000–3799', of: 'change', flipped: true },
    },
    {
      ...{ key: 'netResult', label: name('Net profit'), level: 0, style: 'total', format: 'money' },
      values: ['-50.00', null],
      how: { kind: 'lines', terms: [{ key: 'netSales', sign: 1, label: name('Net sales') }] },
    },
  ],
  notices: [{ kind: 'unclassified', accounts: ['9010'] }],
  ...{ has: { budget: false, lastYear: true }, dimensions: [], objects: [], accountNames: null },
  entries: {
    ...{ dataset: DATASET, account: 'c4', accountIsText: true, date: 'c3', amount: { amount: 'c5' }, voucher: ['c0'] },
    ...{ voucherName: ['c1', 'c2'], text: 'c6', company: null, year: null },
  },
  ...{ dataAsOf: '2026-02-01T10:00:00Z', madeAt: '2026-02-01T12:00:00Z' },
  ...more,
})
