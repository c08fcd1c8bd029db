import { Group, Select, Switch, Table, Text, TextInput } from '@mantine/core'
import { rolesForType } from './column-edits'
import { COLUMN_TYPE_ICONS } from './column-menu'
import type { ColumnMetadataEdit } from './dataset-edits'
import { COLUMN_ROLE_LABELS, COLUMN_TYPE_LABELS } from './format-words'
import { NumberFormatField } from './money-field'
import type { Column } from '../../../src/shared/sources'

export interface ColumnRowProps {
  column: Column
  /** All columns of the dataset: one of them may say what amounts are in. */
  columns: readonly Column[]
  editable: boolean
  onEdit: (edit: ColumnMetadataEdit) => void
}

export function ColumnRow({ column, columns, editable, onEdit }: ColumnRowProps) {
  const Icon = COLUMN_TYPE_ICONS[column.type]
  const numeric = column.type === 'number' || column.type === 'integer'
  return (
    <Table.Tr>
      <Table.Td>
        {editable ? (
          <TextInput
            aria-label={`Name of ${column.label}`}
            value={column.label}
            maxLength={200}
            onChange={(event) => onEdit({ label: event.currentTarget.value })}
          />
        ) : (
          column.label
        )}
      </Table.Td>
      <Table.Td>
        <Group gap={6} wrap="nowrap">
          <Icon size={16} aria-hidden />
          <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
            {COLUMN_TYPE_LABELS[column.type]}
          </Text>
        </Group>
      </Table.Td>
      <Table.Td>
        <RoleField column={column} editable={editable} onEdit={onEdit} />
      </Table.Td>
      <Table.Td>
        {numeric ? (
          <NumberFormatField column={column} columns={columns} editable={editable} onEdit={onEdit} />
        ) : (
          <Text size="sm" c="dimmed">
            As it is
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Switch
          aria-label={`Hide ${column.label}`}
          checked={column.hidden}
          disabled={!editable}
          onChange={(event) => onEdit({ hidden: event.currentTarget.checked })}
        />
      </Table.Td>
    </Table.Tr>
  )
}

function RoleField({ column, editable, onEdit }: Omit<ColumnRowProps, 'columns'>) {
  const roles = rolesForType(column.type)
  if (!editable) return <Text size="sm">{COLUMN_ROLE_LABELS[column.role].label}</Text>
  return (
    <Select
      aria-label={`${column.label} is used as`}
      allowDeselect={false}
      data={roles.map((value) => ({ value, label: COLUMN_ROLE_LABELS[value].label }))}
      value={column.role}
      onChange={(text) => {
        const role = roles.find((known) => known === text)
        if (role) onEdit({ role })
      }}
    />
  )
}
