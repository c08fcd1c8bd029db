import { Checkbox, Radio, Select, Text, UnstyledButton } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { formatCountOf, formatRowCount, useFormat } from '../../../lib/format'
import type { Formatter } from '../../../lib/format'
import { tableWarnings, tableRowCount } from './import-request'
import classes from '../table-list.module.css'
import type { ImportTable } from './use-import-tables'

export interface ImportTableListProps {
  tables: readonly ImportTable[]
  active: ImportTable
  onSelect: (id: string) => void
  /** `one`: looking at a table is choosing it. */
  pick: 'many' | 'one'
}

const describeTableSize = (table: ImportTable, format: Formatter): string =>
  `${formatRowCount(format, tableRowCount(table).count)} · ${formatCountOf(format, table.table.columnCount, 'column')}`

/** Whether the first of several tables of one file stands here; a file of one table is told by that. */
const isFirstOfFile = (tables: readonly ImportTable[], at: number): boolean =>
  tables[at - 1]?.fileName !== tables[at]?.fileName && tables[at + 1]?.fileName === tables[at]?.fileName

/** The tables that were found, at the left or, on a small screen, in one field above. */
export function ImportTableList(props: ImportTableListProps) {
  const { tables, active, onSelect, pick } = props
  const format = useFormat()
  const several = new Set(tables.map(({ fileName }) => fileName)).size > 1
  return (
    <>
      <Select
        hiddenFrom="md"
        label={pick === 'one' ? 'Which table' : 'Table to look at'}
        data={tables.map((one) => ({
          value: one.id,
          label: `${one.name} (${formatRowCount(format, tableRowCount(one).count)})`,
        }))}
        value={active.id}
        onChange={(id) => id !== null && onSelect(id)}
      />
      <nav className={classes.list} aria-label="Tables">
        <Text size="sm" fw={600} px={10} pb={4}>
          {formatCountOf(format, tables.length, 'table')} found
        </Text>
        <ul className={classes.items}>
          {tables.map((one, at) => (
            <li key={one.id}>
              {several && isFirstOfFile(tables, at) && (
                <Text size="xs" c="dimmed" className={classes.file} title={one.fileName}>
                  {one.fileName}
                </Text>
              )}
              <TableItem one={one} active={one.id === active.id} onClick={() => onSelect(one.id)} pick={pick} />
            </li>
          ))}
        </ul>
      </nav>
    </>
  )
}

interface TableItemProps {
  one: ImportTable
  active: boolean
  onClick: () => void
  pick: ImportTableListProps['pick']
}

function TableItem({ one, active, onClick: onLook, pick }: TableItemProps) {
  const format = useFormat()
  const warnings = tableWarnings(one).length
  return (
    <div className={classes.item} data-active={active || undefined}>
      {pick === 'many' ? (
        <Checkbox
          aria-label={`Load ${one.name}`}
          checked={one.chosen}
          onChange={(event) => one.choose(event.currentTarget.checked)}
        />
      ) : (
        <Radio aria-label={`Take ${one.name}`} checked={active} onChange={onLook} name="table" />
      )}
      <UnstyledButton className={classes.look} onClick={onLook} aria-current={active ? 'true' : undefined}>
        <span className={classes.name}>{one.name}</span>
        <span className={classes.facts}>{describeTableSize(one, format)}</span>
        {warnings > 0 && (
          <span className={`${classes.facts} ${classes.warned}`}>
            <IconAlertTriangle size={12} aria-hidden /> {formatCountOf(format, warnings, 'note')}
          </span>
        )}
      </UnstyledButton>
    </div>
  )
}
