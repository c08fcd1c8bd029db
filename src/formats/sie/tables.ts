import { DATASET_MAX_COLUMNS } from '../../shared/limits'
import type { LedgerTable } from '../../shared/files'
import type { TableRowWriter, TableSink } from '../contract'
import { tooManyColumnsError } from '../csv-faults'
import { LEDGER_COLUMNS, dimensionColumns, columnHints } from './columns'
import type { LedgerColumn } from './columns'
import type { SieAmount } from './values'

/** Dimensions that every ledger's entries have columns for, so that files of several years have the same ones. */
const DEFAULT_DIMENSIONS = ['1', '6']

/** Dimensions are numbers; a column's name bounds whatever else stands there. */
const DIMENSION_MAX_CHARS = 40

/** Writes the ledger's tables; one that gets no row is never opened. */
export class LedgerTableWriter {
  readonly #sink: TableSink
  readonly #open = new Map<LedgerTable, TableRowWriter>()
  readonly #decimals = new Map<LedgerTable, Record<'amount' | 'quantity', number>>()
  /** Place of each dimension among those of the entries. */
  readonly #dimensions = new Map(DEFAULT_DIMENSIONS.map((dimension, at) => [dimension, at]))

  constructor(sink: TableSink) {
    this.#sink = sink
  }

  add(table: LedgerTable, cells: readonly (string | null)[], line: number): void {
    let rows = this.#open.get(table)
    if (!rows) {
      rows = this.#sink.table({ name: table, ledger: table })
      this.#open.set(table, rows)
    }
    rows.add(cells, line)
  }

  /** Counts decimals of a figure and gives its text. */
  trackedNumber(table: LedgerTable, kind: 'amount' | 'quantity', value: SieAmount | null): string | null {
    if (value === null) return null
    const seen = this.#decimals.get(table) ?? { amount: 0, quantity: 0 }
    seen[kind] = Math.max(seen[kind], value.decimals)
    this.#decimals.set(table, seen)
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

  /** All rows are written: says what the columns are. */
  finish(currency: string): void {
    for (const [table, rows] of this.#open) {
      const decimals = this.#decimals.get(table) ?? { amount: 0, quantity: 0 }
      rows.describe({ hints: columnHints(this.#columnsOf(table), { currency, decimals }) })
    }
  }

  #columnsOf(table: LedgerTable): readonly LedgerColumn[] {
    const fixed = LEDGER_COLUMNS[table]
    return table === 'entries' ? [...fixed, ...[...this.#dimensions.keys()].flatMap(dimensionColumns)] : fixed
  }
}
