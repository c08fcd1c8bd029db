import type { Finding } from '../../../src/shared/findings'

/** A made-up finding, for tests: sales of March fell, most of it in Sweden. */
export const finding = (over: Partial<Finding> = {}): Finding => {
  const time = { dataset: 'ds_00000000000000000001', column: 'c1' } as const
  const march = { from: '2026-03-01', to: '2026-03-01', grain: 'month' } as const
  return {
    id: 'fnd_00000000000000000001',
    about: {
      ...{ key: 'k', label: 'Sales', dataset: time.dataset, metric: null, insights: ['ins_00000000000000000001'] },
      ...{
        measure: { kind: 'column', agg: 'sum', field: { ...time, column: 'c5' } },
        filters: [],
        time,
        grain: 'month',
      },
      ...{ direction: 'up', format: { style: 'currency', currency: 'SEK' }, scale: 2 },
      dimensions: [{ key: 'country', label: 'Country', field: { ...time, column: 'c2' } }],
    },
    ...{ firstFoundAt: '2026-04-01T08:00:00.000Z', foundAt: '2026-04-01T08:00:00.000Z' },
    ...{ pinned: false, hidden: false, rating: null, subject: 'k', kind: 'change', member: null },
    ...{ period: march, against: 'year', comparison: { ...march, from: '2025-03-01', to: '2025-03-01' } },
    statistic: { name: 't', value: -6.2 },
    effect: { value: '451770', previous: '500000', change: '-48230', percent: -0.0965 },
    ...{ n: 36, p: 0.0001, q: 0.001, confidence: 0.99, score: 1, tone: 'bad' },
    contributions: [
      {
        ...{ dimension: 'country', label: 'Country' },
        lines: [
          { member: 'Sweden', previous: '300000', value: '240000', change: '-60000' },
          { member: null, previous: '100000', value: '121770', change: '21770' },
          { others: 3, previous: '100000', value: '90000', change: '-10000' },
        ],
      },
    ],
    sentence: [
      { text: 'Sales fell ' },
      { figure: 0.0965, format: 'share' },
      { text: ' (' },
      { figure: '-48230', format: 'change' },
      { text: ') to ' },
      { figure: '451770', format: 'measure' },
      { text: ' in ' },
      { period: march },
      { text: '. ' },
      { member: { dimension: 'country', label: 'Country', value: 'Sweden' } },
      { text: ' accounts for ' },
      { figure: '-60000', format: 'change' },
      { text: '.' },
    ],
    ...over,
  }
}
