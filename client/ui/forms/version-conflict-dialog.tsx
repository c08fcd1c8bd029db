import { Alert, Button, Group, Table, Text, type MantineSpacing } from '@mantine/core'
import type { ReactNode } from 'react'
import { FormFooter } from './form-footer'
import { Dialog } from '../dialog'

/** One field that differs, already in words. */
export interface ConflictRow {
  label: string
  mine: string
  theirs: string
}
export interface VersionConflictDialogProps {
  opened: boolean
  rows: ConflictRow[]
  onTakeMine: () => void
  onTakeTheirs: () => void
  onClose: () => void
}

/** Two people saved the same thing: both versions side by side, and which one stays. */
export function VersionConflictDialog(props: VersionConflictDialogProps) {
  const { opened, rows, onTakeMine, onTakeTheirs, onClose } = props
  return (
    <Dialog opened={opened} onClose={onClose} title="Someone else saved this first" size="lg">
      <Text size="sm" mb="md">
        {rows.length === 0 ? 'Both versions are the same.' : 'Choose which version to keep. The other is replaced.'}
      </Text>
      {rows.length > 0 && (
        <Table.ScrollContainer minWidth={320}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Field</Table.Th>
                <Table.Th>Yours</Table.Th>
                <Table.Th>Theirs</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.label}>
                  <Table.Th scope="row">{row.label}</Table.Th>
                  <Table.Td>{row.mine}</Table.Td>
                  <Table.Td>{row.theirs}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      <FormFooter mt="lg">
        <Button variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
        <Button onClick={onTakeMine}>Save mine</Button>
      </FormFooter>
    </Dialog>
  )
}

export interface VersionConflictAlertProps {
  /** What theirs is. */
  children: ReactNode
  keepLabel?: string
  mb?: MantineSpacing
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** The same question on the page itself, where the versions do not have to be compared field by field. */
export function VersionConflictAlert(props: VersionConflictAlertProps) {
  const { children, keepLabel = 'Keep mine', mb = 0, onKeepMine, onTakeTheirs } = props
  return (
    <Alert color="yellow" role="alert" title="Someone else saved this first" mb={mb}>
      <Text size="sm">{children}</Text>
      <Group gap="sm" mt="sm">
        <Button size="xs" onClick={onKeepMine}>
          {keepLabel}
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  )
}
