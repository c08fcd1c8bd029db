import { Tooltip } from '@mantine/core'
import { COLUMN_TYPE_LABELS } from '../../../../src/shared/data-sources/files'
import { IconAlertTriangle } from '@tabler/icons-react'
import classes from '../preview-grid.module.css'
import { useColumnPages } from '../column-pages'
import { isInvalidCell, formatCell, isRightAligned } from './cell-parsing'
import type { FileColumnEdit } from '../columns/file-column-edits'
import { ColumnMenu } from '../columns/column-menu'
import { useCurrencyColumns } from '../columns/currency-suggestion'
import { useFormat } from '../../../lib/format'
import type { ItemColumn } from '../../../ui/data-table/item-column'
import { ItemTable } from '../../../ui/data-table/item-table'
import type { Cell } from '../../../../src/shared/query/result'
import type { ColumnKind } from '../../../../src/shared/query/table-view'
import type { FileColumn, PreviewCell } from '../../../../src/shared/data-sources/files'

export interface PreviewGridProps {
  columns: readonly FileColumn[]
  cells: readonly (readonly PreviewCell[])[]
  /** Unreadable cells of each column among these rows. */
  invalidCounts: readonly number[]
  onEdit: (at: number, edit: FileColumnEdit) => void
  onReset: (at: number) => (() => void) | undefined
}

interface PreviewRow {
  /** From 1, as in the file. */
  number: number
  cells: readonly PreviewCell[]
}

/** The first rows as they will be loaded, each column with its menu. */
export function PreviewGrid({ columns, cells, invalidCounts, onEdit, onReset }: PreviewGridProps) {
  const format = useFormat()
  const { first, end, pager } = useColumnPages(columns.length)
  const currencies = useCurrencyColumns(columns)
  const shown = columns.slice(first, end).map((column, at) => ({ column, at: first + at }))
  const fileColumns = shown.map(({ column, at }): ItemColumn<PreviewRow> => ({
    ...{ label: column.label, kind: previewKind(column), filter: true },
    head: (
      <ColumnMenu
        column={column}
        currencyColumns={currencies}
        invalidCount={invalidCounts[at] ?? 0}
        onEdit={(edit) => onEdit(at, edit)}
        onReset={onReset(at)}
      />
    ),
    value: ({ cells: row }) => plainValue(row[at]),
    text: ({ cells: row }) => formatCell(row[at], column, format),
    draw: ({ cells: row }) => <PreviewGridCell cell={row[at]} column={column} />,
  }))
  return (
    <div className={classes.preview}>
      {pager}
      <ItemTable
        // Filters are of columns: with other columns they begin again.
        key={first}
        caption="File preview"
        items={cells.map((row, at): PreviewRow => ({ number: at + 1, cells: row }))}
        itemKey={({ number }) => String(number)}
        columns={[{ label: 'Row', kind: 'number', value: ({ number }) => number }, ...fileColumns]}
        canExport={false}
      />
    </div>
  )
}

/** As what a column of the file is sorted and filtered. */
function previewKind(column: FileColumn): ColumnKind {
  if (column.type === 'boolean') return 'boolean'
  if (column.type === 'date' || column.type === 'datetime') return 'date'
  return isRightAligned(column) ? 'number' : 'text'
}

const plainValue = (cell: PreviewCell | undefined): Cell => (isInvalidCell(cell) ? cell.bad : (cell ?? null))

function PreviewGridCell({ cell, column }: { cell: PreviewCell | undefined; column: FileColumn }) {
  const format = useFormat()
  const text = formatCell(cell, column, format)
  if (!column.include) return <span className={classes.left}>{text}</span>
  if (isInvalidCell(cell))
    return (
      <Tooltip label={`Not a valid ${COLUMN_TYPE_LABELS[column.type].toLowerCase()}. Row will be skipped.`}>
        <span className={classes.badCell} tabIndex={0}>
          <IconAlertTriangle size={13} aria-label="Invalid" /> {text}
        </span>
      </Tooltip>
    )
  if (text === '') return <span className={classes.empty}>–</span>
  return <span title={text.length > 30 ? text : undefined}>{text}</span>
}
