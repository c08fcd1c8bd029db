import { Tabs } from '@mantine/core'
import { IconUserPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { InvitesTab } from './invites-tab'
import { MembersTab } from './members-tab'
import { OwnershipBanner } from './ownership'
import { NO_FILTER, membersQuery } from './queries'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { LinkButton } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'

const MEMBER_TABS = [
  { value: 'members', label: 'Members', invites: false },
  { value: 'invitations', label: 'Invitations', invites: true },
  { value: 'groups', label: 'Groups', invites: false },
] as const

export interface MembersScreenProps {
  /** The tab of groups. */
  groups: ReactNode
}

/** Who belongs to the workspace, who was invited, and how people are grouped. The tab stands in the address. */
export function MembersScreen({ groups }: MembersScreenProps) {
  const { tab } = useSearch({ strict: false })
  const navigate = useNavigate()
  const mayInvite = useMay('invite:member')
  const writable = useSession().workspace?.entitlements.readOnly === null
  const tabs = MEMBER_TABS.filter(({ invites }) => mayInvite || !invites)
  const shown = tabs.find(({ value }) => value === tab)?.value ?? 'members'
  // With nobody else here, the list below offers it.
  const everybody = useInfiniteQuery(membersQuery(NO_FILTER))
  const isAlone = everybody.isPending || everybody.data?.pages[0]?.items.length === 1
  const canInvite = mayInvite && writable && !(shown === 'members' && isAlone)
  const selectTab = (value: string | null) =>
    void navigate({
      to: '/settings/workspace/members',
      search: value === null || value === 'members' ? {} : { tab: value },
      replace: true,
    })
  return (
    <>
      <PageHeader
        title="Members"
        actions={
          canInvite && (
            <LinkButton to="/settings/workspace/members/invite" leftSection={<IconUserPlus size={18} aria-hidden />}>
              Invite people
            </LinkButton>
          )
        }
      />
      <OwnershipBanner />
      <Tabs value={shown} onChange={selectTab} keepMounted={false}>
        <Tabs.List mb="md">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab key={value} value={value}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <MembersTab />
        </Tabs.Panel>
        {mayInvite && (
          <Tabs.Panel value="invitations">
            <InvitesTab />
          </Tabs.Panel>
        )}
        <Tabs.Panel value="groups">{groups}</Tabs.Panel>
      </Tabs>
    </>
  )
}
