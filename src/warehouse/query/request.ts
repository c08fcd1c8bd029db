import type { ScopeWire } from '../../identity/scope'
import type { QueryPlan } from '../../shared/query/plan'
import type { QueryCatalogue } from '../physical-layout'
import type { ColumnSources } from '../columns/column-table'
import type { Calendar } from '../../shared/dates'
import type { GroupingView } from './sources/source'

/** Everything one question needs. The warehouse object asks it of its own storage and catalogue. */
export interface QueryRequest {
  /** `ctx.storage.sql` of the object that holds the rows. */
  sql: SqlStorage
  catalogue: QueryCatalogue
  scope: ScopeWire
  plan: QueryPlan
  calendar: Calendar
  /** Where datasets' rows are kept in columns, too: what can be answered from them is. Absent: rows are read. */
  columns?: ColumnSources | undefined
  /** What the plan sees columns through; maps of all its columns stand ready. Absent: it names no grouping. */
  groupings?: ((id: string) => GroupingView | null) | undefined
  /** Version of the rates that the plan's currency is reached by. */
  rates?: string | undefined
  /** What one statement of a heavy plan should take, ms, by estimate. Absent: as usual. */
  partMs?: number | undefined
  /** Epoch ms of the injected clock: the age of cached answers. */
  now: number
}
