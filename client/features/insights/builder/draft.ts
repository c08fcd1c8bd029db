import type { ColumnFormat } from '../../../../src/shared/data-sources/files'
import type { ChartKind, Viz } from '../../../../src/shared/insights'
import type {
  CumulativeMeasure,
  Dimension,
  GroupedMeasure,
  GroupingReference,
  Measure,
  MovingMeasure,
  QueryPlan,
} from '../../../../src/shared/query/plan'
import type { Aggregate, GroupAggregate, ComparisonOperator } from '../../../../src/shared/query/functions'
import type { DatePart, Grain, AbsoluteRange, RelativeRange } from '../../../../src/shared/query/date-range'
import type { BuilderDataset, FieldKey } from '../../../lib/query-builder/catalogue'
import type { FilterDraft } from '../../../lib/query-builder/filter-draft'
import { PERIOD_PRESETS, presetOf, type PeriodPreset } from '../../../lib/query-builder/period-presets'

/** What the builder holds while a person is still choosing: everything may be missing. */
export interface PlanDraft {
  dataset: BuilderDataset | null
  measures: MeasureDraft[]
  dimensions: DimensionDraft[]
  period: PeriodDraft | null
  filters: FilterDraft[]
  /** Of rows of the answer, by its figures, those that run over time included; absent: none. */
  conditions?: ConditionDraft[]
  /** Null: as suggested by the shape. */
  chart: ChartKind | null
  direction: Viz['direction']
  /** Parts of an edited plan that this builder does not show, kept as they are. */
  preserved: Pick<QueryPlan, 'limit' | 'sort'> & { v?: 2 | 3 }
  /** Absent: amounts as they are. */
  currency?: NonNullable<QueryPlan['currency']>
}

export interface ColumnAggregate {
  agg: Aggregate
  /** Null counts rows. */
  column: FieldKey | null
}
/** The figure of an earlier unit of the split by time, or what has come together until each unit. */
export type TimeCalculation =
  | { kind: 'prev'; steps: number }
  | { kind: 'cumulative'; restart: CumulativeMeasure['restart'] }
  | { kind: 'moving'; agg: MovingMeasure['agg']; units: number }
/** The figure of each group, and how these are put together. */
export interface GroupCalculation {
  agg: GroupAggregate
  by: FieldKey | null
  /** Of a date: its units. */
  grain: Grain | null
  having: NonNullable<GroupedMeasure['having']> | null
  largest: number | null
}
interface MeasureDraftBase {
  label: string
  filters: FilterDraft[]
  /** How it is shown, when that does not follow from its columns. */
  format?: ColumnFormat
  /** Absent: the figure of all rows. `label` and `format` are those of the whole, not of the figure of each group. */
  groups?: GroupCalculation & { label: string; format?: ColumnFormat }
  /** Absent: the figure of each unit itself. `label` and `format` are those of the whole, not of the figure within. */
  timeCalculation?: TimeCalculation & { label: string; format?: ColumnFormat }
}
export type MeasureDraft = MeasureDraftBase &
  /** Of the rows of the data itself when `dataset` is null. */
  (
    | { kind: 'count'; dataset: string | null }
    /** `percentile`: the share of the values below, of what is a median otherwise. */
    /** `shown`: of a first or last value, what is shown of the row where `column` is least or largest. */
    | { kind: 'column'; agg: Aggregate; percentile?: number; column: FieldKey | null; shown?: FieldKey | null }
    /** As it is typed, in the language of metrics. */
    | { kind: 'expression'; formula: string }
    | { kind: 'ratio'; over: ColumnAggregate; under: ColumnAggregate; percent: boolean }
    | { kind: 'metric'; id: string | null }
    | { kind: 'kept'; measure: Measure; percent: boolean }
  )

/** What a figure of the answer must be for its row to be shown. `value`: null until it is entered. */
export interface ConditionDraft {
  /** Its place among the measures. */
  measure: number
  op: ComparisonOperator
  value: number | null
}

export interface DimensionDraft {
  column: FieldKey | null
  /** What keeps equal names of `column` apart; absent or null: equal names are one row. */
  key?: FieldKey | null
  grain: Grain | null
  /** Instead of a grain: the same part of every week, month or year. */
  part: DatePart | null
  topN: number | null
  /** Steps of a number; absent or null: each value. */
  bins?: Dimension['bins'] | null
  /** Through which groups the column is seen; null: as it is. */
  grouping: GroupingReference | null
}

/** A range as the person chose it: a preset by name, or dates. */
type RangeDraft = { preset: PeriodPresetId } | { preset: 'dates'; from: string; to: string }
type PeriodPresetId = PeriodPreset | 'kept'
export interface PeriodDraft {
  column: FieldKey | null
  range: RangeDraft
  /** The range of an edited plan that no preset names. */
  preservedRange: NonNullable<QueryPlan['period']>['range'] | null
  compare: 'previous' | 'year' | 'none'
  completeOnly: boolean
}

export const EMPTY_PLAN_DRAFT: PlanDraft = {
  dataset: null,
  measures: [],
  dimensions: [],
  period: null,
  filters: [],
  chart: null,
  direction: 'up',
  preserved: {},
}

export const EMPTY_DIMENSION: DimensionDraft = { column: null, grain: null, part: null, topN: null, grouping: null }
export const EMPTY_PERIOD: PeriodDraft = {
  column: null,
  range: { preset: 'all' },
  preservedRange: null,
  compare: 'none',
  completeOnly: false,
}

export const NEW_GROUPS: NonNullable<MeasureDraft['groups']> = {
  ...{ agg: 'avg', by: null, grain: null, having: null, largest: null, label: '' },
}

export const MEASURES_MAX = 5
export const DIMENSIONS_MAX = 3
export const FILTERS_MAX = 20
export const CONDITIONS_MAX = 10

export const newMetricMeasure = (id: string | null): MeasureDraft => ({ kind: 'metric', id, label: '', filters: [] })
export const newCountMeasure = (): MeasureDraft => ({ kind: 'count', dataset: null, label: '', filters: [] })

/** The name of a stored range; one that no preset names is kept as it is. */
export function toRangeDraft(range: AbsoluteRange | RelativeRange): Pick<PeriodDraft, 'range' | 'preservedRange'> {
  if (range.kind === 'absolute')
    return { range: { preset: 'dates', from: range.from, to: range.to }, preservedRange: null }
  const id = presetOf(range)
  return id ? { range: { preset: id }, preservedRange: null } : { range: { preset: 'kept' }, preservedRange: range }
}

const ISO_DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/

/** The plan's range, or the sentence that says what is missing. */
export function toRange(draft: PeriodDraft): AbsoluteRange | RelativeRange | string {
  const { range }: { range: RangeDraft } = draft
  if (range.preset === 'dates') {
    if (!ISO_DAY_PATTERN.test(range.from) || !ISO_DAY_PATTERN.test(range.to))
      return 'Choose the first and the last day.'
    if (range.from > range.to) return 'Enter a start date before the end date.'
    return { kind: 'absolute', from: range.from, to: range.to }
  }
  if (range.preset === 'kept') return draft.preservedRange ?? 'Choose a period.'
  return PERIOD_PRESETS[range.preset].range
}

/** The period of a draft in words, before any answer has told its days. */
export function describePeriodDraft(period: PeriodDraft | null): string {
  if (!period) return 'all time'
  const { range } = period
  if (range.preset === 'dates') return `${range.from} to ${range.to}`
  return range.preset === 'kept' ? 'its own period' : PERIOD_PRESETS[range.preset].label.toLowerCase()
}
