import { Button, Group, Stack, Table, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useReducer } from 'react'
import { ColumnRow } from './column-row'
import {
  changedColumns,
  conflictRows,
  described,
  descriptionReducer,
  isChanged,
  NO_DESCRIPTIONS,
  savedMeanwhile,
} from './dataset-edits'
import { ComputedColumns } from './computed-columns'
import { FaultNotice } from './fault-notice'
import { useDescribeDataset } from './queries'
import { WideTable } from './wide-table'
import { useMayNow } from '../../lib/gate'
import { VersionConflictDialog } from '../../ui/version-conflict-dialog'
import type { Dataset } from '../../../src/shared/sources'

/** Names, roles, formats and visibility of the columns. Types change only by loading again. */
export function ColumnsTab({ dataset }: { dataset: Dataset }) {
  const [edits, dispatch] = useReducer(descriptionReducer, NO_DESCRIPTIONS)
  const editable = useMayNow('edit:source')
  const client = useQueryClient()
  const save = useDescribeDataset()
  const theirs = savedMeanwhile(save.error)
  const columns = described(dataset.columns, edits)
  const nameless = columns.some(({ label }) => label.trim() === '')
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
  const takeTheirs = () => {
    dispatch({ kind: 'clear' })
    save.reset()
    void client.invalidateQueries({ queryKey: ['sources'] })
  }
  return (
    <Stack gap="md">
      {save.error && !theirs && <FaultNotice error={save.error} onRetry={() => send(dataset.version)} />}
      <WideTable label="Columns" minWidth={720}>
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
      </WideTable>
      {editable && (
        <SaveFoot
          nameless={nameless}
          edited={edits.size > 0}
          changed={isChanged(dataset.columns, edits)}
          saving={save.isPending}
          onUndo={() => dispatch({ kind: 'clear' })}
          onSave={() => send(dataset.version)}
        />
      )}
      <ComputedColumns dataset={dataset} editable={editable} />
      {theirs && (
        <VersionConflictDialog
          opened
          rows={conflictRows(dataset, edits, theirs.columns)}
          onTakeMine={() => send(theirs.version)}
          onTakeTheirs={takeTheirs}
          onClose={() => save.reset()}
        />
      )}
    </Stack>
  )
}

interface SaveFootProps {
  /** A column has lost its name. */
  nameless: boolean
  edited: boolean
  /** Whether the edits come to anything. */
  changed: boolean
  saving: boolean
  onUndo: () => void
  onSave: () => void
}

function SaveFoot({ nameless, edited, changed, saving, onUndo, onSave }: SaveFootProps) {
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
