import { Button, Group, Text, Tooltip } from '@mantine/core'
import { COLUMN_TYPE_LABELS } from '../../../../src/shared/data-sources/files'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import classes from '../preview-grid.module.css'
import { isInvalidCell, formatCell, isRightAligned } from './cell-parsing'
import type { FileColumnEdit } from '../columns/file-column-edits'
import { ColumnMenu } from '../columns/column-menu'
import { useCurrencyColumns } from '../columns/currency-suggestion'
import { useFormat } from '../../../lib/format'
import type { FileColumn, PreviewCell } from '../../../../src/shared/data-sources/files'

/** Columns drawn at once: 500 menus and 50 000 cells would make every click wait. */
const COLUMNS_PER_PAGE = 30

export interface PreviewGridProps {
  columns: readonly FileColumn[]
  cells: readonly (readonly PreviewCell[])[]
  /** Unreadable cells of each column among these rows. */
  invalidCounts: readonly number[]
  onEdit: (at: number, edit: FileColumnEdit) => void
  onReset: (at: number) => (() => void) | undefined
}

/** The first rows as they will be loaded, each column with its menu. */
export function PreviewGrid({ columns, cells, invalidCounts, onEdit, onReset }: PreviewGridProps) {
  const [page, setPage] = useState(0)
  const currencies = useCurrencyColumns(columns)
  const pages = Math.ceil(columns.length / COLUMNS_PER_PAGE)
  const first = Math.min(page, Math.max(0, pages - 1)) * COLUMNS_PER_PAGE
  const shown = columns.slice(first, first + COLUMNS_PER_PAGE).map((column, at) => ({ column, at: first + at }))
  return (
    <>
      {pages > 1 && <ColumnPager {...{ first, count: columns.length, onPage: setPage }} />}
      <section className={classes.scroller} aria-label="File preview" tabIndex={0}>
        <table className={classes.grid} aria-rowcount={cells.length + 1} aria-colcount={columns.length + 1}>
          <thead>
            <tr>
              <th className={classes.line} scope="col">
                Row
              </th>
              {shown.map(({ column, at }) => (
                <th key={column.index} scope="col" className={isRightAligned(column) ? classes.number : undefined}>
                  <ColumnMenu
                    column={column}
                    currencyColumns={currencies}
                    invalidCount={invalidCounts[at] ?? 0}
                    onEdit={(edit) => onEdit(at, edit)}
                    onReset={onReset(at)}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cells.map((row, at) => (
              // Rows of a file have no identity but their place.
              <PreviewRow key={at} number={at + 1} cells={row} columns={shown} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface PreviewRowProps {
  number: number
  cells: readonly PreviewCell[]
  columns: { column: FileColumn; at: number }[]
}

function PreviewRow({ number, cells, columns }: PreviewRowProps) {
  return (
    <tr>
      <th scope="row" className={classes.line}>
        {number}
      </th>
      {columns.map(({ column, at }) => (
        <PreviewGridCell key={column.index} cell={cells[at]} column={column} />
      ))}
    </tr>
  )
}

function PreviewGridCell({ cell, column }: { cell: PreviewCell | undefined; column: FileColumn }) {
  const format = useFormat()
  const text = formatCell(cell, column, format)
  const align = isRightAligned(column) ? classes.number : ''
  if (!column.include) return <td className={`${align} ${classes.left}`}>{text}</td>
  if (isInvalidCell(cell))
    return (
      <td className={`${align} ${classes.bad}`}>
        <Tooltip label={`Not a valid ${COLUMN_TYPE_LABELS[column.type].toLowerCase()}. Row will be skipped.`}>
          <span className={classes.badCell} tabIndex={0}>
            <IconAlertTriangle size={13} aria-label="Invalid" /> {text}
          </span>
        </Tooltip>
      </td>
    )
  if (text === '') return <td className={`${align} ${classes.empty}`}>–</td>
  return (
    <td className={align} title={text.length > 30 ? text : undefined}>
      {text}
    </td>
  )
}

function ColumnPager({ first, count, onPage }: { first: number; count: number; onPage: (page: number) => void }) {
  const format = useFormat()
  const page = first / COLUMNS_PER_PAGE
  const last = Math.min(first + COLUMNS_PER_PAGE, count)
  return (
    <Group gap="xs" justify="flex-end">
      <Text size="sm" c="dimmed" role="status">
        Columns {format.count(first + 1)}–{format.count(last)} of {format.count(count)}
      </Text>
      <Button size="xs" variant="default" disabled={first === 0} onClick={() => onPage(page - 1)}>
        Previous columns
      </Button>
      <Button size="xs" variant="default" disabled={last === count} onClick={() => onPage(page + 1)}>
        Next columns
      </Button>
    </Group>
  )
}
