import { Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconDownload, IconFilterOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useFormat } from '../../lib/format'
import { MutedText } from '../muted-text'
import { notifyError } from '../notify-error'
import { toTsv, type CellRange } from './cell-selection'
import type { DataTableProps, TableExport } from './data-column'
import classes from './data-table.module.css'

/** Puts a part of a table on the clipboard. */
export async function copyText(
  textOf: DataTableProps['copiedText'],
  { from, to }: CellRange,
  head: readonly string[] = [],
): Promise<void> {
  const rows = Array.from({ length: to.row - from.row + 1 }, (_, row) =>
    Array.from({ length: to.column - from.column + 1 }, (_cell, column) =>
      textOf(from.row + row, from.column + column),
    ),
  )
  try {
    await navigator.clipboard.writeText(toTsv(head.length > 0 ? [head, ...rows] : rows))
    notifications.show({ message: rows.length === 1 ? 'Row copied' : `${rows.length} rows copied` })
  } catch (error) {
    notifyError(error)
  }
}

type BarProps = Pick<
  DataTableProps,
  'columns' | 'loaded' | 'rowCount' | 'allRows' | 'copiedText' | 'view' | 'onView' | 'exportAs'
> & {
  /** Cells that are selected; null where it is one or none. */
  selected: CellRange | null
}

/** How many rows there are, and what can be done with them. */
export function DataTableBar(props: BarProps) {
  const { view, onView, loaded, rowCount, columns, copiedText, selected, exportAs } = props
  const copyAll = (): void => {
    const whole = { from: { row: 0, column: 0 }, to: { row: loaded - 1, column: columns.length - 1 } }
    const range = selected ?? whole
    const head = selected ? [] : columns.map(({ label }) => label)
    void copyText(copiedText, range, head)
  }
  return (
    <Group className={classes.bar} justify="space-between" gap="xs" mb={6}>
      <RowCount {...props} />
      <Group gap={4}>
        {view.filters.length > 0 && (
          <Button
            {...{ variant: 'subtle', size: 'compact-sm' }}
            leftSection={<IconFilterOff size={14} aria-hidden />}
            onClick={() => onView({ ...view, filters: [] })}
          >
            Clear filters
          </Button>
        )}
        <Button
          {...{ variant: 'subtle', size: 'compact-sm' }}
          leftSection={<IconCopy size={14} aria-hidden />}
          disabled={loaded === 0}
          onClick={copyAll}
        >
          {copyLabel(selected !== null, loaded < rowCount)}
        </Button>
        {exportAs && <ExportButton exportAs={exportAs} disabled={rowCount === 0} />}
      </Group>
    </Group>
  )
}

function copyLabel(selection: boolean, partly: boolean): string {
  if (selection) return 'Copy cells'
  return partly ? 'Copy loaded rows' : 'Copy table'
}

function RowCount({ rowCount, allRows, view }: BarProps) {
  const format = useFormat()
  const filtered = view.filters.length > 0 && allRows !== undefined
  const count = filtered ? `${format.count(rowCount)} of ${format.count(allRows)}` : format.count(rowCount)
  return (
    <MutedText role="status">
      {count} {(filtered ? allRows : rowCount) === 1 ? 'row' : 'rows'}
    </MutedText>
  )
}

function ExportButton({ exportAs, disabled }: { exportAs: TableExport; disabled: boolean }) {
  const [busy, setBusy] = useState(false)
  const run = async (format: 'csv' | 'xlsx'): Promise<void> => {
    setBusy(true)
    try {
      await exportAs(format)
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          {...{ variant: 'subtle', size: 'compact-sm', loading: busy, disabled }}
          leftSection={<IconDownload size={14} aria-hidden />}
        >
          Export table
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void run('xlsx')}>Excel (XLSX)</Menu.Item>
        <Menu.Item onClick={() => void run('csv')}>CSV</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
