import { suggestChart, chartProblem, type ChartKind, type Viz } from '../../../../src/shared/insights'
import { groupingIdsOf, needsVersion3, operandsOf } from '../../../../src/shared/query/plan-fields'
import type { Dimension, Measure, QueryPlan } from '../../../../src/shared/query/plan'
import { DIMENSIONS_MAX, toRangeDraft, toRange, type MeasureDraft, type PlanDraft, type DimensionDraft } from './draft'
import { answersNumbers, toMeasureDraft, toMeasure } from './measure-draft'
import {
  findColumn,
  toField,
  isTemporal,
  fieldKeyOf,
  findGrouping,
  resolveMetrics,
  usesTimeCalculation,
} from '../../../lib/query-builder/catalogue'
import type { BuilderDataset } from '../../../lib/query-builder/catalogue'
import { toFilterDraft, toFilter } from '../../../lib/query-builder/filter-draft'

/** A plan that can be asked, or the one sentence that says what is missing. */
export type BuiltPlan = { ok: true; plan: QueryPlan; viz: Viz } | { ok: false; missing: string }

const incompletePlan = (sentence: string): BuiltPlan => ({ ok: false, missing: sentence })

function toDimension(split: DimensionDraft, dataset: BuilderDataset): Dimension | string {
  const column = findColumn(dataset, split.column)
  const field = toField(dataset, split.column)
  if (!column || !field) return 'Choose a column to break down by.'
  const { grouping } = split
  if (grouping && dataset.catalogue && !findGrouping(dataset.catalogue, grouping.id))
    return 'Grouping deleted. Choose another dimension.'
  if (grouping) return { field, grouping, ...(split.topN === null ? {} : { topN: split.topN }) }
  if (isTemporal(column) && split.part) return { field, part: split.part }
  if (isTemporal(column)) return { field, grain: split.grain ?? 'month' }
  if (split.bins) return { field, bins: split.bins }
  const key = toField(dataset, split.key ?? null)
  const values = key ? { field: key, label: field } : { field }
  return split.topN === null ? values : { ...values, topN: split.topN }
}

function toPeriod(draft: PlanDraft, dataset: BuilderDataset): QueryPlan['period'] | string {
  const { period } = draft
  if (!period) return undefined
  const column = findColumn(dataset, period.column)
  const field = toField(dataset, period.column)
  if (!column || !field || !isTemporal(column)) return 'Choose a date column for the period.'
  const range = toRange(period)
  if (typeof range === 'string') return range
  const whole = range.kind === 'relative' && range.span === 'all'
  return { field, range, compare: whole ? 'none' : period.compare, completeOnly: period.completeOnly }
}

const isProblem = (value: unknown): value is string => typeof value === 'string'
const isBuilt = <T extends object>(value: T | string): value is T => typeof value !== 'string'

/** The chosen chart where it fits, or its nearest kin, else the suggested one. */
function pickChart(plan: ChartShape, chosen: ChartKind | null): ChartKind {
  const siblings: ChartKind[] =
    chosen === 'bar' ? ['bar', 'groupedBar'] : chosen === 'groupedBar' ? ['groupedBar', 'bar'] : []
  const wanted = chosen === null ? [] : [chosen, ...siblings]
  return wanted.find((chart) => chartProblem(chart, plan) === null) ?? suggestChart(plan)
}

/** Texts and dates have no axis. */
const textChart = ({ dimensions }: Pick<QueryPlan, 'dimensions'>): ChartKind =>
  dimensions.length === 0 ? 'number' : 'table'

const withoutTopN = ({ topN: _topN, ...split }: Dimension): Dimension => split

/** Turns a draft into a plan that the server accepts, or says the first thing that is missing. */
export function buildPlan(draft: PlanDraft): BuiltPlan {
  const { dataset } = draft
  if (!dataset) return incompletePlan('Choose data.')
  const measures = draft.measures.map((measure) => toMeasure(measure, dataset))
  if (measures.length === 0 && draft.dimensions.length === 0) return incompletePlan('Choose a measure.')
  const dimensions = draft.dimensions.slice(0, DIMENSIONS_MAX).map((split) => toDimension(split, dataset))
  const period = toPeriod(draft, dataset)
  const filters = draft.filters.map((filter) => toFilter(filter, dataset))
  const having = toHaving(draft)
  const firstProblem = [...measures, ...dimensions, period, ...filters, having].find(isProblem)
  if (firstProblem !== undefined) return incompletePlan(firstProblem)
  const plan: QueryPlan = {
    v: 1,
    kind: 'aggregate',
    dataset: dataset.id,
    measures: measures.filter(isBuilt),
    dimensions: dimensions.filter(isBuilt).map((split) => (measures.length > 0 ? split : withoutTopN(split))),
    filters: filters.filter(isBuilt),
    ...(measures.length > 0 ? { totals: true } : {}),
    ...(period && !isProblem(period) ? { period } : {}),
    ...(having.length > 0 && !isProblem(having) ? { having } : {}),
    ...preservedFor(draft),
    ...(draft.currency ? { currency: draft.currency } : {}),
  }
  const timeProblem = timeCalculationProblem(plan, dataset)
  if (timeProblem !== null) return incompletePlan(timeProblem)
  const least = draft.preserved.v ?? (needsVersion2(plan) ? 2 : 1)
  plan.v = needsVersion3(plan) ? 3 : least
  const percent = draft.measures.flatMap((measure, at) => ('percent' in measure && measure.percent ? [at] : []))
  const chosen = draft.chart ?? (draft.measures.every((one) => answersNumbers(one, dataset)) ? null : textChart(plan))
  const viz = { chart: pickChart(chartShape(plan, dataset), chosen), direction: draft.direction }
  return { ok: true, plan, viz: percent.length === 0 ? viz : { ...viz, percent } }
}

