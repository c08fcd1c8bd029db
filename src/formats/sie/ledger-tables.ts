import type { ColumnHint, ColumnRole, ColumnType, ComparisonYear, LedgerTable } from '../../shared/data-sources/files'
import { DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { TableRowWriter, TableSink } from '../contract'
import { CanonicalRecords } from '../csv/canonical-records'
import { tooManyColumnsError } from '../csv/csv-errors'
import type { SieAmount } from './values'

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
const LEDGER_COLUMNS: Record<LedgerTable, readonly LedgerColumn[]> = {
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

const YEAR_AT = YEAR_COLUMNS.findIndex(({ label }) => label === 'fiscal_year')
const isByYear = (table: LedgerTable): boolean => LEDGER_COLUMNS[table][YEAR_AT] === YEAR_COLUMNS[YEAR_AT]

/** Columns of one dimension of the entries: the object's number and its name. */
const dimensionColumns = (dimension: string): LedgerColumn[] => [
  textColumn(`dim_${dimension}`),
  textColumn(`dim_${dimension}_name`),
]

/** What the loader needs to know of the columns. `decimals` is the most that was seen of each kind of figure. */
function columnHints(
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

/** Dimensions that every ledger's entries have columns for, so that files of several years have the same ones. */
const DEFAULT_DIMENSIONS = ['1', '6']

/** Dimensions are numbers; a column's name bounds whatever else stands there. */
const DIMENSION_MAX_CHARS = 40

/** Columns of a table as every ledger has them: the entries with those of the default dimensions. */
export const ledgerColumns = (table: LedgerTable): readonly LedgerColumn[] =>
  table === 'entries'
    ? [...LEDGER_COLUMNS.entries, ...DEFAULT_DIMENSIONS.flatMap(dimensionColumns)]
    : LEDGER_COLUMNS[table]

/** A table of the ledger on its way out. */
export interface LedgerTableOutput {
  readonly records: CanonicalRecords
  /** The most that was seen of each kind of figure. */
  readonly decimals: Record<'amount' | 'quantity', number>
}

interface OpenTable extends LedgerTableOutput {
  rows: TableRowWriter
  /** Rows of each fiscal year. */
  years: Map<string, { rows: number }>
}

/** Writes the ledger's tables; one that gets no row is never opened. */
export class LedgerTableWriter {
  readonly #sink: TableSink
  readonly #open = new Map<LedgerTable, OpenTable>()
  /** Place of each dimension among those of the entries. */
  readonly #dimensions = new Map(DEFAULT_DIMENSIONS.map((dimension, at) => [dimension, at]))

  constructor(sink: TableSink) {
    this.#sink = sink
  }

  add(table: LedgerTable, cells: readonly (string | null)[], line: number): void {
    this.output(table).records.add(cells, line)
    if (isByYear(table)) this.yearCount(table, cells[YEAR_AT] ?? '').rows += 1
  }

  /** Where rows of a table are written, by whoever writes them cell by cell, and counts them by year. */
  output(table: LedgerTable): LedgerTableOutput {
    return this.#output(table)
  }

  /** Rows that a table has of a fiscal year. */
  yearCount(table: LedgerTable, year: string): { rows: number } {
    const { years } = this.#output(table)
    const known = years.get(year) ?? { rows: 0 }
    if (known.rows === 0) years.set(year, known)
    return known
  }

  #output(table: LedgerTable): OpenTable {
    const known = this.#open.get(table)
    if (known) return known
    const rows = this.#sink.table({ name: table, ledger: table })
    const records = new CanonicalRecords((block) => rows.addRecords(block))
    const made: OpenTable = { rows, records, decimals: { amount: 0, quantity: 0 }, years: new Map() }
    this.#open.set(table, made)
    return made
  }

  /** Counts decimals of a figure and gives its text. */
  trackedNumber(table: LedgerTable, kind: 'amount' | 'quantity', value: SieAmount | null): string | null {
    if (value === null) return null
    const { decimals } = this.#output(table)
    decimals[kind] = Math.max(decimals[kind], value.decimals)
    return value.text
  }

  /** Place of a dimension's columns behind the fixed ones of the entries. @throws ProductError for too many. */
  dimensionPosition(name: string, line: number): number {
    const dimension = name.slice(0, DIMENSION_MAX_CHARS)
    const known = this.#dimensions.get(dimension)
    if (known !== undefined) return known
    const at = this.#dimensions.size
    if (LEDGER_COLUMNS.entries.length + (at + 1) * 2 > DATASET_MAX_COLUMNS) throw tooManyColumnsError(line)
    this.#dimensions.set(dimension, at)
    return at
  }

  dimensionCount(): number {
    return this.#dimensions.size
  }

  /** All rows are written: says what the columns are. `year`: the one that the file is of; null where it says none. */
  finish(currency: string, year: string | null): void {
    for (const [table, { rows, records, decimals }] of this.#open) {
      records.flush()
      const hints = columnHints(this.#columnsOf(table), { currency, decimals })
      const comparisonYears = this.#comparisonYears(table, year)
      rows.describe({ hints, ...(comparisonYears.length > 0 ? { comparisonYears } : {}) })
    }
  }

  /** Vouchers are of the file's own year only: all others stand beside it to be compared with. */
  #comparisonYears(table: LedgerTable, own: string | null): ComparisonYear[] {
    const years = [...(this.#open.get(table)?.years ?? [])].map(([year, { rows }]) => ({ year, rows }))
    return own === null ? [] : years.filter(({ year }) => year !== own)
  }

  #columnsOf(table: LedgerTable): readonly LedgerColumn[] {
    const fixed = LEDGER_COLUMNS[table]
    return table === 'entries' ? [...fixed, ...[...this.#dimensions.keys()].flatMap(dimensionColumns)] : fixed
  }
}
