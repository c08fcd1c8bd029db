import { Button, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { OwnedItemsField, useHeir } from './belongings-field'
import { MemberDialog } from './member-dialog'
import { useLeaveWorkspace } from './queries'
import { useSession } from '../../lib/session'
import { loadSession } from '../../lib/session-calls'
import type { Member } from '../../../src/shared/members'

/** Leaving the workspace oneself. Afterwards the tab is in another workspace, or at the first step. */
export function LeaveWorkspaceDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { workspace } = useSession()
  const client = useQueryClient()
  const navigate = useNavigate()
  const heir = useHeir(member.userId, true)
  const leave = useLeaveWorkspace()
  const onLeft = async () => {
    // Nothing of the workspace stays in this tab, its name in the address included.
    const data = await loadSession()
    client.clear()
    await navigate({ to: '/data-sources', search: { w: data.workspace?.id }, replace: true })
  }
  const confirm = () =>
    leave.mutate(
      { id: member.userId, version: member.version, ...(heir.heir === undefined ? {} : { heir: heir.heir }) },
      { onSuccess: () => void onLeft() },
    )
  return (
    <MemberDialog
      title={`Leave ${workspace?.name ?? 'the workspace'}?`}
      name="You"
      error={leave.error}
      button={{ words: 'Leave workspace', danger: true, disabled: !heir.ready }}
      cancel="Stay"
      pending={leave.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">
        You lose this workspace at once, on every device. Your account and your other workspaces stay. To come back, you
        need a new invitation.
      </Text>
      <OwnedItemsField heir={heir} />
    </MemberDialog>
  )
}

/** For people who see no list of actions. */
export function LeaveButton({ member }: { member: Member }) {
  const [isOpen, setAsking] = useState(false)
  return (
    <>
      <Button variant="transparent" size="compact-xs" px={0} onClick={() => setAsking(true)}>
        Leave workspace
      </Button>
      {isOpen && <LeaveWorkspaceDialog member={member} onClose={() => setAsking(false)} />}
    </>
  )
}
