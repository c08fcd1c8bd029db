import type { ScopeWire } from '../../scope'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryCatalogue } from '../physical-layout'
import type { ColumnSources } from '../columns/column-table'
import type { FigureSource } from './figure-source'
import type { Calendar } from '../../shared/dates'
import type { GroupingView } from './query-context'

/** Everything one question needs. The warehouse object asks it of its own storage and catalogue. */
export interface QueryRequest {
  /** `ctx.storage.sql` of the object: answers given before, and rates. */
  sql: SqlStorage
  catalogue: QueryCatalogue
  /** The catalogue with every dataset, column and relation, for rules of access. Absent: the asker's own. */
  unrestricted?: QueryCatalogue | undefined
  /** Of the workspace: goes into pseudonyms of masked values. Absent: nothing is masked so. */
  secret?: string | undefined
  scope: ScopeWire
  plan: QueryPlan
  calendar: Calendar
  /** Where the rows of datasets are read. */
  columns: ColumnSources
  /**
   * What answers for datasets whose rows lie elsewhere; null: all of them lie in columns. Absent: nothing lies elsewhere.
   * @throws ProductError `query_too_complex` where some do and some do not
   */
  elsewhere?: ((datasets: readonly string[]) => FigureSource | null) | undefined
  /** What the plan sees columns through; maps of all its columns stand ready. Absent: it names no grouping. */
  groupings?: ((id: string) => GroupingView | null) | undefined
  /** Version of the rates that the plan's currency is reached by. */
  rates?: string | undefined
  /** Epoch ms of the injected clock: the age of cached answers. */
  now: number
}
