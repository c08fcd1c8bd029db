import { Checkbox, List, Table, Text } from '@mantine/core'
import { NOTIFICATION_KINDS } from '../../../src/shared/account'
import type { NotificationKind, NotificationSettings } from '../../../src/shared/account'

const NOTIFICATION_LABELS: Record<NotificationKind, string> = {
  newSignIn: 'Somebody signs in to your account from a new device or country',
  invitationAccepted: 'Somebody accepts an invitation you sent',
  membershipChanged: 'Your role or access in a workspace changes',
}

export interface NotificationFieldsProps {
  value: NotificationSettings
  onChange: (next: NotificationSettings) => void
}

/** Which mails a person wants, and which come in any case. */
export function NotificationFields({ value, onChange }: NotificationFieldsProps) {
  return (
    <>
      <Table verticalSpacing="sm">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>When</Table.Th>
            <Table.Th w={72} ta="center">
              Mail
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {NOTIFICATION_KINDS.map((event) => (
            <Table.Tr key={event}>
              <Table.Th scope="row" fw={400}>
                {NOTIFICATION_LABELS[event]}
              </Table.Th>
              <Table.Td>
                <Checkbox
                  aria-label={`Mail: ${NOTIFICATION_LABELS[event]}`}
                  checked={value[event]}
                  onChange={({ currentTarget }) => onChange({ ...value, [event]: currentTarget.checked })}
                  styles={{ body: { justifyContent: 'center' } }}
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <div>
        <Text size="sm" c="dimmed">
          Always sent, because they keep your account yours:
        </Text>
        <List size="sm" c="dimmed" mt={4}>
          <List.Item>your password was changed, or somebody asked to change it</List.Item>
          <List.Item>your address changes, told to the old and the new one</List.Item>
          <List.Item>a way to sign in was added or removed</List.Item>
          <List.Item>your account or a workspace of yours was deleted</List.Item>
        </List>
      </div>
    </>
  )
}
