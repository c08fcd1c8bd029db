import type { ColumnFormat } from '../../../src/shared/files'
import type { ChartKind, Viz } from '../../../src/shared/insights'
import type { Aggregate, CumulativeMeasure, Grain, Grouped, Measure, QueryPlan } from '../../../src/shared/query'
import type { DraftDataset, FieldKey } from '../../lib/filters/fields'
import type { FilterDraft } from '../../lib/filters/filter-draft'

/** What the builder holds while a person is still choosing: everything may be missing. */
export interface PlanDraft {
  dataset: DraftDataset | null
  measures: MeasureDraft[]
  splits: SplitDraft[]
  period: PeriodDraft | null
  filters: FilterDraft[]
  /** Null: as suggested by the shape. */
  chart: ChartKind | null
  direction: Viz['direction']
  /** Parts of an edited plan that this builder does not show, kept as they are. */
  kept: Pick<QueryPlan, 'having' | 'limit' | 'sort'> & { v?: 2 }
  /** Absent: amounts as they are. */
  currency?: NonNullable<QueryPlan['currency']>
}

export type Operator = 'add' | 'subtract' | 'multiply' | 'divide'
export interface Term {
  op: Operator
  operand: FieldKey | number | null
}
export interface SimpleMeasure {
  agg: Aggregate
  /** Null counts rows. */
  column: FieldKey | null
}
/** The figure of an earlier unit of the split by time, or what has come together until each unit. */
export type AlongTime = { kind: 'prev'; steps: number } | { kind: 'cumulative'; restart: CumulativeMeasure['restart'] }
interface MeasureBase {
  label: string
  filters: FilterDraft[]
  /** How it is shown, when that does not follow from its columns. */
  format?: ColumnFormat
  /** Absent: the figure of each unit itself. `label` and `format` are those of the whole, not of the figure within. */
  along?: AlongTime & { label: string; format?: ColumnFormat }
}
export type MeasureDraft = MeasureBase &
  /** Of the rows of the data itself when `dataset` is null. */
  (
    | { kind: 'count'; dataset: string | null }
    | { kind: 'column'; agg: Aggregate; column: FieldKey | null }
    | { kind: 'expression'; agg: Aggregate; first: FieldKey | null; terms: Term[] }
    | { kind: 'ratio'; over: SimpleMeasure; under: SimpleMeasure; percent: boolean }
    | { kind: 'metric'; id: string | null }
    | { kind: 'kept'; measure: Measure; percent: boolean }
  )

export interface SplitDraft {
  column: FieldKey | null
  grain: Grain | null
  topN: number | null
  /** Through which groups the column is seen; null: as it is. */
  grouping: Grouped | null
}

/** A range as the person chose it: a preset by name, or dates. */
export type RangeDraft = { preset: PresetId } | { preset: 'dates'; from: string; to: string }
export type PresetId =
  | 'last7Days'
  | 'last30Days'
  | 'last12Weeks'
  | 'thisMonth'
  | 'lastMonth'
  | 'last3Months'
  | 'last12Months'
  | 'thisQuarter'
  | 'lastQuarter'
  | 'thisYear'
  | 'lastYear'
  | 'thisFiscalYear'
  | 'lastFiscalYear'
  | 'thisFiscalQuarter'
  | 'all'
  | 'kept'
export interface PeriodDraft {
  column: FieldKey | null
  range: RangeDraft
  /** The range of an edited plan that no preset names. */
  keptRange: NonNullable<QueryPlan['period']>['range'] | null
  compare: 'previous' | 'year' | 'none'
  completeOnly: boolean
}

export const EMPTY_DRAFT: PlanDraft = {
  dataset: null,
  measures: [],
  splits: [],
  period: null,
  filters: [],
  chart: null,
  direction: 'up',
  kept: {},
}

export const MEASURES_MAX = 5
export const SPLITS_MAX = 3
export const FILTERS_MAX = 20

export const metricMeasure = (id: string | null): MeasureDraft => ({ kind: 'metric', id, label: '', filters: [] })
export const countMeasure = (): MeasureDraft => ({ kind: 'count', dataset: null, label: '', filters: [] })
