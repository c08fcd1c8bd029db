import type { ReportBlock } from '../../../src/shared/reports/blocks'
import type { Report, ReportContent } from '../../../src/shared/reports/reports'
import type { FigureTile, TileAnswer } from '../../../src/shared/reports/tiles'
import { queryPlanSchema, type FieldFilter, type QueryPlan } from '../../../src/shared/query/plan'
import type { QueryResult } from '../../../src/shared/query/result'
import { answerOf, country, sales } from '../../ui/chart/chart.fixture'

/** A made-up report, for tests. */
const DATASET = 'ds_00000000000000000001'
const INSIGHT = 'ins_00000000000000000001'
const METRIC = 'met_00000000000000000001'
const place = (x: number, y: number, w: number, h: number) => ({ x, y, w, h })

export const KPIS: ReportBlock = {
  ...{ id: 'kpis0001', place: place(0, 0, 12, 4), kind: 'kpis' },
  figures: [{ subject: { kind: 'metric', id: METRIC }, label: '' }],
}
export const BY_COUNTRY: ReportBlock = {
  ...{ id: 'country1', place: place(0, 4, 6, 10), kind: 'insight', insight: INSIGHT, chart: null, title: '' },
}
export const OTHER: ReportBlock = {
  ...{ id: 'other001', place: place(6, 4, 6, 10), kind: 'insight', insight: INSIGHT, chart: null, title: 'Other tile' },
}
export const CONTENT: ReportContent = {
  v: 1,
  period: { range: { kind: 'relative', span: 'last', unit: 'month', n: 12, includeCurrent: false }, compare: 'year' },
  filters: [{ id: 'filter01', label: 'Region', field: { dataset: DATASET, column: 'c5' }, filter: null }],
  pages: [
    { id: 'page0001', name: 'Overview', blocks: [KPIS, BY_COUNTRY, OTHER] },
    { id: 'page0002', name: 'Details', blocks: [] },
  ],
}
export const REPORT: Report = {
  ...{ id: 'rep_00000000000000000001', kind: 'interactive', name: 'Monday board', description: '' },
  ...{ ownerId: 'usr_anna', ownerName: 'Anna Lindqvist', status: 'published', changed: false, version: 3 },
  ...{ createdAt: '2026-11-20T10:00:00.000Z', updatedAt: '2026-11-20T10:00:00.000Z' },
  ...{ publishedAt: '2026-11-20T10:00:00.000Z', draft: CONTENT, published: CONTENT, publication: 1 },
}

export const countryFilter = (value: string): FieldFilter => ({
  field: { dataset: DATASET, column: 'c2' },
  any: [{ op: 'eq', value }],
})
const PLAN: QueryPlan = queryPlanSchema.parse({
  ...{ v: 1, kind: 'aggregate', dataset: DATASET, filters: [] },
  measures: [{ kind: 'column', agg: 'sum', field: { dataset: DATASET, column: 'c3' } }],
  dimensions: [{ field: { dataset: DATASET, column: 'c2' } }],
})
const byCountry = (): QueryResult =>
  answerOf(
    [country, sales],
    [
      ['Sweden', 300],
      ['Norway', 200],
    ],
  )

/** Shown as a table, so that its rows can be clicked without a canvas. */
export const chartAnswer = (block: string, unfiltered: number[] = [], name = 'Sales by country'): TileAnswer => ({
  block,
  content: {
    ...{ kind: 'chart', name, plan: PLAN, viz: { chart: 'table', direction: 'up' }, result: byCountry() },
    ...{ period: true, unfiltered },
  },
})
export const figureTile = (value: number): FigureTile => ({
  ...{ subject: { kind: 'metric', id: METRIC }, name: 'Net sales', direction: 'up', percent: false },
  ...{ period: true, unfiltered: [], plan: { ...PLAN, dimensions: [] }, result: answerOf([sales], [[value]]) },
})
export const kpiAnswer = (value = 500): TileAnswer => ({
  block: KPIS.id,
  content: { kind: 'kpis', figures: [figureTile(value)] },
})
export const END = { end: true, dataAsOf: '2026-11-20T10:00:04.000Z' }
export const ndjson = (...lines: readonly unknown[]): Response =>
  new Response(lines.map((line) => `${JSON.stringify(line)}\n`).join(''), {
    headers: { 'content-type': 'application/x-ndjson' },
  })
