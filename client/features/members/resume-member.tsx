import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { MemberDialog } from './member-dialog'
import { useUpdateMember } from './queries'
import { roleWithArticle } from './role-words'
import type { Member } from '../../../src/shared/members'

/** Lets a suspended member in again, in the role they had. */
export function ReactivateMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const change = useUpdateMember()
  const { userId: id, name, role, version } = member
  const done = {
    onSuccess: () => {
      notifications.show({ message: `${name} is back.` })
      onClose()
    },
  }
  return (
    <MemberDialog
      title={`Let ${name} in again?`}
      name={name}
      error={change.error}
      button={{ words: 'Let in again' }}
      pending={change.isPending}
      onConfirm={() => change.mutate({ id, role, status: 'active', version }, done)}
      onClose={onClose}
    >
      <Text size="sm">
        {name} is {roleWithArticle(role)} again, as before, and signs in as usual.
      </Text>
    </MemberDialog>
  )
}
