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
import { ChangeRole } from './change-role'
import { EndMembership } from './end-membership'
import { LeaveWorkspace } from './leave-workspace'
import { OfferOwnership } from './offer-ownership'
import { ResumeMember } from './resume-member'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import type { Member } from '../../../src/shared/members'

type Dialog = 'role' | 'suspend' | 'resume' | 'remove' | 'leave' | 'ownership'
interface Action {
  dialog: Dialog
  label: string
  icon: typeof IconDots
  danger?: boolean
}

/** What the person who looks may do to members. `write`: the workspace takes changes. */
export interface MayDo {
  edit: boolean
  transfer: boolean
  write: boolean
}

/** What may be done with somebody. Owners are changed by owners only; oneself one can only leave. */
export function actionsFor(member: Member, { edit, transfer, write }: MayDo): Action[] {
  if (member.self) return [{ dialog: 'leave', label: 'Leave workspace', icon: IconDoorExit, danger: true }]
  if (!edit || (member.role === 'owner' && !transfer)) return []
  const suspended = member.status === 'suspended'
  const offerable = transfer && !suspended && member.role !== 'client' && member.role !== 'owner'
  const changes: Action[] = suspended
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
  const [dialog, setDialog] = useState<Dialog | null>(null)
  const edit = useMay('edit:member')
  const transfer = useMay('transfer:workspace')
  const write = useSession().workspace?.entitlements.readOnly === null
  const actions = actionsFor(member, { edit, transfer, write })
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
      {dialog && <MemberDialog dialog={dialog} member={member} onClose={() => setDialog(null)} />}
    </>
  )
}

function MemberDialog({ dialog, ...rest }: { dialog: Dialog; member: Member; onClose: () => void }) {
  if (dialog === 'role') return <ChangeRole {...rest} />
  if (dialog === 'resume') return <ResumeMember {...rest} />
  if (dialog === 'leave') return <LeaveWorkspace {...rest} />
  if (dialog === 'ownership') return <OfferOwnership {...rest} />
  return <EndMembership {...rest} ending={dialog} />
}
