import type { ScopeWire } from '../../access/scope'
import type { Outcome } from '../../shared/errors'
import type { QueryPlan, QueryResult } from '../../shared/query'
import type { Calendar } from '../contract'
import type { QueryCatalogue } from '../physical'

/** Everything one question needs. The warehouse object calls {@link RunQuery} with its own storage and catalogue. */
export interface QueryAsk {
  /** `ctx.storage.sql` of the object that holds the rows. */
  sql: SqlStorage
  catalogue: QueryCatalogue
  scope: ScopeWire
  plan: QueryPlan
  calendar: Calendar
  /** Epoch ms of the injected clock: the age of cached answers. */
  now: number
}

/** Synchronous on purpose: between reading the catalogue and reading the rows nothing else may run. */
export type RunQuery = (ask: QueryAsk) => Outcome<QueryResult>
