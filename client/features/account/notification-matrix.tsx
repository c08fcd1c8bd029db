import { Checkbox, List, Table, Text } from '@mantine/core'
import { NOTIFICATIONS } from '../../../src/shared/account'
import type { Notification, Notifications } from '../../../src/shared/account'

const EVENT_WORDS: Record<Notification, string> = {
  newSignIn: 'Somebody signs in to your account from a new device or country',
  invitationAccepted: 'Somebody accepts an invitation you sent',
  membershipChanged: 'Your role or access in a workspace changes',
}

export interface NotificationMatrixProps {
  value: Notifications
  onChange: (next: Notifications) => void
}

/** Which mails a person wants, and which come in any case. */
export function NotificationMatrix({ value, onChange }: NotificationMatrixProps) {
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
          {NOTIFICATIONS.map((event) => (
            <Table.Tr key={event}>
              <Table.Th scope="row" fw={400}>
                {EVENT_WORDS[event]}
              </Table.Th>
              <Table.Td>
                <Checkbox
                  aria-label={`Mail: ${EVENT_WORDS[event]}`}
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
