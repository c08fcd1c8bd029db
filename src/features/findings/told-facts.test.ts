import { expect, it } from 'vitest'
import { toldFacts } from './told-facts'
import type { AnalyzedMetric, DetectedFinding, FindingKind } from '../../shared/findings'

const field = { dataset: 'ds_1', column: 'c1' } as const
const about = (label: string): AnalyzedMetric => ({
  ...{ key: label, label, dataset: 'ds_1', metric: null, insights: [], filters: [], time: field, dimensions: [] },
  ...{ measure: { kind: 'column', agg: 'sum', field }, grain: 'month', direction: 'up', scale: 2 },
  format: { style: 'currency', currency: 'SEK' },
})
const fact = (subject: string, kind: FindingKind, value: string, dimension?: string): DetectedFinding => ({
  ...{ subject, kind, against: 'previous', comparison: null, statistic: { name: 'share', value: 0 }, n: 12, p: 0 },
  ...{ q: 0, confidence: 1, score: 1, tone: 'neutral', contributions: [], sentence: [] },
  member: dimension === undefined ? null : { dimension, label: dimension, value: '4010' },
  period: { from: '2025-01-01', to: '2025-12-01', grain: 'month' },
  effect: { value, previous: '0', change: value, percent: null },
})

it('tells no loss of an account, which costs by its nature, and no growth of next to nothing', () => {
  const facts = [
    fact('Result', 'growth', '880000'),
    fact('Expenses', 'growth', '50'),
    fact('Result', 'loss', '-3000', 'account'),
    fact('Result', 'loss', '-2000', 'region'),
  ]
  const split = { label: 'Account', field, values: 9 }
  const told = toldFacts(facts, {
    givenBack: new Set(),
    abouts: new Map(['Result', 'Expenses'].map((label) => [label, about(label)])),
    splits: [
      { ...split, key: 'account', isChart: true },
      { ...split, key: 'region' },
    ],
  })
  expect(told.map(({ kind, effect }) => [kind, effect.value])).toEqual([
    ['growth', '880000'],
    ['loss', '-2000'],
  ])
})
