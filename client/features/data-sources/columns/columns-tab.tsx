import { TERMS } from '../../../../src/shared/terms'
import { COLUMN_TYPE_LABELS } from '../../../../src/shared/data-sources/files'
import { MutedText } from '../../../ui/muted-text'
import { Button, Group, Stack, Table, Text, Select, Switch, TextInput, Checkbox } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import {
  changedColumns,
  columnConflictRows,
  withMetadataEdits,
  columnMetadataReducer,
  hasMetadataChanges,
  NO_METADATA_EDITS,
  conflictingColumns,
} from './column-metadata'
import type { ColumnMetadataEdit } from './column-metadata'
import { CalculatedColumns } from '../calculated/calculated-columns'
import { SourceErrorNotice } from '../source-error-notice'
import { useUpdateDataset } from '../queries'
import { MaskMark } from '../../../ui/data-table/mask-mark'
import { ScrollableTable } from '../../../ui/scrollable-table'
import { useMayWrite } from '../../../lib/gate'
import { VersionConflictDialog } from '../../../ui/forms/version-conflict-dialog'
import type { Dataset, Column } from '../../../../src/shared/data-sources/data-sources'
import { rolesForType } from './file-column-edits'
import { COLUMN_TYPE_ICONS } from './column-menu'
import { COLUMN_ROLE_LABELS } from '../import/import-settings'
import { ColumnFormatField } from './column-format-field'
import { useFormat } from '../../../lib/format'
import { useSession } from '../../../lib/session'
import { suggestCurrencyColumn } from '../../../../src/shared/currencies'
import { FormFooter } from '../../../ui/forms/form-footer'

/** Names, roles, formats and visibility of the columns. Types change only by loading again. */
export function ColumnsTab({ dataset }: { dataset: Dataset }) {
  const [edits, dispatch] = useReducer(columnMetadataReducer, NO_METADATA_EDITS)
  const editable = useMayWrite('edit:source') && !dataset.partial
  const client = useQueryClient()
  const save = useUpdateDataset()
  const conflict = conflictingColumns(save.error)
  const columns = withMetadataEdits(dataset.columns, edits)
  const hasUnnamed = columns.some(({ label }) => label.trim() === '')
  const send = (version: number) =>
    save.mutate(
      { id: dataset.id, input: { name: dataset.name, version, columns: changedColumns(dataset.columns, edits) } },
      {
        onSuccess: () => {
          dispatch({ kind: 'clear' })
          notifications.show({ color: 'green', message: 'Columns saved' })
        },
      },
    )
  const acceptTheirs = () => {
    dispatch({ kind: 'clear' })
    save.reset()
    void client.invalidateQueries({ queryKey: ['sources'] })
  }
  return (
    <Stack gap="md" data-form>
      {save.error && !conflict && <SourceErrorNotice error={save.error} onRetry={() => send(dataset.version)} />}
      <ScrollableTable label="Columns" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Role</Table.Th>
            <Table.Th>{TERMS.format}</Table.Th>
            <Table.Th>Hidden</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map((column) => (
            <ColumnRow
              key={column.key}
              column={column}
              columns={columns}
              editable={editable}
              onEdit={(edit) => dispatch({ kind: 'change', key: column.key, edit })}
            />
          ))}
        </Table.Tbody>
      </ScrollableTable>
      {editable && (
        <SaveFooter
          nameless={hasUnnamed}
          edited={edits.size > 0}
          changed={hasMetadataChanges(dataset.columns, edits)}
          saving={save.isPending}
          onUndo={() => dispatch({ kind: 'clear' })}
          onSave={() => send(dataset.version)}
        />
      )}
      <CalculatedColumns dataset={dataset} editable={editable} />
      {conflict && (
        <VersionConflictDialog
          opened
          rows={columnConflictRows(dataset, edits, conflict.columns)}
          onTakeMine={() => send(conflict.version)}
          onTakeTheirs={acceptTheirs}
          onClose={() => save.reset()}
        />
      )}
    </Stack>
  )
}

