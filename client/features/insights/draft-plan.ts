import type { ChartKind, Viz } from '../../../src/shared/insights'
import { CHARTS, suggestChart, whyNot } from '../../../src/shared/insights'
import { groupingsOf, partsOf } from '../../../src/shared/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../../src/shared/query'
import { SPLITS_MAX } from './draft'
import type { MeasureDraft, PlanDraft, SplitDraft } from './draft'
import { measureDraft, measureOf } from './draft-measures'
import { rangeDraft, rangeOf } from './draft-presets'
import { columnOf, fieldOf, isTemporal, keyOfField } from '../../lib/filters/fields'
import type { DraftDataset } from '../../lib/filters/fields'
import { groupingOf, meantBy, runsOverTime } from '../../lib/filters/catalogue'
import { filterDraft, filterOf } from '../../lib/filters/filter-draft'

/** A plan that can be asked, or the one sentence that says what is missing. */
export type Built = { ok: true; plan: QueryPlan; viz: Viz } | { ok: false; missing: string }

const missing = (sentence: string): Built => ({ ok: false, missing: sentence })

function dimensionOf(split: SplitDraft, dataset: DraftDataset): Dimension | string {
  const column = columnOf(dataset, split.column)
  const field = fieldOf(dataset, split.column)
  if (!column || !field) return 'Choose the column to split by.'
  const { grouping } = split
  if (grouping && dataset.catalogue && !groupingOf(dataset.catalogue, grouping.id))
    return 'The grouping of a split was deleted: choose another way to split.'
  if (grouping) return { field, grouping, ...(split.topN === null ? {} : { topN: split.topN }) }
  if (isTemporal(column)) return { field, grain: split.grain ?? 'month' }
  return split.topN === null ? { field } : { field, topN: split.topN }
}

