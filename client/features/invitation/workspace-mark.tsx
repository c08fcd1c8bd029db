import { Avatar, Text } from '@mantine/core'
import { initials } from '../../lib/initials'
import type { InvitePreview } from '../../../src/shared/invites'

const ROLE_TEXT: Record<InvitePreview['role'], string> = {
  owner: 'as its owner',
  admin: 'as an admin: you load data, make insights, invite people and change settings',
  analyst: 'as an analyst: you connect sources, load data and make insights',
  viewer: 'as a viewer: you open insights and data and export them',
  client: 'as a client: you see what is shared with you',
}

/** Which workspace somebody is invited to, by whom, and what they may do there. */
export function InvitationSummary({ look: { workspace, invitedBy, email, role } }: { look: InvitePreview }) {
  return (
    <div className="surface" style={{ display: 'flex', gap: 14, padding: 16 }}>
      <Avatar src={workspace.logo} alt="" size={44} radius="md" variant="filled" color="accent" aria-hidden>
        {initials(workspace.name)}
      </Avatar>
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text fw={600}>{workspace.name}</Text>
        <Text size="sm">
          {invitedBy} invites you {ROLE_TEXT[role]}.
        </Text>
        <Text size="sm" c="dimmed">
          For {email}
        </Text>
      </div>
    </div>
  )
}
