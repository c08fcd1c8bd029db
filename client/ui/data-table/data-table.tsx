import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { memo, useEffect, useMemo, useRef, type KeyboardEvent, type MouseEvent, type RefObject } from 'react'
import { useCellSelection, type CellPlace } from './cell-selection'
import { ColumnHeader } from './column-header'
import type { DataTableProps } from './data-column'
import { DataTableBar, copyText } from './data-table-bar'
import classes from './data-table.module.css'
import { useHiddenEdges } from './hidden-edges'

/** Up to here all rows are in the page, so that its search and a printer find them. */
const WHOLE_UP_TO = 100
const ROW_PX = 33
const HEAD_PX = 36
const OVERSCAN = 12
/** A button with an icon; beside drawings a button with words. */
const ACTION_PX = 44
const DRAWN_ACTION_PX = 150

/** Rows on screen only, where there are many. Rows of texts are of one height, so that no place is a guess; others are measured. */
function useRowWindow(frame: RefObject<HTMLDivElement | null>, { loaded, rowCount, drawCell, rowKey }: DataTableProps) {
  const isWhole = rowCount <= WHOLE_UP_TO && loaded <= WHOLE_UP_TO
  const rows = useVirtualizer({
    count: loaded,
    enabled: !isWhole,
    getScrollElement: () => frame.current,
    estimateSize: () => ROW_PX,
    overscan: OVERSCAN,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: ROW_PX,
    // What was measured belongs to a thing, wherever it stands.
    ...(rowKey ? { getItemKey: rowKey } : {}),
  })
  const items = rows.getVirtualItems()
  const first = items[0]
  const last = items.at(-1)
  const measure = drawCell && !isWhole ? rows.measureElement : undefined
  if (isWhole) return { isWhole, rows, measure, seenTo: loaded, from: 0, to: loaded, above: 0, below: 0 }
  return {
    ...{ isWhole, rows, measure, seenTo: (rows.range?.endIndex ?? -1) + 1 },
    ...{ from: first?.index ?? 0, to: (last?.index ?? -1) + 1 },
    above: first ? first.start - HEAD_PX : 0,
    below: last ? rows.getTotalSize() - (last.end - HEAD_PX) : 0,
  }
}

