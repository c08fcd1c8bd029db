import type { ColumnTable } from './column-table'
import type { PassingRows } from './kept-mask'
import type { MemoryBounds } from './memory'
import type { VectorNumber } from './vector-number'
import type { TextIndex } from './texts/text-index'
import type { ChunkPlace, Codes, MaybeMask, Mask, Numbers } from './vectors'
import type { LiveDataset } from '../physical-layout'
import type { RelationEdge, RelationPath } from '../query/plan/relation-graph'
import type { AppliedRates, PlanContext, GroupingView } from '../query/query-context'
import type { Calendar } from '../../shared/dates'
import type { Column } from '../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../shared/data-sources/files'
import type { ExistsFilter, Filter, GroupingReference, QueryPlan } from '../../shared/query/plan'
import type { Field } from '../../shared/query/field'

/** A column as a question sees it from the rows it asks about. */
export interface ColumnVectors {
  column: Column
  dataset: LiveDataset
  /** Whether it lies in the rows asked about themselves. */
  isOwn: boolean
  /** Of every type but text: as it is stored; amounts in smallest units that rows name with one scale. */
  numbers: () => Numbers
  /** Of texts: 0 is an empty cell. */
  codes: () => Codes
  words: () => readonly string[]
  texts: () => TextVectors
  /** Wall-clock milliseconds of a moment. */
  wall: () => Numbers
  /** Local day of a date or a moment. */
  days: () => Numbers
}

/** Texts as a question sees them. */
export interface TextVectors {
  /** 0 is an empty cell. */
  codes: () => Codes
  /** How many different ones there are: one less than the codes. */
  count: () => number
  wordAt: (code: number) => string | null
  /** All of them, from code 1 on. @throws ExceedsBounds when they are too many to be held */
  words: () => readonly string[]
  /** Rows whose text passes; null is an empty cell. */
  passing: (test: (text: string | null) => boolean) => Mask
  /** Too many for a dictionary: read one by one as they lie. Null: a dictionary has them. */
  cells: () => TextCells | null
}
/** Texts of a chunk's rows. What is handed out holds until another chunk is read. */
export type TextCells = (place: ChunkPlace) => TextReader
export interface TextReader {
  text(row: number): string | null
  /** The same for a short look: it is not to be kept. */
  peek(row: number): string | null
  /** In UTF-8; 0 of an empty cell. */
  bytes(row: number): number
  /** The number of the row's text, taken in when it is new; 0 of an empty cell. */
  codeIn(index: TextIndex, row: number): number
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
  table: ColumnTable
  /** @throws ProductError `unknown_field` */
  field(field: Field): ColumnVectors
  grouped(field: Field, grouping: GroupingReference): GroupedVectors
  exists(filter: ExistsFilter, path: string): Mask
}

/** The rows of one dataset within a question, and what relations lead to from there. */
export interface RowSource extends FilterSource {
  planContext: PlanContext
  dataset: LiveDataset
  along(path: RelationPath, key: ColumnKey, ofPeriod: boolean): ColumnVectors
  /** Rows that the asker may see. */
  rule(): MaybeMask
  /** Rows that pass conditions; null: all. Where rows are picked by them, all do. */
  filtered(filters: readonly Filter[], path: string): MaybeMask
  /** What is kept between questions of rows that rules and conditions let through, and of which conditions it is. */
  passing(filters: readonly Filter[]): { rows: PassingRows[]; filters: Filter[] }
  /** Which row of the one side each row points at; −1: none that the asker may see. */
  rowOf(edge: RelationEdge): Codes
  /** What amounts of a field are in, row by row, whether or not the asker may see that column. */
  currency(field: Field, column: ColumnKey): ColumnVectors
  /** What amounts of a field are multiplied by. */
  rate(field: Field, applied: AppliedRates, plan: QueryPlan): VectorNumber
  readonly memory: MemoryBounds
  /** Notes that the question holds so many more arrays of a chunk's numbers. @throws ExceedsMemory past its bounds */
  hold(arrays: number): void
  /** The same of other arrays; less than 0 of those that were let go. */
  holdBytes(bytes: number): void
  /** The same question's rows of another dataset. */
  other(datasetId: string): RowSource
}
