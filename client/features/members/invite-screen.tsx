import { Alert } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useState } from 'react'
import { InviteForm } from './invite-form'
import { InviteResults } from './invite-lines'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkAnchor } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import type { InviteResult } from '../../../src/shared/invites'

/** Invites up to 50 people at once, and says of each address what became of it. */
export function InviteScreen() {
  const [lines, setLines] = useState<readonly InviteResult[]>([])
  const may = useMay('invite:member')
  const readOnly = useSession().workspace?.entitlements.readOnly ?? null
  return (
    <div style={{ maxWidth: 640 }}>
      <PageHeader
        breadcrumb={
          <LinkAnchor to="/settings/workspace/members" size="sm">
            Members
          </LinkAnchor>
        }
        title="Invite people"
        description="Each gets a mail with a link that works for 7 days, and for that address only."
      />
      {!may && (
        <Alert color="gray" icon={<IconEye aria-hidden />}>
          Owners and administrators invite people. Ask one of them.
        </Alert>
      )}
      {may && readOnly !== null && (
        // Above every screen it is said why, and what can be done.
        <EmptyState
          picture="locked"
          title="Nobody can be invited right now"
          sentence="Everybody who is here stays. People can be invited as soon as the workspace takes changes."
          action={<LinkAnchor to="/settings/workspace/members">See the members</LinkAnchor>}
        />
      )}
      {may && readOnly === null && (
        <>
          <InviteResults lines={lines} />
          <InviteForm onSent={setLines} />
        </>
      )}
    </div>
  )
}
