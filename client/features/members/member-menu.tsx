import { ActionIcon, Menu } from '@mantine/core'
import {
  IconCrown,
  IconDots,
  IconDoorExit,
  IconPlayerPause,
  IconPlayerPlay,
  IconUserCog,
  IconUserMinus,
} from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeRoleDialog } from './change-role'
import { EndMembershipDialog } from './end-membership'
import { LeaveWorkspaceDialog } from './leave-workspace'
import { OfferOwnershipDialog } from './offer-ownership'
import { ReactivateMemberDialog } from './resume-member'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { Member } from '../../../src/shared/members'

type MemberDialogKind = 'role' | 'suspend' | 'resume' | 'remove' | 'leave' | 'ownership'
interface MemberAction {
  dialog: MemberDialogKind
  label: string
  icon: typeof IconDots
  danger?: boolean
}

/** What the person who looks may do to members. `write`: the workspace takes changes. */
export interface MemberPermissions {
  edit: boolean
  transfer: boolean
  write: boolean
}

/** What may be done with somebody. Owners are changed by owners only; oneself one can only leave. */
export function memberActions(member: Member, { edit, transfer, write }: MemberPermissions): MemberAction[] {
  if (member.self) return [{ dialog: 'leave', label: 'Leave workspace', icon: IconDoorExit, danger: true }]
  if (!edit || (member.role === 'owner' && !transfer)) return []
  const suspended = member.status === 'suspended'
  const offerable = transfer && !suspended && member.role !== 'client' && member.role !== 'owner'
  const changes: MemberAction[] = suspended
    ? [{ dialog: 'resume', label: 'Let in again', icon: IconPlayerPlay }]
    : [
        { dialog: 'role', label: 'Change role', icon: IconUserCog },
        { dialog: 'suspend', label: 'Suspend', icon: IconPlayerPause },
      ]
  return [
    ...(write ? changes : []),
    ...(offerable ? [{ dialog: 'ownership' as const, label: 'Hand over ownership', icon: IconCrown }] : []),
    { dialog: 'remove', label: 'Remove from workspace', icon: IconUserMinus, danger: true },
  ]
}

export function MemberMenu({ member }: { member: Member }) {
  const [dialog, setDialog] = useState<MemberDialogKind | null>(null)
  const edit = useMay('edit:member')
  const transfer = useMay('transfer:workspace')
  const write = useSession().workspace?.entitlements.readOnly === null
  const actions = memberActions(member, { edit, transfer, write })
  if (actions.length === 0) return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Actions for ${member.name}`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {actions.map(({ dialog: opens, label, icon: Icon, danger }) => (
            <Menu.Item
              key={opens}
              leftSection={<Icon size={16} aria-hidden />}
              {...(danger ? { c: 'var(--bad)' } : {})}
              onClick={() => setDialog(opens)}
            >
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
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
