import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import { ColumnRow } from './column-row'
import {
  changedColumns,
  columnConflictRows,
  withMetadataEdits,
  columnMetadataReducer,
  hasMetadataChanges,
  NO_METADATA_EDITS,
  conflictingVersion,
} from './dataset-edits'
import { CalculatedColumns } from './computed-columns'
import { SourceErrorNotice } from './fault-notice'
import { useUpdateDataset } from './queries'
import { ScrollableTable } from './wide-table'
import { useMayWrite } from '../../lib/gate'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { Dataset } from '../../../src/shared/sources'

/** Names, roles, formats and visibility of the columns. Types change only by loading again. */
export function ColumnsTab({ dataset }: { dataset: Dataset }) {
  const [edits, dispatch] = useReducer(columnMetadataReducer, NO_METADATA_EDITS)
  const editable = useMayWrite('edit:source')
  const client = useQueryClient()
  const save = useUpdateDataset()
  const conflict = conflictingVersion(save.error)
  const columns = withMetadataEdits(dataset.columns, edits)
  const hasUnnamed = columns.some(({ label }) => label.trim() === '')
  const send = (version: number) =>
    save.mutate(
      { id: dataset.id, input: { name: dataset.name, version, columns: changedColumns(dataset.columns, edits) } },
      {
        onSuccess: () => {
          dispatch({ kind: 'clear' })
          notifications.show({ color: 'green', message: 'Columns saved.' })
        },
      },
    )
  const acceptTheirs = () => {
    dispatch({ kind: 'clear' })
    save.reset()
    void client.invalidateQueries({ queryKey: ['sources'] })
  }
  return (
    <Stack gap="md">
      {save.error && !conflict && <SourceErrorNotice error={save.error} onRetry={() => send(dataset.version)} />}
      <ScrollableTable label="Columns" minWidth={720}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Type</Table.Th>
            <Table.Th>Used as</Table.Th>
            <Table.Th>Shown as</Table.Th>
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
    <Group justify="flex-end">
      {nameless && <Text c="var(--bad)">Every column needs a name.</Text>}
      <Button variant="default" disabled={!edited} onClick={onUndo}>
        Undo changes
      </Button>
      <Button loading={saving} disabled={nameless || !changed} onClick={onSave}>
        Save columns
      </Button>
    </Group>
  )
}
