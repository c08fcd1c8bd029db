import { expect, it } from 'vitest'
import { describeAnswer } from './sentences'
import { createCellFormatter } from '../figures/cell-formatter'
import { createFormatter } from '../figures/formatter'
import type { QueryResult } from '../query/result'
import { lowerFirst } from '../text'
import type { BotReading } from './interpretation'

const format = createCellFormatter(createFormatter({ numberLocale: 'sv-SE', currency: 'SEK', timeZone: 'UTC' }))
const reading: BotReading = {
  ...{ plan: { v: 3, kind: 'aggregate', measures: [], dimensions: [], filters: [], sort: [] }, intent: 'value' },
  ...{ viz: { chart: 'bar', direction: 'none' }, score: 1, words: '', chips: [], assumptions: [] },
}
const result: QueryResult = {
  ...{ kind: 'aggregate', otherRow: null, totals: null, rowCount: 2, truncated: false, period: null, words: '' },
  ...{ datasets: [], dataAsOf: '2026-04-01T08:00:00.000Z', hash: 'a', cached: false },
  columns: [
    { key: 'd0', label: 'Region', kind: 'dimension', type: 'text', format: { style: 'plain' } },
    { key: 'm0', label: 'EBIT', kind: 'measure', type: 'number', format: { style: 'plain' } },
  ],
  rows: [
    ['Syd', 2],
    ['Väst', 5],
  ],
}

it('names a figure as it is written, whichever way it is ranked', () => {
  expect(describeAnswer(reading, result, format)).toBe('EBIT, highest first: Väst (5), Syd (2).')
  expect(describeAnswer({ ...reading, intent: 'bottom' }, result, format)).toBe(
    'EBIT, lowest first: Syd (2), Väst (5).',
  )
})

it('writes the figures of one sentence with the same decimals', () => {
  const rows = [
    ['Rio', 712.45],
    ['Kobenhavn', 630.5],
  ]
  expect(describeAnswer(reading, { ...result, rows }, format)).toBe(
    'EBIT, highest first: Rio (712,45), Kobenhavn (630,50).',
  )
})

it('tells a line from whole month to whole month, and of months that are cut where there are no others', () => {
  const axis = { key: 'd0', label: 'Month', kind: 'dimension', type: 'date', format: { style: 'plain' } } as const
  const [, figure] = result.columns
  const rows = [
    ['2026-01-01', 4],
    ['2026-02-01', 9],
    ['2026-03-01', 8],
    ['2026-04-01', 1],
  ]
  const told = (shown: (string | number)[][]): string =>
    describeAnswer(
      reading,
      {
        ...{ ...result, rows: shown },
        columns: [
          { ...axis, grain: 'month', partial: [{ start: '2026-04-01', to: '2026-04-11' }] },
          ...(figure ? [figure] : []),
        ],
      },
      format,
    )
  expect(told(rows)).toBe('EBIT went from 4 in Jan 2026 to 8 in Mar 2026. Highest: Feb 2026, 9.')
  expect(told(rows.slice(2))).toBe('EBIT went from 8 in Mar 2026 to 1 in Apr 2026. Highest: Mar 2026, 8.')
})

it('leaves an abbreviation as it is inside a sentence', () => {
  expect(['Gross margin', 'EBIT', 'IT costs', 'Åtgärd'].map(lowerFirst)).toEqual([
    'gross margin',
    'EBIT',
    'IT costs',
    'åtgärd',
  ])
})
