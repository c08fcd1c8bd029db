import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { OwnedItemsField, useHeir } from './belongings-field'
import { MemberDialog } from './member-dialog'
import { useUpdateMember } from './queries'
import { RolePicker } from './role-choice'
import { roleWithArticle, takesAnalystSeat, isAssignableRole } from './role-words'
import type { Member } from '../../../src/shared/members'

/** Another role for somebody; asks who takes over when the new one may not hold what they have. */
export function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(isAssignableRole(member.role) ? member.role : null)
  const losesOwnership = role !== null && takesAnalystSeat(member.role) && !takesAnalystSeat(role)
  const heir = useHeir(member.userId, losesOwnership)
  const change = useUpdateMember()
  const { userId: id, name, status, version } = member
  const save = () => {
    if (role === null) return
    change.mutate(
      { id, role, status, version, ...(heir.heir === undefined ? {} : { heir: heir.heir }) },
      {
        onSuccess: () => {
          notifications.show({ message: `${name} is ${roleWithArticle(role)} now.` })
          onClose()
        },
      },
    )
  }
  return (
    <MemberDialog
      title={`Change the role of ${name}`}
      name={name}
      error={change.error}
      button={{ words: 'Change role', disabled: role === null || role === member.role || !heir.ready }}
      pending={change.isPending}
      onConfirm={save}
      onClose={onClose}
    >
      <RolePicker label="Role" value={role} onChange={setRole} />
      {losesOwnership && <OwnedItemsField heir={heir} />}
      <Text size="sm" c="dimmed">
        The new role counts at once, on every device {name} uses.
      </Text>
    </MemberDialog>
  )
}
