import { readSource } from './store'
import { readAccountClasses } from '../../semantic/account-class-store'
import type { CalendarContext } from '../../semantic/calendar'
import { queryService } from '../../semantic/query-service'
import type { AskPlan } from '../../semantic/statements/outline'
import { readStatement } from '../../semantic/statements/statement'
import { ProductError } from '../../shared/errors'
import { findLedgerTables, type LedgerTables } from '../../shared/statements/ledger-tables'
import type { Statement, StatementQuery } from '../../shared/statements/statements'
import type { CatalogueDataset } from '../../warehouse/contract'

const DECIMALS_MIN = 2

/**
 * A statement of the ledger that a source holds, by the rights of whoever asks.
 * @param ask where its questions are asked, where several statements share them
 * @throws ProductError `not_found` for a source that is not there or holds no ledger
 */
export async function getStatement(
  { deps, scope, calendar }: CalendarContext,
  { id, query }: { id: string; query: StatementQuery },
  ask?: AskPlan,
): Promise<Statement> {
  const source = await readSource(deps.db, scope, id)
  const datasets = (await deps.warehouse(scope).datasets()).filter(({ sourceId }) => sourceId === source.id)
  const tables = findLedgerTables(datasets)
  if (!tables) throw new ProductError('not_found', { what: 'ledger' }, 'This source holds no ledger.')
  const { ranges } = await readAccountClasses(deps.db, scope)
  const amount = amountFormat(tables, datasets)
  const context = { tables, source, ranges, calendar, ...amount, now: deps.clock.now() }
  const figures = queryService(deps, { scope, calendar })
  return readStatement({ ...context, ask: ask ?? ((plan) => figures.answer(plan)) }, query)
}

/** Decimals and currency of a ledger's amounts. */
function amountFormat(
  { entries, balances, periods }: LedgerTables,
  datasets: readonly CatalogueDataset[],
): { decimals: number; currency: string | null } {
  const table = entries ?? balances ?? periods
  const amount = typeof table?.amount === 'string' ? table.amount : table && firstAmount(table.amount)
  const columns = datasets.find(({ id }) => id === table?.dataset)?.columns
  const column = columns?.find(({ key }) => key === amount)
  return {
    decimals: Math.max(DECIMALS_MIN, column?.scale ?? DECIMALS_MIN),
    currency: column?.format.style === 'currency' ? column.format.currency : null,
  }
}
const firstAmount = (amount: { amount: string } | { debit: string; credit: string }): string =>
  'amount' in amount ? amount.amount : amount.debit