/** What charts ask of a question: of metrics, what they stand for. */
export type ChartShape = Pick<QueryPlan, 'kind' | 'dimensions' | 'measures'>
export const chartShape = (plan: QueryPlan, { catalogue }: Pick<BuilderDataset, 'catalogue'>): ChartShape => ({
  kind: plan.kind,
  dimensions: plan.dimensions,
  measures: plan.measures.map((measure) => resolveMetrics(measure, catalogue)),
})

const needsVersion2Measure = (measure: Measure): boolean =>
  ['metric', 'calc', 'prev', 'cumulative'].includes(measure.kind) || operandsOf(measure).some(needsVersion2Measure)
/** Whether a plan says what version 1 has no words for. */
const needsVersion2 = (plan: QueryPlan): boolean =>
  plan.currency !== undefined || groupingIdsOf(plan).length > 0 || plan.measures.some(needsVersion2Measure)

/** Earlier units and running totals need exactly one split by time; what to do when there is none. */
function timeCalculationProblem(plan: QueryPlan, { catalogue }: BuilderDataset): string | null {
  if (!plan.measures.some((measure) => usesTimeCalculation(resolveMetrics(measure, catalogue)))) return null
  const times = plan.dimensions.filter(({ grain }) => grain !== undefined)
  if (times.length === 1) return null
  return times.length === 0
    ? 'Earlier periods, running totals and moving averages need a breakdown by date.'
    : 'Earlier periods, running totals and moving averages need just one breakdown by date.'
}

type HavingConditions = NonNullable<QueryPlan['having']>

/** Which rows are shown by their figures, or the sentence that says what is missing. */
function toHaving({ conditions = [], measures, dataset }: PlanDraft): HavingConditions | string {
  const set = conditions.flatMap(({ measure, op, value }) => (value === null ? [] : [{ measure, op, value }]))
  if (set.length < conditions.length) return 'Enter the value of the condition.'
  const isFigure = ({ measure }: HavingConditions[number]): boolean => {
    const of = measures[measure]
    return of !== undefined && answersNumbers(of, dataset)
  }
  return set.every(isFigure) ? set : 'Choose a measure that is a number for the condition.'
}

/** What the builder does not show stays only while it still points at something. */
function preservedFor(draft: PlanDraft): Pick<QueryPlan, 'limit' | 'sort'> {
  const { limit, sort } = draft.preserved
  const order = sort?.filter(({ by }) =>
    'measure' in by ? by.measure < draft.measures.length : 'dimension' in by && by.dimension < draft.dimensions.length,
  )
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(order && order.length > 0 ? { sort: order } : {}),
  }
}

/** A stored plan in the builder's form. Building it again gives the same question. */
export function toPlanDraft(plan: QueryPlan, viz: Viz, dataset: BuilderDataset): PlanDraft {
  return {
    dataset,
    measures: plan.measures.map((measure, at) => withPercentFlag(toMeasureDraft(measure, dataset), at, viz)),
    dimensions: plan.dimensions.map((dimension) => ({
      column: fieldKeyOf(dataset, dimension.label ?? dimension.field),
      ...(dimension.label ? { key: fieldKeyOf(dataset, dimension.field) } : {}),
      grain: dimension.grain ?? null,
      part: dimension.part ?? null,
      ...(dimension.bins ? { bins: dimension.bins } : {}),
      topN: dimension.topN ?? null,
      grouping: dimension.grouping ?? null,
    })),
    period: plan.period
      ? {
          column: fieldKeyOf(dataset, plan.period.field),
          ...toRangeDraft(plan.period.range),
          compare: plan.period.compare,
          completeOnly: plan.period.completeOnly,
        }
      : null,
    filters: plan.filters.map((filter) => toFilterDraft(filter, dataset)),
    ...(plan.having && plan.having.length > 0 ? { conditions: plan.having } : {}),
    chart: viz.chart,
    direction: viz.direction,
    preserved: {
      ...(plan.v === 1 ? {} : { v: plan.v }),
      ...(plan.limit === undefined ? {} : { limit: plan.limit }),
      ...(plan.sort ? { sort: plan.sort } : {}),
    },
    ...(plan.currency ? { currency: plan.currency } : {}),
  }
}

/** Whether a ratio is % belongs to the look of an insight, and to its measure in the builder. */
const withPercentFlag = (measure: MeasureDraft, at: number, { percent = [] }: Viz): MeasureDraft =>
  'percent' in measure ? { ...measure, percent: percent.includes(at) } : measure
