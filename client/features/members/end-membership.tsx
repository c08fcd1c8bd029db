import { Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { BelongingsField, useHeir } from './belongings-field'
import { MemberDialog } from './member-dialog'
import { useChangeMember, useRemoveMember } from './queries'
import type { Member } from '../../../src/shared/members'

const WORDS = {
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

export interface EndMembershipProps {
  member: Member
  ending: keyof typeof WORDS
  onClose: () => void
}

/** Suspends or removes somebody: says what ends at once, and asks who takes over what runs in their name. */
export function EndMembership({ member, ending, onClose }: EndMembershipProps) {
  const heir = useHeir(member.userId, true)
  const change = useChangeMember()
  const remove = useRemoveMember()
  const { userId: id, name, role, version } = member
  const words = WORDS[ending]
  const write = ending === 'suspend' ? change : remove
  const taken = heir.heir === undefined ? {} : { heir: heir.heir }
  const done = {
    onSuccess: () => {
      notifications.show({ message: words.done(name) })
      onClose()
    },
  }
  const confirm = () =>
    ending === 'suspend'
      ? change.mutate({ id, role, status: 'suspended', version, ...taken }, done)
      : remove.mutate({ id, version, ...taken }, done)
  return (
    <MemberDialog
      title={words.title(name)}
      name={name}
      error={write.error}
      button={{ words: words.button, danger: true, disabled: !heir.ready }}
      cancel="Keep as it is"
      pending={write.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{words.what(name)}</Text>
      <BelongingsField heir={heir} />
    </MemberDialog>
  )
}
