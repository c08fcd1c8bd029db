import type { Briefing, BriefingStory } from '../../../src/shared/briefing/briefing'
import type { Finding } from '../../../src/shared/findings'

/** A made-up finding of a loss, for tests. */
export const lossFinding = (over: Partial<Finding> = {}): Finding => {
  const time = { dataset: 'ds_00000000000000000001', column: 'c0' } as const
  const quarter = { from: '2022-10-01', to: '2022-12-01', grain: 'month' } as const
  return {
    id: 'fnd_00000000000000000001',
    about: {
      ...{ key: 'k', label: 'Profit', dataset: time.dataset, metric: null, insights: ['ins_00000000000000000001'] },
      ...{ measure: { kind: 'column', agg: 'sum', field: { ...time, column: 'c3' } }, filters: [], time },
      ...{ grain: 'month', direction: 'up', format: { style: 'plain' }, scale: 2 },
      dimensions: [{ key: 'region', label: 'Region', field: { ...time, column: 'c1' } }],
    },
    ...{ firstFoundAt: '2026-10-20T08:00:00.000Z', foundAt: '2026-10-20T08:00:00.000Z' },
    ...{ pinned: false, hidden: false, rating: null, subject: 'k', kind: 'turned' },
    member: { dimension: 'region', label: 'Region', value: 'East' },
    ...{ period: quarter, against: 'year', comparison: null },
    statistic: { name: 'z', value: -6.2 },
    effect: { value: '-17877', previous: '24547', change: '-42424', percent: null },
    ...{ n: 36, p: 0.0001, q: 0.001, confidence: 0.99, score: 1, tone: 'bad', contributions: [] },
    sentence: [
      { text: 'Profit for ' },
      { member: { dimension: 'region', label: 'Region', value: 'East' } },
      { text: ' turned to a loss: ' },
      { figure: '-17877', format: 'measure' },
      { text: '.' },
    ],
    ...over,
  }
}

export const story = (over: Partial<BriefingStory> = {}): BriefingStory => ({
  ...{ finding: lossFinding(), facets: [], state: 'new', snoozedUntil: null, lessOfKind: false },
  ...{ sourceId: 'src_00000000000000000001', sourceName: 'Orders', dataTo: '2022-12-30' },
  ...over,
})

export const briefing = (over: Partial<Briefing> = {}): Briefing => ({
  ...{ since: null, basis: 'tested', behind: false, dataTo: '2022-12-30', stories: [story()], total: 1 },
  counts: { new: 1, unread: 0, read: 0, snoozed: 0 },
  summary: [{ text: '1 finding in your data.' }, { story: 0 }],
  ...{ forecasts: [], alerts: [], sources: [], waiting: [] },
  filters: { sources: [], kinds: ['turned'] },
  ...over,
})
