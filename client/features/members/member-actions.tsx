import { MoreMenu } from '../../ui/buttons/more-menu'
import { Text, Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useNavigate } from '@tanstack/react-router'
import {
  IconCrown,
  IconDoorExit,
  IconPlayerPause,
  IconPlayerPlay,
  IconUserCog,
  IconUserMinus,
} from '@tabler/icons-react'
import { OwnedItemsField, useHeir } from './owned-items-field'
import { MemberDialog } from './member-dialog'
import { useUpdateMember, useRemoveMember, useLeaveWorkspace } from './queries'
import { RolePicker, roleWithArticle, takesAnalystSeat, isAssignableRole } from './roles'
import type { Member } from '../../../src/shared/members'
import { useSession } from '../../lib/session'
import { loadOtherSession } from '../../lib/session-actions'
import { OfferOwnershipDialog } from './ownership'
import { useMay } from '../../lib/gate'

/** Another role for somebody; asks who takes over when the new one may not hold what they have. */
function ChangeRoleDialog({ member, onClose }: { member: Member; onClose: () => void }) {
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
          notifications.show({ message: `${name} is now ${roleWithArticle(role)}` })
          onClose()
        },
      },
    )
  }
  return (
    <MemberDialog
      title={`Change role of ${name}`}
      name={name}
      error={change.error}
      button={{ words: 'Change role', disabled: role === null || role === member.role || !heir.ready }}
      pending={change.isPending}
      onConfirm={save}
      onClose={onClose}
    >
      <RolePicker label="Role" value={role} onChange={setRole} />
      {losesOwnership && <OwnedItemsField heir={heir} />}
    </MemberDialog>
  )
}

const ENDING_TEXT = {
  suspend: {
    title: (name: string) => `Suspend ${name}?`,
    what: (name: string) => `${name} loses access at once, until you reactivate them. Their seat becomes free.`,
    button: 'Suspend member',
    done: (name: string) => `${name} suspended`,
  },
  remove: {
    title: (name: string) => `Remove ${name}?`,
    what: (name: string) =>
      `${name} loses access at once and leaves all groups. To come back, they need a new invitation.`,
    button: 'Remove member',
    done: (name: string) => `${name} removed`,
  },
} as const

interface EndMembershipDialogProps {
  member: Member
  ending: keyof typeof ENDING_TEXT
  onClose: () => void
}

/** Suspends or removes somebody: says what ends at once, and asks who takes over what runs in their name. */
function EndMembershipDialog({ member, ending, onClose }: EndMembershipDialogProps) {
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
      pending={mutation.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">{words.what(name)}</Text>
      <OwnedItemsField heir={heir} />
    </MemberDialog>
  )
}

/** Lets a suspended member in again, in the role they had. */
export function ReactivateMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const change = useUpdateMember()
  const { userId: id, name, role, version } = member
  const done = {
    onSuccess: () => {
      notifications.show({ message: `${name} reactivated` })
      onClose()
    },
  }
  return (
    <MemberDialog
      title={`Reactivate ${name}?`}
      name={name}
      error={change.error}
      button={{ words: 'Reactivate member' }}
      pending={change.isPending}
      onConfirm={() => change.mutate({ id, role, status: 'active', version }, done)}
      onClose={onClose}
    >
      <Text size="sm">
        {name} becomes {roleWithArticle(role)} again and takes a seat.
      </Text>
    </MemberDialog>
  )
}

/** Leaving the workspace oneself. Afterwards the tab is in another workspace, or at the first step. */
function LeaveWorkspaceDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { workspace } = useSession()
  const navigate = useNavigate()
  const heir = useHeir(member.userId, true)
  const leave = useLeaveWorkspace(async () => {
    // Nothing of the workspace stays in this tab, its name in the address included.
    const data = await loadOtherSession()
    await navigate({ to: '/data-sources', search: { w: data.workspace?.id }, replace: true })
  })
  const confirm = () =>
    leave.mutate({
      ...{ id: member.userId, version: member.version },
      ...(heir.heir === undefined ? {} : { heir: heir.heir }),
    })
  return (
    <MemberDialog
      title={`Leave ${workspace?.name ?? 'the workspace'}?`}
      name="You"
      error={leave.error}
      button={{ words: 'Leave workspace', danger: true, disabled: !heir.ready }}
      pending={leave.isPending}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text size="sm">You lose access at once. To come back, you need a new invitation.</Text>
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

type MemberDialogKind = 'role' | 'suspend' | 'resume' | 'remove' | 'leave' | 'ownership'
interface MemberAction {
  dialog: MemberDialogKind
  label: string
  icon: typeof IconCrown
  danger?: boolean
  /** Why it cannot be done; absent = it can. */
  disabledNote?: string
}

const SOLE_OWNER_NOTE = 'You’re the only owner. Transfer ownership first.'

/** What the person who looks may do to members. `write`: the workspace takes changes. */
export interface MemberPermissions {
  edit: boolean
  transfer: boolean
  write: boolean
}

/** What may be done with somebody. Owners are changed by owners only; oneself one can only leave. */
export function memberActions(member: Member, { edit, transfer, write }: MemberPermissions): MemberAction[] {
  if (member.self) {
    const leave = { dialog: 'leave', label: 'Leave workspace', icon: IconDoorExit, danger: true } as const
    return [member.soleOwner ? { ...leave, disabledNote: SOLE_OWNER_NOTE } : leave]
  }
  if (!edit || (member.role === 'owner' && !transfer)) return []
  const suspended = member.status === 'suspended'
  const offerable = transfer && !suspended && member.role !== 'client' && member.role !== 'owner'
  const changes: MemberAction[] = suspended
    ? [{ dialog: 'resume', label: 'Reactivate', icon: IconPlayerPlay }]
    : [
        { dialog: 'role', label: 'Change role', icon: IconUserCog },
        { dialog: 'suspend', label: 'Suspend', icon: IconPlayerPause },
      ]
  return [
    ...(write ? changes : []),
    ...(offerable ? [{ dialog: 'ownership' as const, label: 'Transfer ownership', icon: IconCrown }] : []),
    { dialog: 'remove', label: 'Remove from workspace', icon: IconUserMinus, danger: true },
  ]
}

export function MemberMenu({ member }: { member: Member }) {
  const [dialog, setDialog] = useState<MemberDialogKind | null>(null)
  const edit = useMay('edit:member')
  const transfer = useMay('transfer:workspace')
  const write = useSession().workspace?.entitlements.readOnly === null
  const actions = memberActions(member, { edit, transfer, write })
  return (
    <>
      <MoreMenu
        label={`Actions for ${member.name}`}
        size={32}
        items={actions.map(({ dialog: opens, label, icon, danger, disabledNote }) => ({
          label,
          icon,
          note: disabledNote,
          disabled: disabledNote !== undefined,
          c: danger && disabledNote === undefined ? 'var(--bad)' : undefined,
          onClick: () => setDialog(opens),
        }))}
      />
      {dialog && <MemberActionDialog dialog={dialog} member={member} onClose={() => setDialog(null)} />}
    </>
  )
}

function MemberActionDialog({ dialog, ...rest }: { dialog: MemberDialogKind; member: Member; onClose: () => void }) {
  if (dialog === 'role') return <ChangeRoleDialog {...rest} />
  if (dialog === 'resume') return <ReactivateMemberDialog {...rest} />
  if (dialog === 'leave') return <LeaveWorkspaceDialog {...rest} />
  if (dialog === 'ownership') return <OfferOwnershipDialog {...rest} />
  return <EndMembershipDialog {...rest} ending={dialog} />
}
