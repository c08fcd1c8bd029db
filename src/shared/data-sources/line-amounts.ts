import type { Column } from './data-sources'
import { dateFieldOf, type RelatedTable } from './date-fields'
import {
  additiveMeasureColumns,
  isEarnedAmount,
  lineAmountColumns,
  quantityColumn,
  unitPriceColumns,
  type JoinColumns,
} from './key-columns'
import type { Expr } from '../query/expression'
import type { Field } from '../query/field'

/** What rows that name no amount come to: how many pieces, times what one costs. */
export interface LineAmount {
  /** By what it multiplies: whether it is sold or bought, the columns do not say. */
  label: string
  quantity: Field
  price: Field
  row: Expr
}

interface LineTable {
  id: string
  columns: readonly Column[]
  joins: JoinColumns
  /** Tables that its rows point at, nearest first. */
  related: readonly (readonly RelatedTable[])[]
}

/** The amount of lines by their own price, else by the price of what they are lines of. */
export function lineAmountOf(table: LineTable): LineAmount | null {
  const own = lineAmountColumns(table.columns, table.joins)
  if (own) return lineAmount(table, own.quantity, { column: own.price, field: ownField(table, own.price) })
  const quantity = quantityColumn(table.columns, table.joins)
  const price = quantity && relatedPrice(table)
  return quantity && price ? lineAmount(table, quantity, price) : null
}

const ownField = ({ id }: Pick<LineTable, 'id'>, { key }: Column): Field => ({ dataset: id, column: key })

function lineAmount(
  table: LineTable,
  quantity: Column,
  { column, field: price }: { column: Column; field: Field },
): LineAmount {
  const pieces = ownField(table, quantity)
  const row: Expr = {
    ...{ kind: 'binary', op: 'multiply' },
    left: { kind: 'field', field: pieces },
    right: { kind: 'field', field: price },
  }
  return { label: `${quantity.label} × ${column.label}`, quantity: pieces, price, row }
}

/**
 * The price of the nearest thing that the rows point at, the only one that has one. None for lines with a price of their
 * own, for lines of documents that say what they come to, and for what never happened on any day, as a stock.
 */
function relatedPrice({ id, columns, joins, related }: LineTable): { column: Column; field: Field } | null {
  const dated = dateFieldOf({ id, columns }, related)
  if (!dated || unitPriceColumns(columns).length > 0 || hasAmount(columns, joins)) return null
  const things = related.map((level) => level.filter((table) => table.id !== dated.field.dataset))
  const documents = related.flat().filter((table) => table.id === dated.field.dataset)
  if (documents.some((document) => hasAmount(document.columns))) return null
  for (const level of things) {
    const priced = level.flatMap((table) => {
      const [column] = unitPriceColumns(table.columns)
      return column ? [{ table, column }] : []
    })
    const [only, ...others] = priced
    if (!only) continue
    // Along one of several ways the price is one of several.
    if (others.length > 0 || only.table.via.length > 0) return null
    return { column: only.column, field: { dataset: only.table.id, column: only.column.key } }
  }
  return null
}

const hasAmount = (columns: readonly Column[], joins?: JoinColumns): boolean =>
  additiveMeasureColumns(columns, joins).some(isEarnedAmount)
