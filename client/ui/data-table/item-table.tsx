import { useState, type ReactNode } from 'react'
import type { Cell } from '../../../src/shared/query/result'
import { PLAIN_VIEW, type TableView } from '../../../src/shared/query/table-view'
import { useFormat } from '../../lib/format'
import { useCsvDownload } from './use-csv-download'
import { ShowMore } from '../buttons/show-more'
import { DataTable } from './data-table'
import { copiedText, csvCell, dataColumn, itemsInView, shownText, type ItemColumn } from './item-column'
import { useRestOfList, type PagedItems } from './paged-items'

export interface ItemTableProps<Item> {
  caption: string
  items: readonly Item[]
  /** What tells one item from all others. */
  itemKey: (item: Item) => string
  columns: readonly ItemColumn<Item>[]
  /** Below the rows, by column, as long as all of them are shown. */
  totals?: readonly { value: Cell; text: string }[]
  /** The last cell of every row. */
  action?: { label: string; cell: (item: Item) => ReactNode }
  /** Where the server sends the items in pages. */
  paged?: PagedItems<Item>
  /** What its button for more says. */
  moreLabel?: string
  /** False where a file of it would be taken for more than it is. */
  canExport?: boolean
}

/**
 * A table of things that the page has: versions, invoices, periods of a forecast. Of a list that comes in pages the rest
 * is read before it is sorted, filtered or exported: an order of some of them would be taken for that of all.
 */
export function ItemTable<Item>(props: ItemTableProps<Item>) {
  const { caption, items, itemKey, columns, totals, action, paged, moreLabel } = props
  const [view, setView] = useState(PLAIN_VIEW)
  const isLoadingRest = useRestOfList(paged, view.sort !== null || view.filters.length > 0)
  const { marks } = useFormat()
  const shown = itemsInView(items, columns, view)
  const exportAs = useItemExport(props, view)
  const at = <Result,>(
    row: number,
    column: number,
    read: (of: ItemColumn<Item>, item: Item) => Result,
  ): Result | '' => {
    const [of, item] = [columns[column], shown[row]]
    return of === undefined || item === undefined ? '' : read(of, item)
  }
  const keyOf = (row: number): string => {
    const item = shown[row]
    return item === undefined ? String(row) : itemKey(item)
  }
  const isPartial = paged?.hasNextPage ?? false
  return (
    <div aria-busy={isLoadingRest}>
      <DataTable
        {...{ caption, view, exportAs, isPartial }}
        hasRowNames
        onView={setView}
        columns={columns.map(dataColumn)}
        loaded={shown.length}
        rowCount={shown.length}
        allRows={items.length}
        rowKey={keyOf}
        cellText={(row, column) => at(row, column, shownText)}
        copiedText={(row, column) => at(row, column, (of, item) => copiedText(of, item, marks.decimal))}
        {...(columns.some(({ draw }) => draw)
          ? { drawCell: (row, column) => at(row, column, (of, item) => of.draw?.(item) ?? shownText(of, item)) }
          : {})}
        totals={totals && view.filters.length === 0 ? totals.map(({ text }) => text) : null}
        exportFormats={['csv']}
        {...(action
          ? { action: { label: action.label, cell: (row) => at(row, 0, (_, item) => action.cell(item)) } }
          : {})}
      />
      {paged && !isLoadingRest && <ShowMore query={paged} mt="sm" {...(moreLabel ? { label: moreLabel } : {})} />}
    </div>
  )
}

/** Writes what a table shows into a file; nothing where somebody may not take data along. */
function useItemExport<Item>(
  { caption, items, columns, paged, totals, canExport = true }: ItemTableProps<Item>,
  view: TableView,
) {
  const save = useCsvDownload(caption)
  if (!save || !canExport) return undefined
  return async (): Promise<void> => {
    const all = paged ? await paged.readAll() : items
    const last = view.filters.length === 0 && totals ? [totals] : []
    save([
      columns.map(({ label }) => label),
      ...itemsInView(all, columns, view).map((item) =>
        columns.map((column) => csvCell(column.value(item), shownText(column, item), column.kind)),
      ),
      ...last.map((line) => line.map(({ value, text }, at) => csvCell(value, text, columns[at]?.kind))),
    ])
  }
}
