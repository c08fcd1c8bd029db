import type { RelationGraph } from './plan/relation-graph'
import type { OffsetSegment } from './time/zone-offsets'
import type { Calendar } from '../../shared/dates'
import type { ScopeWire } from '../../scope'
import type { ColumnFormat, ColumnKey } from '../../shared/data-sources/files'
import type { Field } from '../../shared/query/field'
import type { AmountCurrency } from '../../shared/currencies'
import type { CurrencyMode } from '../../shared/query/currency-modes'
import type { Column } from '../../shared/data-sources/data-sources'
import type { LiveDataset } from '../physical-layout'
import type { StoredRateSet } from '../rate-store'
import type { GroupingFallback, GroupNode } from '../../shared/groupings/groupings'

/** A grouping as a question sees columns through it: maps stand ready for all that the plan names. */
export interface GroupingView {
  id: string
  version: number
  name: string
  fallback: GroupingFallback
  /** Every group of every period; its place is its number in maps. */
  groups: readonly GroupNode[]
  numbers: ReadonlyMap<string, number>
  /** First day of each period; null: from the beginning. */
  eras: readonly { from: number | null; groups: readonly GroupNode[] }[]
  /** The period of today. */
  current: number
  map(at: { dataset: string; column: ColumnKey; era: number }): { n: number; kind: 'values' | 'ranges' } | null
}

/** What answering one plan works with, whatever dataset it starts from. */
export interface PlanContext {
  scope: ScopeWire
  /** The same with every row and column: what rules of access ask, and what masks are laid over. */
  unrestricted: () => PlanContext
  /** Of the workspace: goes into pseudonyms. */
  secret: string
  calendar: Calendar
  graph: RelationGraph
  /** As the asker sees it, computed columns with the type they come out as. Null when it does not exist for the asker. */
  find(datasetId: string): LiveDataset | null
  /** What amounts are in, and what brings them to one currency. Absent within rows: there they are as they lie. */
  money?: MoneyConversion | undefined
  /** What columns are seen through; absent where a plan is none of a person's. */
  groupings?: ((id: string) => GroupingView | null) | undefined
  /** The column of the plan's period. */
  periodField?: Field | undefined
  /**
   * Offsets of the calendar's zone over the instants of a zoned column that matter to the plan.
   * @param cells looks up in which cells of time it has instants
   */
  segments(dataset: LiveDataset, at: ZonedColumn, cells: () => number[]): OffsetSegment[]
}
/** How a question sees money; null: the column holds none, or is as it lies. */
export interface MoneyConversion {
  format(column: FieldColumn): ColumnFormat | null
  /** By which rates a column's amounts are converted; null where they are not. */
  rates(column: FieldColumn): AppliedRates | null
  /** The same for measures that are converted in a way of their own. Absent where nothing is converted. */
  by?(mode: CurrencyMode): MoneyConversion
}
/** How amounts are brought to one currency. */
export interface AppliedRates {
  /** What each amount is in. */
  money: AmountCurrency
  /** What it becomes. */
  code: string
  rates: StoredRateSet
}
interface ZonedColumn {
  key: ColumnKey
  /** Whether its rows are those of the plan's period only. */
  ofPeriod: boolean
}

/** A column and the dataset it is of. */
export interface FieldColumn extends Column {
  dataset: LiveDataset
}
