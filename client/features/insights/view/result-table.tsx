import { ActionIcon, Table } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import type { Cell, QueryResult, ResultColumn } from '../../../../src/shared/query/result'
import { MISSING_VALUE } from '../../../lib/format'
import { toNumber, type CellFormatter } from '../../../lib/cell-formatter'
import { humanizeLabel } from '../../../lib/query-builder/catalogue'
import type { TextTable } from '../../../ui/chart/export-page'
import classes from '../insights.module.css'

const isNumericResultColumn = (column: ResultColumn): boolean =>
  column.kind !== 'dimension' && column.role !== 'id' && (column.type === 'number' || column.type === 'integer')

/** The columns of a table: amounts show minor units in all of its cells, or in none. */
const withEvenMinorUnits = ({ columns, rows, totals }: QueryResult): (ResultColumn & { minor?: boolean })[] =>
  columns.map((column, at) => {
    if (column.format.style !== 'currency') return column
    const cells = [...rows, ...(totals ? [totals] : [])].map((row) => toNumber(row[at] ?? null))
    return { ...column, minor: cells.some((cell) => cell !== null && !Number.isInteger(cell)) }
  })

function formatResultCell(cell: Cell, column: ResultColumn, format: CellFormatter): string {
  if (column.kind === 'changePercent') {
    const share = toNumber(cell)
    return share === null ? MISSING_VALUE : format.percent(share, true)
  }
  if (column.kind === 'change') return cell === null ? MISSING_VALUE : format.signed(cell, column)
  return column.kind === 'dimension' || column.role === 'id' ? format.label(cell, column) : format.full(cell, column)
}

/** A header as a person reads it; the figures of before are called by their period. */
function columnHeader(column: ResultColumn, { period }: QueryResult): string {
  if (column.kind === 'column') return column.label
  if (column.kind === 'previous' && period?.compare)
    return column.label.replace(/, before$/, `, ${period.compare.label}`)
  return humanizeLabel(column.label)
}

export function resultTextTable(result: QueryResult, format: CellFormatter): TextTable {
  const { rows, totals } = result
  const columns = withEvenMinorUnits(result)
  const texts = (row: QueryResult['rows'][number]): string[] =>
    columns.map((column, at) => formatResultCell(row[at] ?? null, column, format))
  const last = totals && rows.length > 1 ? texts(totals).map((text, at) => totalText(text, at, result)) : null
  return {
    head: columns.map((column) => columnHeader(column, result)),
    rows: [
      ...rows.map((row) => ({ cells: texts(row), strong: false })),
      ...(last ? [{ cells: last, strong: true }] : []),
    ],
    figures: columns.map(isNumericResultColumn),
  }
}

const totalText = (text: string, at: number, { columns }: QueryResult): string =>
  columns[at]?.kind === 'dimension' ? (at === 0 ? 'Total' : '') : text

export interface ResultTableProps {
  result: QueryResult
  format: CellFormatter
  caption: string
  onPick?: ((row: number) => void) | undefined
}

export function ResultTable({ result, format, caption, onPick }: ResultTableProps) {
  const { rows, totals } = result
  const columns = withEvenMinorUnits(result)
  return (
    <div className={classes.tableFrame} tabIndex={0} role="region" aria-label={caption}>
      <Table stickyHeader highlightOnHover verticalSpacing={5} aria-rowcount={result.rowCount}>
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) => (
              <Table.Th key={column.key} className={isNumericResultColumn(column) ? 'numeric' : undefined}>
                {columnHeader(column, result)}
              </Table.Th>
            ))}
            {onPick && (
              <Table.Th>
                <span className="only-reader">Rows behind</span>
              </Table.Th>
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, at) => (
            <Table.Tr key={at}>
              {columns.map((column, cell) => (
                <Table.Td key={column.key} className={isNumericResultColumn(column) ? 'numeric' : undefined}>
                  {formatResultCell(row[cell] ?? null, column, format)}
                </Table.Td>
              ))}
              {onPick && <RowRecordsCell onPick={() => onPick(at)} name={rowName(row, result, format)} />}
            </Table.Tr>
          ))}
        </Table.Tbody>
        {totals && rows.length > 1 && (
          <Table.Tfoot>
            <Table.Tr>
              {columns.map((column, at) => (
                <Table.Td key={column.key} className={isNumericResultColumn(column) ? 'numeric' : undefined} fw={600}>
                  {column.kind === 'dimension'
                    ? at === 0
                      ? 'Total'
                      : ''
                    : formatResultCell(totals[at] ?? null, column, format)}
                </Table.Td>
              ))}
              {onPick && <Table.Td />}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </div>
  )
}

const rowName = (row: Cell[], { columns }: QueryResult, format: CellFormatter): string =>
  columns
    .flatMap((column, at) => (column.kind === 'dimension' ? [format.label(row[at] ?? null, column)] : []))
    .join(', ') || 'the whole'

function RowRecordsCell({ onPick, name }: { onPick: () => void; name: string }) {
  return (
    <Table.Td w={44}>
      <ActionIcon variant="subtle" onClick={onPick} aria-label={`Show the rows behind ${name}`}>
        <IconListSearch size={16} aria-hidden />
      </ActionIcon>
    </Table.Td>
  )
}
