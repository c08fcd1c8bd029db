import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { OwnedItemsField, useHeir } from './belongings-field'
import { MemberDialog } from './member-dialog'
import { useUpdateMember, useRemoveMember } from './queries'
import type { Member } from '../../../src/shared/members'

const ENDING_TEXT = {
  suspend: {
    title: (name: string) => `Suspend ${name}?`,
    what: (name: string) =>
      `${name} can open nothing here until you let them in again. What they have open stops at once, on every device. Their seat is free meanwhile.`,
    button: 'Suspend',
    done: (name: string) => `${name} is suspended.`,
  },
  remove: {
    title: (name: string) => `Remove ${name}?`,
    what: (name: string) =>
      `${name} loses this workspace at once, on every device, and leaves its groups. The account itself stays; coming back takes a new invitation.`,
    button: 'Remove',
    done: (name: string) => `${name} was removed.`,
  },
} as const

export interface EndMembershipDialogProps {
  member: Member
  ending: keyof typeof ENDING_TEXT
  onClose: () => void
}

/** Suspends or removes somebody: says what ends at once, and asks who takes over what runs in their name. */
export function EndMembershipDialog({ member, ending, onClose }: EndMembershipDialogProps) {
  const heir = useHeir(member.userId, true)
  const change = useUpdateMember()
  const remove = useRemoveMember()
  const { userId: id, name, role, version } = member
  const words = ENDING_TEXT[ending]
  const mutation = ending === 'suspend' ? change : remove
  const heirInput = heir.heir === undefined ? {} : { heir: heir.heir }
  const callbacks = {
    onSuccess: () => {
      notifications.show({ message: words.done(name) })
      onClose()
    },
  }
  const confirm = () =>
    ending === 'suspend'
      ? change.mutate({ id, role, status: 'suspended', version, ...heirInput }, callbacks)
      : remove.mutate({ id, version, ...heirInput }, callbacks)
  return (
    <MemberDialog
      title={words.title(name)}
      name={name}
      error={mutation.error}
      button={{ words: words.button, danger: true, disabled: !heir.ready }}
      cancel="Keep as it is"
      pending={mutation.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{words.what(name)}</Text>
      <OwnedItemsField heir={heir} />
    </MemberDialog>
  )
}
