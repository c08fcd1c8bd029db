import { ledgerColumns } from '../../formats/sie/ledger-tables'
import { LEDGER_TABLE_LABELS, type LedgerTable } from '../../shared/data-sources/files'
import type { SourceStream, StreamColumn } from '../../shared/data-sources/connectors'

/** What tells rows of a ledger's table apart, by the names of its columns. */
const KEYS: Readonly<Record<LedgerTable, readonly string[]>> = {
  companies: ['org_number'],
  fiscal_years: ['org_number', 'fiscal_year'],
  accounts: ['account_key'],
  balances: ['account_key', 'object', 'kind'],
  period_balances: ['account_key', 'period', 'object'],
  budgets: ['account_key', 'period', 'object'],
  vouchers: ['voucher_key'],
  entries: ['voucher_key', 'row'],
  dimensions: ['dimension'],
  objects: ['object_key'],
}

const AMOUNT_DECIMALS = 2

function streamColumn(
  { label, type, role, figure }: ReturnType<typeof ledgerColumns>[number],
  currency: string,
): StreamColumn {
  const column = { name: label, type, role }
  return figure === 'amount' ? { ...column, scale: AMOUNT_DECIMALS, currency } : column
}

/**
 * A table of the ledger as a stream, the same columns as a SIE file gives it: statements are made of it. `currency` is the
 * books' own.
 */
export const ledgerStream = (table: LedgerTable, currency: string): SourceStream => ({
  key: `ledger.${table}`,
  label: LEDGER_TABLE_LABELS[table],
  columns: ledgerColumns(table).map((column) => streamColumn(column, currency)),
  keyColumns: KEYS[table],
  incrementalColumn: null,
  // Books are corrected backwards: all of them are read each time.
  modes: ['replace'],
  proposed: true,
})

/** In which order a ledger's tables are read: what statements are made of comes whole, before what only stands beside it. */
export const LEDGER_ORDER: readonly LedgerTable[] = [
  ...(['companies', 'fiscal_years', 'accounts', 'entries', 'balances'] as const),
  ...(['vouchers', 'period_balances', 'budgets', 'dimensions', 'objects'] as const),
]

/** Which table of the ledger a stream is; null for another. */
export function ledgerTableOf(stream: SourceStream): LedgerTable | null {
  const name = /^ledger\.(\w+)$/.exec(stream.key)?.[1]
  return LEDGER_ORDER.find((table) => table === name) ?? null
}
/** Tables without a year: the newest file has them all. */
export const isByYear = (table: LedgerTable): boolean =>
  table !== 'companies' && table !== 'dimensions' && table !== 'objects'
export const keyColumnsOf = (table: LedgerTable): readonly string[] => KEYS[table]
