import type { ChartKind, Viz } from '../../../src/shared/insights'
import type { Aggregate, Compare, Filter, Grain, Measure, QueryPlan } from '../../../src/shared/query'
import type { Column, ColumnKey } from '../../../src/shared/sources'

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
  kept: Pick<QueryPlan, 'having' | 'limit' | 'sort'>
}

/** What the builder needs to know of a dataset. */
export interface DraftDataset {
  id: string
  name: string
  columns: Column[]
}

export type Operator = 'add' | 'subtract' | 'multiply' | 'divide'
export interface Term {
  op: Operator
  operand: ColumnKey | number | null
}
export interface SimpleMeasure {
  agg: Aggregate
  /** Null counts rows. */
  column: ColumnKey | null
}
interface MeasureBase {
  label: string
  filters: FilterDraft[]
}
export type MeasureDraft = MeasureBase &
  (
    | { kind: 'count' }
    | { kind: 'column'; agg: Aggregate; column: ColumnKey | null }
    | { kind: 'expression'; agg: Aggregate; first: ColumnKey | null; terms: Term[] }
    | { kind: 'ratio'; over: SimpleMeasure; under: SimpleMeasure; percent: boolean }
    | { kind: 'kept'; measure: Measure }
  )

export interface SplitDraft {
  column: ColumnKey | null
  grain: Grain | null
  topN: number | null
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
  column: ColumnKey | null
  range: RangeDraft
  /** The range of an edited plan that no preset names. */
  keptRange: NonNullable<QueryPlan['period']>['range'] | null
  compare: 'previous' | 'year' | 'none'
  completeOnly: boolean
}

export type FilterOperator = Compare | 'in' | 'notIn' | 'contains' | 'startsWith' | 'between' | 'empty' | 'notEmpty'
export type FilterDraft =
  | { kind: 'kept'; filter: Filter }
  | { kind: 'edit'; column: ColumnKey | null; op: FilterOperator; values: string[]; from: string; to: string }

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

export const isNumeric = (column: Column): boolean => column.type === 'number' || column.type === 'integer'
export const isTemporal = (column: Column): boolean => column.type === 'date' || column.type === 'datetime'
export const visible = (dataset: DraftDataset): Column[] => dataset.columns.filter((column) => !column.hidden)
export const columnOf = (dataset: DraftDataset | null, key: ColumnKey | null): Column | null =>
  dataset?.columns.find((column) => column.key === key) ?? null

export const countMeasure = (): MeasureDraft => ({ kind: 'count', label: '', filters: [] })
export const emptyFilter = (): FilterDraft => ({ kind: 'edit', column: null, op: 'in', values: [], from: '', to: '' })
