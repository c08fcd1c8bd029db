import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { BelongingsField, useHeir } from './belongings-field'
import { MemberDialog } from './member-dialog'
import { useChangeMember } from './queries'
import { RoleChoice } from './role-choice'
import { asRole, isAnalyst, isGivenRole } from './role-words'
import type { Member } from '../../../src/shared/members'

/** Another role for somebody; asks who takes over when the new one may not hold what they have. */
export function ChangeRole({ member, onClose }: { member: Member; onClose: () => void }) {
  const [role, setRole] = useState(isGivenRole(member.role) ? member.role : null)
  const loses = role !== null && isAnalyst(member.role) && !isAnalyst(role)
  const heir = useHeir(member.userId, loses)
  const change = useChangeMember()
  const { userId: id, name, status, version } = member
  const save = () => {
    if (role === null) return
    change.mutate(
      { id, role, status, version, ...(heir.heir === undefined ? {} : { heir: heir.heir }) },
      {
        onSuccess: () => {
          notifications.show({ message: `${name} is ${asRole(role)} now.` })
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
      <RoleChoice label="Role" value={role} onChange={setRole} />
      {loses && <BelongingsField heir={heir} />}
      <Text size="sm" c="dimmed">
        The new role counts at once, on every device {name} uses.
      </Text>
    </MemberDialog>
  )
}
