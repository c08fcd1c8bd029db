import { Checkbox, Radio, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useFormat } from '../../../lib/format'
import { describeRows, formatCountOf, type Formatter } from '../../../../src/shared/figures/formatter'
import { tableColumnCount, tableWarnings, tableRowCount } from './import-request'
import classes from '../table-list.module.css'
import { TableNav } from '../table-nav'
import type { ImportTable } from './use-import-tables'

export interface ImportTableListProps {
  tables: readonly ImportTable[]
  active: ImportTable
  onSelect: (id: string) => void
  /** `one`: looking at a table is choosing it. */
  pick: 'many' | 'one'
}

const describeTableSize = (table: ImportTable, format: Formatter): string =>
  [
    describeRows(tableRowCount(table), format),
    formatCountOf(format, tableColumnCount(table), 'column'),
    ...(table.table.range === undefined ? [] : [table.table.range]),
  ].join(' · ')

/** Whether the first of several tables of one file stands here; a file of one table is told by that. */
const isFirstOfFile = (tables: readonly ImportTable[], at: number): boolean =>
  tables[at - 1]?.fileName !== tables[at]?.fileName && tables[at + 1]?.fileName === tables[at]?.fileName

/** The tables that were found. */
export function ImportTableList({ tables, active, onSelect, pick }: ImportTableListProps) {
  const format = useFormat()
  const several = new Set(tables.map(({ fileName }) => fileName)).size > 1
  return (
    <TableNav
      tables={tables}
      activeId={active.id}
      onSelect={onSelect}
      rowCount={(table) => tableRowCount(table).count}
      label="Tables"
      heading={`${formatCountOf(format, tables.length, 'table')} found`}
      {...(pick === 'one' ? { selectLabel: 'Table' } : {})}
    >
      {(table, at) => (
        <>
          {several && isFirstOfFile(tables, at) && (
            <Text size="xs" c="dimmed" className={classes.file} title={table.fileName}>
              {table.fileName}
            </Text>
          )}
          <TableItem table={table} active={table.id === active.id} onClick={() => onSelect(table.id)} pick={pick} />
        </>
      )}
    </TableNav>
  )
}

interface TableItemProps {
  table: ImportTable
  active: boolean
  onClick: () => void
  pick: ImportTableListProps['pick']
}

function TableItem({ table, active, onClick, pick }: TableItemProps) {
  const format = useFormat()
  const warnings = tableWarnings(table).length
  return (
    <div className={classes.item} data-active={active || undefined}>
      {pick === 'many' ? (
        <Checkbox
          aria-label={`Import ${table.name}`}
          checked={table.chosen}
          onChange={(event) => table.choose(event.currentTarget.checked)}
        />
      ) : (
        <Radio aria-label={`Use ${table.name}`} checked={active} onChange={onClick} name="table" />
      )}
      <UnstyledButton className={classes.look} onClick={onClick} aria-current={active ? 'true' : undefined}>
        <span className={classes.name}>{table.name}</span>
        <span className={classes.facts}>{describeTableSize(table, format)}</span>
        {warnings > 0 && (
          <span className={`${classes.facts} ${classes.warned}`}>
            <IconAlertTriangle size={12} aria-hidden /> {formatCountOf(format, warnings, 'note')}
          </span>
        )}
      </UnstyledButton>
    </div>
  )
}
