import type { ColumnFormat } from '../../../src/shared/files'
import type { ChartKind, Viz } from '../../../src/shared/insights'
import type {
  Aggregate,
  CumulativeMeasure,
  Grain,
  GroupingReference,
  Measure,
  QueryPlan,
} from '../../../src/shared/query'
import type { BuilderDataset, FieldKey } from '../../lib/filters/fields'
import type { FilterDraft } from '../../lib/filters/filter-draft'

/** What the builder holds while a person is still choosing: everything may be missing. */
export interface PlanDraft {
  dataset: BuilderDataset | null
  measures: MeasureDraft[]
  dimensions: DimensionDraft[]
  period: PeriodDraft | null
  filters: FilterDraft[]
  /** Null: as suggested by the shape. */
  chart: ChartKind | null
  direction: Viz['direction']
  /** Parts of an edited plan that this builder does not show, kept as they are. */
  preserved: Pick<QueryPlan, 'having' | 'limit' | 'sort'> & { v?: 2 }
  /** Absent: amounts as they are. */
  currency?: NonNullable<QueryPlan['currency']>
}

export type ArithmeticOperator = 'add' | 'subtract' | 'multiply' | 'divide'
export interface ExpressionTerm {
  op: ArithmeticOperator
  operand: FieldKey | number | null
}
export interface ColumnAggregate {
  agg: Aggregate
  /** Null counts rows. */
  column: FieldKey | null
}
/** The figure of an earlier unit of the split by time, or what has come together until each unit. */
export type TimeCalculation =
  { kind: 'prev'; steps: number } | { kind: 'cumulative'; restart: CumulativeMeasure['restart'] }
interface MeasureDraftBase {
  label: string
  filters: FilterDraft[]
  /** How it is shown, when that does not follow from its columns. */
  format?: ColumnFormat
  /** Absent: the figure of each unit itself. `label` and `format` are those of the whole, not of the figure within. */
  timeCalculation?: TimeCalculation & { label: string; format?: ColumnFormat }
}
export type MeasureDraft = MeasureDraftBase &
  /** Of the rows of the data itself when `dataset` is null. */
  (
    | { kind: 'count'; dataset: string | null }
    | { kind: 'column'; agg: Aggregate; column: FieldKey | null }
    | { kind: 'expression'; agg: Aggregate; first: FieldKey | null; terms: ExpressionTerm[] }
    | { kind: 'ratio'; over: ColumnAggregate; under: ColumnAggregate; percent: boolean }
    | { kind: 'metric'; id: string | null }
    | { kind: 'kept'; measure: Measure; percent: boolean }
  )

export interface DimensionDraft {
  column: FieldKey | null
  grain: Grain | null
  topN: number | null
  /** Through which groups the column is seen; null: as it is. */
  grouping: GroupingReference | null
}

/** A range as the person chose it: a preset by name, or dates. */
export type RangeDraft = { preset: PeriodPresetId } | { preset: 'dates'; from: string; to: string }
export type PeriodPresetId =
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

export const MEASURES_MAX = 5
export const DIMENSIONS_MAX = 3
export const FILTERS_MAX = 20

export const newMetricMeasure = (id: string | null): MeasureDraft => ({ kind: 'metric', id, label: '', filters: [] })
export const newCountMeasure = (): MeasureDraft => ({ kind: 'count', dataset: null, label: '', filters: [] })
