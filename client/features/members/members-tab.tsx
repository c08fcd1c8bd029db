import { Button, Group, Stack } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { OverLimitMembersNotice } from './frozen-notice'
import { useOverLimitMembers } from './frozen-people'
import { MemberFilterBar } from './members-bar'
import { MembersTable } from './members-table'
import { MemberNameList } from './name-list'
import { membersQuery } from './queries'
import type { MemberFilter } from './queries'
import { SeatsLine } from './seats-line'
import { useMay } from '../../lib/gate'
import { useFormat } from '../../lib/format'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkButton } from '../../ui/links'
import { TableSkeleton } from '../../ui/skeletons'
import { MEMBER_STATUSES } from '../../../src/shared/members'
import { ROLES } from '../../../src/shared/permissions'

/** The list's filter as the address holds it; words that mean nothing are left out. */
function useMemberFilter(): MemberFilter {
  const { q = '', role, status, group } = useSearch({ strict: false })
  return {
    q,
    role: ROLES.find((one) => one === role),
    status: MEMBER_STATUSES.find((one) => one === status),
    group,
  }
}

/** Everybody, with seats above and a search. People who may not change members see names, and nothing to change. */
export function MembersTab() {
  const format = useFormat()
  const filter = useMemberFilter()
  const mayEdit = useMay('edit:member')
  const frozen = useOverLimitMembers()
  const list = useInfiniteQuery(membersQuery(filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // Somebody who narrows the list to one person is not alone.
  const isFiltered = filter.q !== '' || Boolean(filter.role ?? filter.status ?? filter.group)
  const isAlone = !isFiltered && items.length === 1 && !list.hasNextPage
  const retry = () => void list.refetch()
  if (list.error && !list.data) return <ErrorState error={list.error} onRetry={retry} />
  return (
    <Stack gap="md">
      {mayEdit && (frozen.users || frozen.analysts ? <OverLimitMembersNotice frozen={frozen} /> : <SeatsLine />)}
      {(!isAlone || isFiltered) && <MemberFilterBar filter={filter} />}
      {list.error && (
        <ErrorState
          error={list.error}
          onRetry={retry}
          lastGoodAt={format.dateTime(new Date(list.dataUpdatedAt).toISOString())}
        />
      )}
      {!list.data && <TableSkeleton count={4} />}
      {list.data && items.length === 0 && (
        <EmptyState picture="search" title="Nobody matches" sentence="Try another name, or take a filter away." />
      )}
      {items.length > 0 &&
        (mayEdit ? (
          <MembersTable members={items} frozen={frozen} now={list.dataUpdatedAt} />
        ) : (
          <MemberNameList members={items} />
        ))}
      {list.hasNextPage && (
        <Group justify="center">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
      {isAlone && <InviteFirstMember />}
    </Stack>
  )
}

function InviteFirstMember() {
  const mayInvite = useMay('invite:member')
  const writable = useSession().workspace?.entitlements.readOnly === null
  if (!mayInvite || !writable) return null
  return (
    <EmptyState
      picture="people"
      title="You are here alone so far"
      sentence="Invite colleagues by e-mail. Viewers open insights, analysts make them, and nobody sees another workspace of yours."
      action={<LinkButton to="/settings/workspace/members/invite">Invite people</LinkButton>}
    />
  )
}
