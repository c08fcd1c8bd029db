import { Table } from '@mantine/core'
import { SourceRow } from './source-row'
import classes from './sources-screen.module.css'
import type { DataSource } from '../../../src/shared/sources'

/** The sources as dense rows; on a narrow screen each becomes a card. `now`: when they were read, epoch ms. */
export function SourcesTable({ sources, now }: { sources: DataSource[]; now: number }) {
  return (
    <div className="surface" style={{ overflow: 'auto' }}>
      <Table className={classes.table} aria-label="Data sources">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>State</Table.Th>
            <Table.Th className="numeric">Rows</Table.Th>
            <Table.Th className="numeric">Columns</Table.Th>
            <Table.Th>Last updated</Table.Th>
            <Table.Th>Last load</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sources.map((source) => (
            <SourceRow key={source.id} source={source} now={now} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
