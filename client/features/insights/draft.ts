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
  /** Absent: amounts as they are. */
  currency?: NonNullable<QueryPlan['currency']>
}

/** What the builder needs to know of a dataset. */
export interface DraftDataset {
  id: string
  name: string
  columns: Column[]
  /** What confirmed relations join to it. */
  linked?: LinkedDataset[]
}

/** A dataset that relations join to the one that is looked at, and what it can be used for. */
export interface LinkedDataset {
  /**
   * `splits`: rows here point at its rows, so that its columns split and filter. `measures`: it has rows of its own that
   * share something to split by. `exists`: its rows point here.
   */
  use: 'splits' | 'measures' | 'exists'
  id: string
  name: string
  columns: Column[]
  /** As it is called among the choices: "Customers (by Customer no)". */
  heading: string
  /** Relations to follow, where the way is not clear by itself. */
  via: string[]
}

/** A column of the dataset itself, or `dataset/column` of a joined one, with `/relation+relation` where the way matters. */
export type FieldKey = ColumnKey | `${string}/${string}`

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
interface MeasureBase {
  label: string
  filters: FilterDraft[]
}
export type MeasureDraft = MeasureBase &
  /** Of the rows of the data itself when `dataset` is null. */
  (
    | { kind: 'count'; dataset: string | null }
    | { kind: 'column'; agg: Aggregate; column: FieldKey | null }
    | { kind: 'expression'; agg: Aggregate; first: FieldKey | null; terms: Term[] }
    | { kind: 'ratio'; over: SimpleMeasure; under: SimpleMeasure; percent: boolean }
    | { kind: 'kept'; measure: Measure; percent: boolean }
  )

export interface SplitDraft {
  column: FieldKey | null
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
  column: FieldKey | null
  range: RangeDraft
  /** The range of an edited plan that no preset names. */
  keptRange: NonNullable<QueryPlan['period']>['range'] | null
  compare: 'previous' | 'year' | 'none'
  completeOnly: boolean
}

export type FilterOperator = Compare | 'in' | 'notIn' | 'contains' | 'startsWith' | 'between' | 'empty' | 'notEmpty'
export type FilterDraft =
  | { kind: 'kept'; filter: Filter }
  | { kind: 'edit'; column: FieldKey | null; op: FilterOperator; values: string[]; from: string; to: string }
  | RelatedFilterDraft
/** Whether rows of another dataset point here: those that `filters` let through. */
export interface RelatedFilterDraft {
  kind: 'related'
  op: 'exists' | 'notExists'
  dataset: string
  relation: string | null
  filters: FilterDraft[]
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

export const isNumeric = (column: Column): boolean => column.type === 'number' || column.type === 'integer'
export const isTemporal = (column: Column): boolean => column.type === 'date' || column.type === 'datetime'
export const visible = (dataset: DraftDataset): Column[] => dataset.columns.filter((column) => !column.hidden)

export const countMeasure = (): MeasureDraft => ({ kind: 'count', dataset: null, label: '', filters: [] })
export const emptyFilter = (): FilterDraft => ({ kind: 'edit', column: null, op: 'in', values: [], from: '', to: '' })
