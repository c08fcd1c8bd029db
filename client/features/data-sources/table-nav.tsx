import { Select, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '../../lib/format'
import { formatRowCount } from '../../../src/shared/figures/formatter'
import classes from './table-list.module.css'

export interface TableNavProps<Table> {
  tables: readonly Table[]
  activeId: string
  onSelect: (id: string) => void
  rowCount: (table: Table) => number
  /** Of the list, for people who do not see it. */
  label: string
  heading: string
  selectLabel?: string
  /** One entry of the list. */
  children: (table: Table, at: number) => ReactNode
}

/** Tables to choose from, at the left or, on a small screen, in one field above. */
export function TableNav<Table extends { id: string; name: string }>(props: TableNavProps<Table>) {
  const { tables, activeId, onSelect, rowCount, label, heading, selectLabel = 'Table', children } = props
  const format = useFormat()
  return (
    <>
      <Select
        hiddenFrom="md"
        label={selectLabel}
        data={tables.map((table) => ({
          value: table.id,
          label: `${table.name} (${formatRowCount(format, rowCount(table))})`,
        }))}
        value={activeId}
        onChange={(id) => id !== null && onSelect(id)}
      />
      <nav className={classes.list} aria-label={label}>
        <Text size="sm" fw={600} px={10} pb={4}>
          {heading}
        </Text>
        <ul className={classes.items}>
          {tables.map((table, at) => (
            <li key={table.id}>{children(table, at)}</li>
          ))}
        </ul>
      </nav>
    </>
  )
}