interface SaveFooterProps {
  /** A column has lost its name. */
  nameless: boolean
  edited: boolean
  /** Whether the edits come to anything. */
  changed: boolean
  saving: boolean
  onUndo: () => void
  onSave: () => void
}

function SaveFooter({ nameless, edited, changed, saving, onUndo, onSave }: SaveFooterProps) {
  return (
    <FormFooter aside={nameless && <Text c="var(--bad)">Enter a name for every column.</Text>}>
      <Button variant="default" disabled={!edited} onClick={onUndo}>
        Discard changes
      </Button>
      <Button loading={saving} disabled={nameless || !changed} onClick={onSave}>
        Save columns
      </Button>
    </FormFooter>
  )
}

interface ColumnRowProps {
  column: Column
  /** All columns of the dataset: one of them may say what amounts are in. */
  columns: readonly Column[]
  editable: boolean
  onEdit: (edit: ColumnMetadataEdit) => void
}

function ColumnRow({ column, columns, editable, onEdit }: ColumnRowProps) {
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
        {column.mask && (
          <>
            {' '}
            <MaskMark mask={column.mask} />
          </>
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
          <MutedText>–</MutedText>
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
      aria-label={`Role of ${column.label}`}
      data={roles.map((value) => ({ value, label: COLUMN_ROLE_LABELS[value].label }))}
      value={column.role}
      onChange={(text) => {
        const role = roles.find((known) => known === text)
        if (role) onEdit({ role })
      }}
    />
  )
}

interface NumberFormatFieldProps {
  column: Column
  columns: readonly Column[]
  editable: boolean
  onEdit: (edit: ColumnMetadataEdit) => void
}

/** How the figures of a column are shown, and for money: which currency it is in, and whether in its smallest unit. */
function NumberFormatField({ column, columns, editable, onEdit }: NumberFormatFieldProps) {
  const format = useFormat()
  const multiCurrency = useSession().workspace?.entitlements.features.multiCurrency ?? false
  const held = column.currencyColumn ?? null
  const texts = columns.filter(({ type, computed, role }) => type === 'text' && !computed && role === 'currency')
  const choices = columns.filter(({ key }) => key === held || (multiCurrency && texts.some((each) => each.key === key)))
  const proposed =
    multiCurrency && editable ? columns.find(({ key }) => key === suggestCurrencyColumn(column, columns)) : undefined
  const isMoney = held !== null || column.format.style === 'currency'
  const isWhole = column.type === 'integer' || column.scale !== undefined
  return (
    <Stack gap={6}>
      <ColumnFormatField
        hideLabel
        label={`Format of ${column.label}`}
        format={column.format}
        disabled={!editable}
        onChange={(chosen) => onEdit({ format: chosen, ...(held === null ? {} : { currencyColumn: null }) })}
        rowCurrency={{
          choices,
          held,
          onPick: (key) => onEdit({ currencyColumn: key, format: { style: 'plain' } }),
        }}
      />
      {proposed && (
        <Group gap={6} wrap="nowrap">
          <Text size="xs" c="dimmed">
            Use the currency in {proposed.label}?
          </Text>
          <Button
            size="compact-xs"
            variant="light"
            style={{ flexShrink: 0 }}
            aria-label={`Yes, use the currency in ${proposed.label} for ${column.label}`}
            onClick={() => onEdit({ currencyColumn: proposed.key, format: { style: 'plain' } })}
          >
            Yes
          </Button>
        </Group>
      )}
      {isMoney && isWhole && !column.computed && (editable || column.minorUnits === true) && (
        <Checkbox
          size="xs"
          label={
            <>
              Minor units (1250 = {format.fixed(12.5, 2)})<span className="only-reader">, {column.label}</span>
            </>
          }
          checked={column.minorUnits ?? false}
          disabled={!editable}
          onChange={(event) => onEdit({ minorUnits: event.currentTarget.checked })}
        />
      )}
    </Stack>
  )
}
