import { Button, Group, Text, Tooltip } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useState } from 'react'
import classes from './import-preview.module.css'
import { isBad } from './cell-reading'
import type { ColumnEdit } from './column-edits'
import { ColumnMenu } from './column-menu'
import { useCurrencyColumns } from './currency-proposal'
import { TYPE_WORDS } from './format-words'
import { cellText, isRightAligned } from './grid-cells'
import { useFormat } from '../../lib/format'
import type { FileColumn, PreviewCell } from '../../../src/shared/files'

/** Columns drawn at once: 500 menus and 50 000 cells would make every click wait. */
const PAGE_COLUMNS = 30

export interface PreviewGridProps {
  columns: readonly FileColumn[]
  cells: readonly (readonly PreviewCell[])[]
  /** Unreadable cells of each column among these rows. */
  bad: readonly number[]
  onEdit: (at: number, edit: ColumnEdit) => void
  onReset: (at: number) => (() => void) | undefined
}

/** The first rows as they will be loaded, each column with its menu. */
export function PreviewGrid({ columns, cells, bad, onEdit, onReset }: PreviewGridProps) {
  const [page, setPage] = useState(0)
  const currencies = useCurrencyColumns(columns)
  const pages = Math.ceil(columns.length / PAGE_COLUMNS)
  const first = Math.min(page, Math.max(0, pages - 1)) * PAGE_COLUMNS
  const shown = columns.slice(first, first + PAGE_COLUMNS).map((column, at) => ({ column, at: first + at }))
  return (
    <>
      {pages > 1 && <ColumnPages {...{ first, count: columns.length, onPage: setPage }} />}
      <section className={classes.scroller} aria-label="First rows of the file" tabIndex={0}>
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
                    currencies={currencies}
                    bad={bad[at] ?? 0}
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
              <Row key={at} number={at + 1} cells={row} columns={shown} />
            ))}
          </tbody>
        </table>
      </section>
    </>
  )
}

interface RowProps {
  number: number
  cells: readonly PreviewCell[]
  columns: { column: FileColumn; at: number }[]
}

function Row({ number, cells, columns }: RowProps) {
  return (
    <tr>
      <th scope="row" className={classes.line}>
        {number}
      </th>
      {columns.map(({ column, at }) => (
        <Cell key={column.index} cell={cells[at]} column={column} />
      ))}
    </tr>
  )
}

function Cell({ cell, column }: { cell: PreviewCell | undefined; column: FileColumn }) {
  const format = useFormat()
  const text = cellText(cell, column, format)
  const align = isRightAligned(column) ? classes.number : ''
  if (!column.include) return <td className={`${align} ${classes.left}`}>{text}</td>
  if (isBad(cell))
    return (
      <td className={`${align} ${classes.bad}`}>
        <Tooltip label={`Cannot be read as ${TYPE_WORDS[column.type].toLowerCase()}. Its row will be rejected.`}>
          <span className={classes.badCell} tabIndex={0}>
            <IconAlertTriangle size={13} aria-label="Unreadable" /> {text}
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

function ColumnPages({ first, count, onPage }: { first: number; count: number; onPage: (page: number) => void }) {
  const format = useFormat()
  const page = first / PAGE_COLUMNS
  const last = Math.min(first + PAGE_COLUMNS, count)
  return (
    <Group gap="xs" justify="flex-end">
      <Text size="sm" c="dimmed" role="status">
        Columns {format.count(first + 1)}–{format.count(last)} of {format.count(count)}
      </Text>
      <Button size="xs" variant="default" disabled={first === 0} onClick={() => onPage(page - 1)}>
        Earlier columns
      </Button>
      <Button size="xs" variant="default" disabled={last === count} onClick={() => onPage(page + 1)}>
        More columns
      </Button>
    </Group>
  )
}
