import type { AccountRange } from '../../shared/account-classes'
import type { Calendar } from '../../shared/dates'
import type { LedgerTables } from '../../shared/statements/ledger-tables'
import type { AccountLine, Books } from './books'
import type { StatementPeriod } from './columns'
import type { AskPlan, LedgerOutline } from './outline'

/** What a statement is worked out from. */
export interface StatementContext {
  ask: AskPlan
  tables: LedgerTables
  source: { id: string; name: string }
  ranges: readonly AccountRange[]
  calendar: Calendar
  /** Decimals of the amounts of the ledger. */
  decimals: number
  /** Of amounts that no company's currency is known for. */
  currency: string | null
  now: number
}

/** Everything that is known once figures are read. */
export interface LoadedBooks {
  outline: LedgerOutline
  period: StatementPeriod
  books: Books
  budget: ReadonlyMap<number, ReadonlyMap<string, bigint>> | null
  lineOf: (account: string) => AccountLine
  names: ReadonlyMap<string, string>
}
