import type { ColumnHint, ColumnRole, ColumnType, LedgerTable } from '../../shared/files'

export interface LedgerColumn {
  label: string
  type: ColumnType
  role: ColumnRole
  /** Figures that are money of the company's currency, or a quantity. */
  figure?: 'amount' | 'quantity'
}

const textColumn = (label: string, role: ColumnRole = 'dimension'): LedgerColumn => ({ label, type: 'text', role })
const dateColumn = (label: string): LedgerColumn => ({ label, type: 'date', role: 'time' })
const AMOUNT: LedgerColumn = { label: 'amount', type: 'number', role: 'measure', figure: 'amount' }
const QUANTITY: LedgerColumn = { label: 'quantity', type: 'number', role: 'measure', figure: 'quantity' }
const ORG_NUMBER = textColumn('org_number', 'id')
const YEAR_COLUMNS = [ORG_NUMBER, textColumn('fiscal_year')]
const ACCOUNT_COLUMNS = [textColumn('account_key', 'id'), textColumn('account')]
const PERIOD_COLUMNS = [
  ...YEAR_COLUMNS,
  dateColumn('period'),
  ...ACCOUNT_COLUMNS,
  textColumn('object'),
  AMOUNT,
  QUANTITY,
]

/** Columns of the ledger's tables, in their order; `entries` goes on with two columns for each dimension. */
export const LEDGER_COLUMNS: Record<LedgerTable, readonly LedgerColumn[]> = {
  companies: [
    ORG_NUMBER,
    textColumn('name'),
    { label: 'currency', type: 'text', role: 'currency' },
    textColumn('chart'),
    textColumn('sie_type'),
    textColumn('program'),
    { label: 'generated', type: 'date', role: 'time' },
  ],
  fiscal_years: [...YEAR_COLUMNS, dateColumn('start'), dateColumn('end')],
  accounts: [
    ...YEAR_COLUMNS,
    ...ACCOUNT_COLUMNS,
    textColumn('name'),
    textColumn('type'),
    textColumn('class'),
    textColumn('sru'),
    textColumn('unit'),
  ],
  balances: [...YEAR_COLUMNS, ...ACCOUNT_COLUMNS, textColumn('object'), textColumn('kind'), AMOUNT, QUANTITY],
  period_balances: PERIOD_COLUMNS,
  budgets: PERIOD_COLUMNS,
  vouchers: [
    ...YEAR_COLUMNS,
    textColumn('voucher_key', 'id'),
    textColumn('series'),
    textColumn('number', 'id'),
    dateColumn('date'),
    textColumn('text'),
    dateColumn('registered'),
  ],
  entries: [
    ...YEAR_COLUMNS,
    textColumn('voucher_key', 'id'),
    textColumn('series'),
    textColumn('number', 'id'),
    { label: 'row', type: 'integer', role: 'id' },
    dateColumn('date'),
    ...ACCOUNT_COLUMNS,
    AMOUNT,
    textColumn('text'),
    QUANTITY,
  ],
  dimensions: [ORG_NUMBER, textColumn('dimension', 'id'), textColumn('name'), textColumn('parent')],
  objects: [
    ORG_NUMBER,
    textColumn('object_key', 'id'),
    textColumn('dimension'),
    textColumn('object', 'id'),
    textColumn('name'),
  ],
}

/** Columns of one dimension of the entries: the object's number and its name. */
export const dimensionColumns = (dimension: string): LedgerColumn[] => [
  textColumn(`dim_${dimension}`),
  textColumn(`dim_${dimension}_name`),
]

/** What the loader needs to know of the columns. `decimals` is the most that was seen of each kind of figure. */
export function columnHints(
  columns: readonly LedgerColumn[],
  at: { currency: string; decimals: Record<'amount' | 'quantity', number> },
): ColumnHint[] {
  return columns.map(({ label, type, role, figure }, index) => {
    const hint: ColumnHint = { index, label, type, role, format: { style: 'plain' } }
    if (!figure) return hint
    const decimals = Math.max(figure === 'amount' ? 2 : 0, at.decimals[figure])
    // More decimals than a scaled integer takes: the column is then a plain fraction.
    if (decimals <= 4) hint.scale = decimals
    if (figure === 'amount') hint.format = { style: 'currency', currency: at.currency }
    return hint
  })
}