function periodOf(draft: PlanDraft, dataset: DraftDataset): QueryPlan['period'] | string {
  const { period } = draft
  if (!period) return undefined
  const column = columnOf(dataset, period.column)
  const field = fieldOf(dataset, period.column)
  if (!column || !field || !isTemporal(column)) return 'Choose the date that the period is about.'
  const range = rangeOf(period)
  if (typeof range === 'string') return range
  const whole = range.kind === 'relative' && range.span === 'all'
  return { field, range, compare: whole ? 'none' : period.compare, completeOnly: period.completeOnly }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isBuilt = <T extends object>(value: T | string): value is T => typeof value !== 'string'

/** Charts that can show this question; the suggested one is always among them. */
export const chartsFor = (plan: ChartShape): ChartKind[] => CHARTS.filter((chart) => whyNot(chart, plan) === null)

/** The chosen chart where it fits, or its nearest kin, else the suggested one. */
function chartFor(plan: ChartShape, chosen: ChartKind | null): ChartKind {
  const kin: ChartKind[] =
    chosen === 'bar' ? ['bar', 'groupedBar'] : chosen === 'groupedBar' ? ['groupedBar', 'bar'] : []
  const wanted = chosen === null ? [] : [chosen, ...kin]
  return wanted.find((chart) => whyNot(chart, plan) === null) ?? suggestChart(plan)
}

/** Turns a draft into a plan that the server accepts, or says the first thing that is missing. */
export function buildPlan(draft: PlanDraft): Built {
  const { dataset } = draft
  if (!dataset) return missing('Choose the data to look at.')
  const measures = draft.measures.map((measure) => measureOf(measure, dataset))
  if (measures.length === 0) return missing('Choose what to measure.')
  const dimensions = draft.splits.slice(0, SPLITS_MAX).map((split) => dimensionOf(split, dataset))
  const period = periodOf(draft, dataset)
  const filters = draft.filters.map((filter) => filterOf(filter, dataset))
  const lack = [...measures, ...dimensions, period, ...filters].find(isText)
  if (lack !== undefined) return missing(lack)
  const plan: QueryPlan = {
    v: 1,
    kind: 'aggregate',
    dataset: dataset.id,
    measures: measures.filter(isBuilt),
    dimensions: dimensions.filter(isBuilt),
    filters: filters.filter(isBuilt),
    totals: true,
    ...(period && !isText(period) ? { period } : {}),
    ...keptFor(draft),
    ...(draft.currency ? { currency: draft.currency } : {}),
  }
  const lacksTime = windowsLack(plan, dataset)
  if (lacksTime !== null) return missing(lacksTime)
  plan.v = draft.kept.v ?? (needsVersion2(plan) ? 2 : 1)
  const percent = draft.measures.flatMap((measure, at) => ('percent' in measure && measure.percent ? [at] : []))
  const viz = { chart: chartFor(chartShape(plan, dataset), draft.chart), direction: draft.direction }
  return { ok: true, plan, viz: percent.length === 0 ? viz : { ...viz, percent } }
}

/** What charts ask of a question: of metrics, what they stand for. */
export type ChartShape = Pick<QueryPlan, 'kind' | 'dimensions' | 'measures'>
export const chartShape = (plan: QueryPlan, { catalogue }: Pick<DraftDataset, 'catalogue'>): ChartShape => ({
  kind: plan.kind,
  dimensions: plan.dimensions,
  measures: plan.measures.map((measure) => meantBy(measure, catalogue)),
})

const isNew = (measure: Measure): boolean =>
  ['metric', 'calc', 'prev', 'cumulative'].includes(measure.kind) || partsOf(measure).some(isNew)
/** Whether a plan says what version 1 has no words for. */
const needsVersion2 = (plan: QueryPlan): boolean =>
  plan.currency !== undefined || groupingsOf(plan).length > 0 || plan.measures.some(isNew)

/** Earlier units and running totals need exactly one split by time; what to do when there is none. */
function windowsLack(plan: QueryPlan, { catalogue }: DraftDataset): string | null {
  if (!plan.measures.some((measure) => runsOverTime(meantBy(measure, catalogue)))) return null
  const times = plan.dimensions.filter(({ grain }) => grain !== undefined)
  if (times.length === 1) return null
  return times.length === 0
    ? 'Split by a date: earlier periods and running totals need one.'
    : 'Keep one split by date: earlier periods and running totals run over one.'
}

/** What the builder does not show stays only while it still points at something. */
function keptFor(draft: PlanDraft): Pick<QueryPlan, 'having' | 'limit' | 'sort'> {
  const { having, limit, sort } = draft.kept
  const held = having?.filter((one) => one.measure < draft.measures.length)
  const order = sort?.filter(({ by }) =>
    'measure' in by ? by.measure < draft.measures.length : 'dimension' in by && by.dimension < draft.splits.length,
  )
  return {
    ...(held && held.length > 0 ? { having: held } : {}),
    ...(limit === undefined ? {} : { limit }),
    ...(order && order.length > 0 ? { sort: order } : {}),
  }
}

/** A stored plan in the builder's form. Building it again gives the same question. */
export function draftOf(plan: QueryPlan, viz: Viz, dataset: DraftDataset): PlanDraft {
  return {
    dataset,
    measures: plan.measures.map((measure, at) => asPercent(measureDraft(measure, dataset), at, viz)),
    splits: plan.dimensions.map((dimension) => ({
      column: keyOfField(dataset, dimension.field),
      grain: dimension.grain ?? null,
      topN: dimension.topN ?? null,
      grouping: dimension.grouping ?? null,
    })),
    period: plan.period
      ? {
          column: keyOfField(dataset, plan.period.field),
          ...rangeDraft(plan.period.range),
          compare: plan.period.compare,
          completeOnly: plan.period.completeOnly,
        }
      : null,
    filters: plan.filters.map((filter) => filterDraft(filter, dataset)),
    chart: viz.chart,
    direction: viz.direction,
    kept: {
      ...(plan.v === 2 ? { v: 2 } : {}),
      ...(plan.having ? { having: plan.having } : {}),
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      ...(plan.sort ? { sort: plan.sort } : {}),
    },
    ...(plan.currency ? { currency: plan.currency } : {}),
  }
}

/** Whether a ratio is shown as per cent belongs to the look of an insight, and to its measure in the builder. */
const asPercent = (measure: MeasureDraft, at: number, { percent = [] }: Viz): MeasureDraft =>
  'percent' in measure ? { ...measure, percent: percent.includes(at) } : measure
