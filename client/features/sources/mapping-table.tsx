import { Select, Table, Text } from '@mantine/core'
import { TYPE_WORDS } from './format-words'
import type { Target, Targets } from './mapping'
import { WideTable } from './wide-table'
import type { FileColumn } from '../../../src/shared/files'
import type { Column } from '../../../src/shared/sources'

const NEW = 'new'
const SKIP = 'skip'
const valueOf = (target: Target | undefined): string =>
  target === undefined ? SKIP : target.kind === 'column' ? target.key : target.kind

export interface MappingTableProps {
  columns: readonly FileColumn[]
  existing: readonly Column[]
  targets: Targets
  onTarget: (index: number, target: Target) => void
}

/** One line for each column of the file: where it goes. */
export function MappingTable({ columns, existing, targets, onTarget }: MappingTableProps) {
  const choices = [
    ...existing.map(({ key, label, type }) => ({ value: key, label: `${label} (${TYPE_WORDS[type].toLowerCase()})` })),
    { value: NEW, label: 'Add as a new column' },
    { value: SKIP, label: 'Leave out' },
  ]
  const pick = (index: number, text: string | null) => {
    const held = existing.find(({ key }) => key === text)
    onTarget(index, held ? { kind: 'column', key: held.key } : { kind: text === NEW ? 'new' : 'skip' })
  }
  return (
    <WideTable label="Columns of the file" minWidth={460}>
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
                {noteOf(column, targets.get(column.index), existing)}
              </Text>
            </Table.Td>
            <Table.Td>
              <Select
                aria-label={`${column.label} goes into`}
                data={choices}
                value={valueOf(targets.get(column.index))}
                onChange={(text) => pick(column.index, text)}
                allowDeselect={false}
                searchable={existing.length > 8}
              />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  )
}

function noteOf(column: FileColumn, target: Target | undefined, existing: readonly Column[]): string {
  const type = TYPE_WORDS[column.type]
  const into = target?.kind === 'column' ? existing.find(({ key }) => key === target.key) : undefined
  if (!into || into.type === column.type) return type
  return `${type} here, ${TYPE_WORDS[into.type].toLowerCase()} there: read as what is there`
}
