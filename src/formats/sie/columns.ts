import type { ColumnHint, ColumnRole, ColumnType, LedgerTable } from '../../shared/files'

export interface LedgerColumn {
  label: string
  type: ColumnType
  role: ColumnRole
  /** Figures that are money of the company's currency, or a quantity. */
  figure?: 'amount' | 'quantity'
}

const text = (label: string, role: ColumnRole = 'dimension'): LedgerColumn => ({ label, type: 'text', role })
const date = (label: string): LedgerColumn => ({ label, type: 'date', role: 'time' })
const AMOUNT: LedgerColumn = { label: 'amount', type: 'number', role: 'measure', figure: 'amount' }
const QUANTITY: LedgerColumn = { label: 'quantity', type: 'number', role: 'measure', figure: 'quantity' }
const ORG = text('org_number', 'id')
const PART = [ORG, text('fiscal_year')]
const ACCOUNT = [text('account_key', 'id'), text('account')]
const BY_PERIOD = [...PART, date('period'), ...ACCOUNT, text('object'), AMOUNT, QUANTITY]

/** Columns of the ledger's tables, in their order; `entries` goes on with two columns for each dimension. */
export const LEDGER_COLUMNS: Record<LedgerTable, readonly LedgerColumn[]> = {
  companies: [
    ORG,
    text('name'),
    { label: 'currency', type: 'text', role: 'currency' },
    text('chart'),
    text('sie_type'),
    text('program'),
    { label: 'generated', type: 'date', role: 'time' },
  ],
  fiscal_years: [...PART, date('start'), date('end')],
  accounts: [...PART, ...ACCOUNT, text('name'), text('type'), text('class'), text('sru'), text('unit')],
  balances: [...PART, ...ACCOUNT, text('object'), text('kind'), AMOUNT, QUANTITY],
  period_balances: BY_PERIOD,
  budgets: BY_PERIOD,
  vouchers: [
    ...PART,
    text('voucher_key', 'id'),
    text('series'),
    text('number', 'id'),
    date('date'),
    text('text'),
    date('registered'),
  ],
  entries: [
    ...PART,
    text('voucher_key', 'id'),
    text('series'),
    text('number', 'id'),
    { label: 'row', type: 'integer', role: 'id' },
    date('date'),
    ...ACCOUNT,
    AMOUNT,
    text('text'),
    QUANTITY,
  ],
  dimensions: [ORG, text('dimension', 'id'), text('name'), text('parent')],
  objects: [ORG, text('object_key', 'id'), text('dimension'), text('object', 'id'), text('name')],
}

/** Columns of one dimension of the entries: the object's number and its name. */
export const dimensionColumns = (dimension: string): LedgerColumn[] => [
  text(`dim_${dimension}`),
  text(`dim_${dimension}_name`),
]

/** What the loader needs to know of the columns. `decimals` is the most that was seen of each kind of figure. */
export function hintsOf(
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
