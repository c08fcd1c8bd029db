import { ActionIcon, Table } from '@mantine/core'
import { IconListSearch } from '@tabler/icons-react'
import type { Cell, QueryResult } from '../../../src/shared/query-result'
import type { CellFormatter } from '../../ui/chart/figure-format'
import classes from './insights.module.css'
import { formatResultCell, withEvenMinorUnits, columnHeader, isNumericResultColumn } from './result-cells'

export interface ResultTableProps {
  result: QueryResult
  format: CellFormatter
  /** What the table holds, for readers of the screen. */
  caption: string
  /** Opens the records behind a row. */
  onPick?: (row: number) => void
}

/** An answer as a table: every figure in full, totals last. */
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
