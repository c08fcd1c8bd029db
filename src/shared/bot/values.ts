import type { ColumnKey } from '../data-sources/files'
import type { Scalar } from '../query/plan'

/** What is told of the values of a column, as far as who asks may see its rows. */
export interface ColumnProfile {
  key: ColumnKey
  /** Different values, where they were counted. */
  distinct?: number
  /** All of them, of columns with up to {@link PROFILED_VALUES_MAX}, those of most rows first. */
  values?: Scalar[]
  /** Of dates and moments: first and last day (ISO). Null without rows. */
  from?: string | null
  to?: string | null
}
export interface DatasetProfile {
  dataset: string
  rowCount: number
  columns: ColumnProfile[]
}
export const PROFILED_VALUES_MAX = 50

/** A value of a column that a phrase may mean. */
export interface FoundValue {
  dataset: string
  column: ColumnKey
  value: string
  /** Rows that hold it, of those that who asks may see. */
  count: number
  /** `word`: the phrase is one or several whole words of the value. */
  how: 'exact' | 'prefix' | 'word' | 'typo'
  /** Letters that differ; 0 but for typos. */
  distance: number
}
/** Phrases of one question, and matches answered for each. */
export const VALUE_PHRASES_MAX = 200
export const VALUE_MATCHES_MAX = 20
