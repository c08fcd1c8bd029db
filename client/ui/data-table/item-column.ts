import type { ReactNode } from 'react'
import { neutralizeFormula, type CsvCell } from '../../../src/shared/csv-line'
import type { Cell } from '../../../src/shared/query/result'
import { rowsInView, type ColumnKind, type TableView } from '../../../src/shared/query/table-view'
import { MISSING_VALUE } from '../../../src/shared/figures/figures'
import type { DataColumn } from './data-column'

/** A column of a table of things. */
export interface ItemColumn<Item> {
  label: string
  /** Text where absent. */
  kind?: ColumnKind
  /** What it is sorted and filtered by, and what is taken along of figures; of dates a day or an instant. */
  value: (item: Item) => Cell
  /** As it is read: the value itself where absent. */
  text?: (item: Item) => string
  /** Drawn in place of its text. */
  draw?: (item: Item) => ReactNode
  /** What its heading means. */
  hint?: string
  /** Drawn in its heading in place of the label. */
  head?: ReactNode
  /** Its header filters by it. */
  filter?: boolean
}

/** A column of figures: `write` makes a figure's text; where there is none a dash stands. */
export const figureColumn = <Item, Figure extends number | string = number>(
  label: string,
  valueOf: (item: Item) => Figure | null | undefined,
  write: (value: Figure) => string,
): ItemColumn<Item> => ({
  ...{ label, kind: 'number', value: (item) => valueOf(item) ?? null },
  text: (item) => {
    const value = valueOf(item) ?? null
    return value === null ? MISSING_VALUE : write(value)
  },
})

export const shownText = <Item>({ value, text }: ItemColumn<Item>, item: Item): string =>
  text ? text(item) : String(value(item) ?? '')

/** Figures without units and grouping, as spreadsheets of the same locale read them. */
export function copiedText<Item>(column: ItemColumn<Item>, item: Item, decimalMark: string): string {
  // Pasted, a text must not become a formula.
  if (column.kind !== 'number') return neutralizeFormula(shownText(column, item))
  return String(column.value(item) ?? '').replace('.', decimalMark)
}

/** A figure of a file is a number; everything else is as it is shown. */
export function csvCell(value: Cell, text: string, kind: ColumnKind = 'text'): CsvCell {
  if (kind !== 'number' || typeof value === 'boolean') return text
  return typeof value === 'string' ? { decimal: value } : value
}

export const dataColumn = <Item>(
  { label, hint, head, kind = 'text', filter = false }: ItemColumn<Item>,
  at: number,
): DataColumn => ({
  ...{ key: `${at}/${label}`, label, kind },
  ...(hint === undefined ? {} : { hint }),
  ...(head === undefined ? {} : { head }),
  sortable: true,
  filterable: filter,
})

/** The items that are shown, in order. */
export function itemsInView<Item>(
  items: readonly Item[],
  columns: readonly ItemColumn<Item>[],
  view: TableView,
): Item[] {
  const rows = items.map((item) => columns.map(({ value }) => value(item)))
  return rowsInView({ rows, otherRow: null }, view).flatMap((at) => items.slice(at, at + 1))
}
