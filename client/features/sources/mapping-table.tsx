import { Select, Table, Text } from '@mantine/core'
import { COLUMN_TYPE_LABELS } from './format-words'
import type { ColumnTarget, ColumnTargets } from './mapping'
import { ScrollableTable } from './wide-table'
import type { FileColumn } from '../../../src/shared/files'
import type { Column } from '../../../src/shared/sources'

const NEW_COLUMN_OPTION = 'new'
const SKIP_OPTION = 'skip'
const targetOption = (target: ColumnTarget | undefined): string =>
  target === undefined ? SKIP_OPTION : target.kind === 'column' ? target.key : target.kind

export interface MappingTableProps {
  columns: readonly FileColumn[]
  existing: readonly Column[]
  targets: ColumnTargets
  onTarget: (index: number, columnTarget: ColumnTarget) => void
}

/** One line for each column of the file: where it goes. */
export function MappingTable({ columns, existing, targets, onTarget }: MappingTableProps) {
  const choices = [
    ...existing.map(({ key, label, type }) => ({
      value: key,
      label: `${label} (${COLUMN_TYPE_LABELS[type].toLowerCase()})`,
    })),
    { value: NEW_COLUMN_OPTION, label: 'Add as a new column' },
    { value: SKIP_OPTION, label: 'Leave out' },
  ]
  const pick = (index: number, text: string | null) => {
    const held = existing.find(({ key }) => key === text)
    onTarget(index, held ? { kind: 'column', key: held.key } : { kind: text === NEW_COLUMN_OPTION ? 'new' : 'skip' })
  }
  return (
    <ScrollableTable label="Columns of the file" minWidth={460}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>In the file</Table.Th>
          <Table.Th>Goes into</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {columns.map((column) => (
          <Table.Tr key={column.index}>
            <Table.Td>
              <Text size="sm" fw={550}>
                {column.label}
              </Text>
              <Text size="xs" c="dimmed">
                {mappingNote(column, targets.get(column.index), existing)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={`${column.label} goes into`}
                data={choices}
                value={targetOption(targets.get(column.index))}
                onChange={(text) => pick(column.index, text)}
                allowDeselect={false}
                searchable={existing.length > 8}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </ScrollableTable>
  )
}

function mappingNote(column: FileColumn, target: ColumnTarget | undefined, existing: readonly Column[]): string {
  const type = COLUMN_TYPE_LABELS[column.type]
  const into = target?.kind === 'column' ? existing.find(({ key }) => key === target.key) : undefined
  if (!into || into.type === column.type) return type
  return `${type} here, ${COLUMN_TYPE_LABELS[into.type].toLowerCase()} there: read as what is there`
}
