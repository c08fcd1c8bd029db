import { Button, Group, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconDownload, IconFilterOff } from '@tabler/icons-react'
import { memo, useState, type ReactNode } from 'react'
import { useFormat } from '../../lib/format'
import { MutedText } from '../muted-text'
import { notifyError } from '../notify-error'
import { neutralizeFormula } from '../../../src/shared/csv-line'
import { toTsv, type CellRange } from './cell-selection'
import type { DataTableProps, TableExport, TableFileFormat } from './data-column'
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
  | 'columns'
  | 'loaded'
  | 'rowCount'
  | 'allRows'
  | 'isPartial'
  | 'hasOther'
  | 'copiedText'
  | 'view'
  | 'onView'
  | 'exportAs'
  | 'exportFormats'
> & {
  /** Wider than its frame. */
  isWide: boolean
  /** Further buttons. */
  children?: ReactNode
  /** Cells that are selected; null where it is one or none. */
  selected: CellRange | null
}

/** How many rows there are, and what can be done with them. */
export function DataTableBar(props: BarProps) {
  const { view, onView, loaded, rowCount, isPartial = false, columns, copiedText, selected, exportAs } = props
  const copyAll = (): void => {
    const whole = { from: { row: 0, column: 0 }, to: { row: loaded - 1, column: columns.length - 1 } }
    const range = selected ?? whole
    const head = selected ? [] : columns.map(({ label }) => neutralizeFormula(label))
    void copyText(copiedText, range, head)
  }
  return (
    <Group className={classes.bar} justify="space-between" gap="xs" mb={6}>
      <RowCount {...props} />
      <Group gap={4}>
        {props.children}
        {view.filters.length > 0 && (
          <BarButton icon={<IconFilterOff size={14} aria-hidden />} onClick={() => onView({ ...view, filters: [] })}>
            Clear filters
          </BarButton>
        )}
        <BarButton icon={<IconCopy size={14} aria-hidden />} disabled={loaded === 0} onClick={copyAll}>
          {copyLabel(selected !== null, isPartial || loaded < rowCount)}
        </BarButton>
        {exportAs && (
          <ExportButton exportAs={exportAs} formats={props.exportFormats ?? ALL_FORMATS} disabled={rowCount === 0} />
        )}
      </Group>
    </Group>
  )
}

function copyLabel(selection: boolean, partly: boolean): string {
  if (selection) return 'Copy cells'
  return partly ? 'Copy loaded rows' : 'Copy table'
}

interface BarButtonProps {
  icon: ReactNode
  children: string
  disabled?: boolean
  loading?: boolean
  onClick?: () => void
}

/** Words beside their icon; in a narrow window the icon alone. */
const BarButton = ({ icon, children, ...button }: BarButtonProps) => (
  <Button variant="subtle" size="compact-sm" className={classes.barButton} aria-label={children} {...button}>
    <span className={classes.barIcon}>{icon}</span>
    <span className={classes.barWords}>{children}</span>
  </Button>
)

function RowCount({ rowCount: rows, allRows, view, isPartial = false, hasOther = false, isWide }: BarProps) {
  const format = useFormat()
  const rowCount = hasOther ? rows - 1 : rows
  const filtered = view.filters.length > 0 && allRows !== undefined
  const count = filtered ? `${format.count(rowCount)} of ${format.count(allRows)}` : format.count(rowCount)
  return (
    <Group gap={0} className={classes.count}>
      <MutedText role="status">
        {isPartial && 'First '}
        {count} {(filtered ? allRows : rowCount) === 1 ? 'row' : 'rows'}
        {hasOther && ' and Other'}
      </MutedText>
      {isWide && <MutedText>, scrolls sideways</MutedText>}
    </Group>
  )
}

const ALL_FORMATS: readonly TableFileFormat[] = ['xlsx', 'csv']
const FORMAT_LABELS: Record<TableFileFormat, string> = { xlsx: 'Excel (XLSX)', csv: 'CSV' }

interface ExportButtonProps {
  exportAs: TableExport
  formats: readonly TableFileFormat[]
  disabled: boolean
}

/** One button where there is one kind of file, else a choice of kinds. */
const ExportButton = memo(function ExportButton({ exportAs, formats, disabled }: ExportButtonProps) {
  const [busy, setBusy] = useState(false)
  const run = async (format: TableFileFormat): Promise<void> => {
    setBusy(true)
    try {
      await exportAs(format)
    } catch (error) {
      notifyError(error)
    } finally {
      setBusy(false)
    }
  }
  const button = { loading: busy, disabled, icon: <IconDownload size={14} aria-hidden /> }
  const [only] = formats
  if (formats.length === 1 && only)
    return (
      <BarButton {...button} onClick={() => void run(only)}>
        {`Export ${FORMAT_LABELS[only]}`}
      </BarButton>
    )
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <BarButton {...button}>Export table</BarButton>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => void run(format)}>
            {FORMAT_LABELS[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
})
