import type { ColumnTable } from './column-table'
import type { VectorNumber } from './vector-number'
import type { Codes, MaybeMask, Mask, Numbers } from './vectors'
import type { LiveDataset } from '../physical-layout'
import type { RelationEdge, RelationPath } from '../query/plan/relation-graph'
import type { AppliedRates, CompileContext, GroupingView } from '../query/sources/source'
import type { Calendar } from '../../shared/dates'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { ExistsFilter, Field, GroupingReference, QueryPlan } from '../../shared/query/plan'

/** A column as a question sees it from the rows it asks about. */
export interface ColumnVectors {
  column: Column
  dataset: LiveDataset
  /** Whether it lies in the rows asked about themselves. */
  isOwn: boolean
  /** Of every type but text: as it is stored. */
  numbers: () => Numbers
  /** Of texts: 0 is an empty cell. */
  codes: () => Codes
  words: () => readonly string[]
  /** Wall-clock milliseconds of a moment. */
  wall: () => Numbers
  /** Local day of a date or a moment. */
  days: () => Numbers
}

/** What stands for a value: the number of a group, a text when the value stands for itself, null when it is in none. */
export type GroupValue = number | string | null

/** A column seen through a grouping. */
export interface GroupedVectors {
  view: GroupingView
  /** Places in `values`, which are numbered while rows are read. */
  codes: Codes
  values: readonly GroupValue[]
}

/** What conditions are asked of. */
export interface FilterSource {
  calendar: Calendar
  /** @throws ProductError `unknown_field` */
  field(field: Field): ColumnVectors
  grouped(field: Field, grouping: GroupingReference): GroupedVectors
  exists(filter: ExistsFilter, path: string): Mask
}

/** The rows of one dataset within a question, and what relations lead to from there. */
export interface RowSource extends FilterSource {
  world: CompileContext
  dataset: LiveDataset
  table: ColumnTable
  along(path: RelationPath, key: ColumnKey, ofPeriod: boolean): ColumnVectors
  /** Rows that the asker may see. */
  rule(): MaybeMask
  /** Which row of the one side each row points at; −1: none that the asker may see. */
  rowOf(edge: RelationEdge): Codes
  /** What amounts of a field are multiplied by. */
  rate(field: Field, applied: AppliedRates, plan: QueryPlan): VectorNumber
  /** Notes that the question holds so many more arrays of a chunk's numbers. @throws NeedsRows past what it may hold */
  hold(arrays: number): void
  /** The same question's rows of another dataset. */
  other(datasetId: string): RowSource
}