/** Puts the focus into a cell, which may have to be scrolled into the page first. */
function useFocusCell(
  frame: RefObject<HTMLDivElement | null>,
  rows: Virtualizer<HTMLDivElement, Element>,
  whole: boolean,
) {
  return ({ row, column }: CellPlace): void => {
    if (!whole) rows.scrollToIndex(row)
    const focus = (): void => frame.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`)?.focus()
    // Once for a cell that is in the page, once more when a scroll brought it there.
    focus()
    if (!whole) requestAnimationFrame(() => requestAnimationFrame(focus))
  }
}

/** Shown where a column of many rows cannot be measured: about as wide as its longest text among the first rows. */
const WIDTH_SAMPLE_ROWS = 200
type MeasuredTexts = Pick<DataTableProps, 'columns' | 'cellText' | 'loaded' | 'totals'>
function columnWidths({ columns, cellText, loaded, totals }: MeasuredTexts): string[] {
  return columns.map(({ label, filterable }, column) => {
    const sample = Math.min(loaded, WIDTH_SAMPLE_ROWS)
    const lengths = Array.from({ length: sample }, (_, row) => cellText(row, column).length)
    const longest = Math.max(...lengths, totals?.[column]?.length ?? 0, label.length + (filterable ? 5 : 3), 6)
    return `${Math.min(longest, 38) + 3.5}ch`
  })
}

/**
 * The table of the product: it sorts by its headers, filters by column, scrolls through every row under a header and a
 * first column that stay, and copies and exports what it shows. Owners say what the view means; see `ResultTable`.
 */
export function DataTable(props: DataTableProps) {
  const { caption, columns, loaded, rowCount, copiedText, onNeedRows, totals, rowKey } = props
  const frame = useRef<HTMLDivElement>(null)
  const window = useRowWindow(frame, props)
  const { edges, onScroll } = useHiddenEdges(frame)
  const focusCell = useFocusCell(frame, window.rows, window.isWhole)
  const selection = useCellSelection({
    rowCount: loaded,
    columnCount: columns.length,
    onCopy: (range) => void copyText(copiedText, range),
    onMove: focusCell,
  })
  const { view } = props
  // Another order or another choice of rows is looked at from its beginning.
  useEffect(() => {
    if (frame.current) frame.current.scrollTop = 0
  }, [view])
  // Of a few rows that fill their frame no more are asked for until somebody scrolls.
  const isNearEnd = loaded < rowCount && window.seenTo >= loaded - Math.min(2 * OVERSCAN, Math.floor(loaded / 4))
  useEffect(() => {
    if (isNearEnd) onNeedRows?.()
  }, [isNearEnd, loaded, onNeedRows])
  return (
    <div className={classes.own}>
      <DataTableBar
        {...props}
        selected={selection.isMany ? selection.range : null}
        isWide={edges.left || edges.right}
      />
      <div className={classes.box} data-more-left={edges.left || undefined} data-more-right={edges.right || undefined}>
        <div ref={frame} className={classes.frame} onScroll={onScroll} tabIndex={0} role="group" aria-label={caption}>
          <table
            className={`${classes.table} ${window.isWhole ? '' : classes.fixed} ${props.drawCell ? classes.drawn : ''}`}
            role="grid"
            aria-label={caption}
            aria-multiselectable
            aria-rowcount={rowCount + 1 + (totals ? 1 : 0)}
          >
            {!window.isWhole && <ColumnWidths {...props} />}
            <TableHead columns={columns} view={view} onView={props.onView} action={props.action?.label} />
            <tbody {...selection.handlers}>
              <Spacer height={window.above} />
              {Array.from({ length: window.to - window.from }, (_, at) => window.from + at).map((row) => (
                <DataRow
                  key={rowKey?.(row) ?? row}
                  row={row}
                  table={props}
                  selection={selection}
                  measure={window.measure}
                />
              ))}
              <Spacer height={window.below} />
            </tbody>
            {totals && <TotalsRow {...props} totals={totals} />}
          </table>
          {loaded === 0 && (
            <div className={classes.none}>{view.filters.length > 0 ? 'No rows match the filters' : 'No rows'}</div>
          )}
        </div>
      </div>
    </div>
  )
}

const Spacer = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr className={classes.spacer} aria-hidden style={{ height }}>
      <td />
    </tr>
  ) : null

function ColumnWidths(props: DataTableProps) {
  const { columns, cellText, loaded, totals } = props
  // Scrolling changes nothing of them.
  const widths = useMemo(
    () => columnWidths({ columns, cellText, loaded, totals: totals ?? null }),
    [columns, cellText, loaded, totals],
  )
  return (
    <colgroup>
      {widths.map((width, at) => (
        <col key={columns[at]?.key} style={{ width }} />
      ))}
      {props.action && <col style={{ width: props.drawCell ? DRAWN_ACTION_PX : ACTION_PX }} />}
    </colgroup>
  )
}

interface TableHeadProps extends Pick<DataTableProps, 'columns' | 'view' | 'onView'> {
  action: string | undefined
}

/** Other rows under the same columns leave it as it is: each filter has a popover of its own. */
const TableHead = memo(function TableHead({ columns, view, onView, action }: TableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column, at) => (
          <ColumnHeader key={column.key} column={column} at={at} view={view} onView={onView} />
        ))}
        {action !== undefined && (
          <th scope="col" className={classes.action}>
            <span className="only-reader">{action}</span>
          </th>
        )}
      </tr>
    </thead>
  )
})

interface DataRowProps {
  row: number
  table: DataTableProps
  selection: ReturnType<typeof useCellSelection>
  /** Takes the height of a row that may be higher than others. */
  measure: ((row: HTMLTableRowElement | null) => void) | undefined
}

function pickProps({ onPickRow, onMenuRow, isPicked }: DataTableProps, row: number) {
  if (!onPickRow) return {}
  return {
    'data-pickable': true,
    'data-picked': isPicked?.(row) || undefined,
    onClick: () => onPickRow(row),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter' && !event.shiftKey) onPickRow(row)
    },
    ...(onMenuRow
      ? {
          onContextMenu: (event: MouseEvent) => {
            event.preventDefault()
            onMenuRow(row)
          },
        }
      : {}),
  }
}

function DataRow({ row, table, selection, measure }: DataRowProps) {
  const { columns, cellText, drawCell, hasRowNames = false, action } = table
  const { tabStop } = selection
  return (
    <tr aria-rowindex={row + 2} data-index={row} ref={measure} {...pickProps(table, row)}>
      {columns.map(({ key, kind }, column) => {
        const text = cellText(row, column)
        const selected = selection.isSelected({ row, column })
        const isName = hasRowNames && column === 0
        const Cell = isName ? 'th' : 'td'
        return (
          <Cell
            key={key}
            scope={isName ? 'row' : undefined}
            data-cell={`${row}:${column}`}
            tabIndex={row === tabStop.row && column === tabStop.column ? 0 : -1}
            aria-selected={selected}
            title={!drawCell && text.length > 30 ? text : undefined}
            className={`${kind === 'number' ? classes.numeric : ''} ${selected ? classes.selected : ''}`}
          >
            {drawCell ? drawCell(row, column) : text}
          </Cell>
        )
      })}
      {action && <td className={classes.action}>{action.cell(row)}</td>}
    </tr>
  )
}

function TotalsRow({ columns, totals, action, rowCount }: DataTableProps & { totals: readonly string[] }) {
  return (
    <tfoot>
      <tr aria-rowindex={rowCount + 2}>
        {columns.map(({ key, kind }, at) => (
          <td key={key} className={kind === 'number' ? classes.numeric : undefined}>
            {totals[at]}
          </td>
        ))}
        {action && <td />}
      </tr>
    </tfoot>
  )
}
