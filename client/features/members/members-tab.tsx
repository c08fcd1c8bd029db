import { DebouncedSearchField } from '../../ui/forms/search-field'
import { QueryError, RefetchError } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Group, Select, Stack } from '@mantine/core'
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import classes from './members.module.css'
import { membersQuery, type MemberFilter } from './queries'
import { groupsQuery } from '../../lib/queries/group-queries'
import { ROLE_TEXT } from './roles'
import { useMay } from '../../lib/gate'
import { ROLES } from '../../../src/shared/permissions'
import { OverLimitMembersNotice, useOverLimitMembers } from './over-limit-members'
import { MembersTable, MemberNameList } from './members-table'
import { RestoredMembers } from './restored-members'
import { SeatsLine } from './seats'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { LinkButton } from '../../ui/buttons/links'
import { TableSkeleton } from '../../ui/skeletons'
import { MEMBER_STATUSES } from '../../../src/shared/members'

const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: ROLE_TEXT[value].name }))
const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
]

type FilterSearch = Partial<Record<'q' | 'role' | 'status' | 'group', string | undefined>>

/** Search by name and address, and filters. All of it stands in the address. */
function MemberFilterBar({ filter }: { filter: MemberFilter }) {
  const navigate = useNavigate()
  const mayEdit = useMay('edit:member')
  const groups = useQuery({ ...groupsQuery(), enabled: mayEdit })
  const updateSearch = (part: FilterSearch) =>
    void navigate({
      to: '/settings/workspace/members',
      search: (old) => ({ ...old, ...part }),
      replace: true,
    })
  return (
    <Group gap="sm">
      <DebouncedSearchField
        label="Search members"
        placeholder={mayEdit ? 'Search by name or email' : 'Search by name'}
        initial={filter.q}
        maxLength={80}
        className={classes.search}
        onSearch={(words) => updateSearch({ q: words || undefined })}
      />
      <MemberFilterSelect
        of="role"
        placeholder="All roles"
        data={ROLE_OPTIONS}
        value={filter.role}
        onPick={updateSearch}
      />
      {mayEdit && (
        <MemberFilterSelect
          of="status"
          placeholder="All statuses"
          data={STATUS_OPTIONS}
          value={filter.status}
          onPick={updateSearch}
        />
      )}
      {groups.data && groups.data.length > 0 && (
        <MemberFilterSelect
          of="group"
          placeholder="All groups"
          searchable
          data={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.group}
          onPick={updateSearch}
        />
      )}
    </Group>
  )
}

const FILTER_LABELS = { role: 'Role', status: 'Status', group: 'Group' } as const

interface MemberFilterSelectProps {
  of: keyof typeof FILTER_LABELS
  /** What stands there while nothing is chosen. */
  placeholder: string
  data: { value: string; label: string }[]
  value: string | undefined
  searchable?: boolean
  onPick: (part: FilterSearch) => void
}

function MemberFilterSelect({
  of,
  placeholder: every,
  data,
  value,
  searchable = false,
  onPick,
}: MemberFilterSelectProps) {
  return (
    <Select
      allowDeselect
      clearable
      className={classes.filter}
      aria-label={FILTER_LABELS[of]}
      placeholder={every}
      clearButtonProps={{ 'aria-label': `Show ${every.toLowerCase()}` }}
      searchable={searchable}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onPick({ [of]: chosen ?? undefined })}
    />
  )
}

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
  const filter = useMemberFilter()
  const mayEdit = useMay('edit:member')
  const frozen = useOverLimitMembers()
  const list = useInfiniteQuery(membersQuery(filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  // Somebody who narrows the list to one person is not alone.
  const isFiltered = filter.q !== '' || Boolean(filter.role ?? filter.status ?? filter.group)
  const isAlone = !isFiltered && items.length === 1 && !list.hasNextPage
  if (list.error && !list.data) return <QueryError query={list} />
  return (
    <Stack gap="md">
      {mayEdit && (frozen.users || frozen.analysts ? <OverLimitMembersNotice frozen={frozen} /> : <SeatsLine />)}
      {mayEdit && <RestoredMembers />}
      {(!isAlone || isFiltered) && <MemberFilterBar filter={filter} />}
      <RefetchError query={list} />
      {!list.data && <TableSkeleton count={4} />}
      {list.data && items.length === 0 && (
        <EmptyState picture="search" title="No members match" sentence="Try another name or clear a filter." />
      )}
      {items.length > 0 &&
        (mayEdit ? (
          <MembersTable members={items} frozen={frozen} now={list.dataUpdatedAt} />
        ) : (
          <MemberNameList members={items} />
        ))}
      <ShowMore query={list} />
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
      title="Just you so far"
      sentence="Invite colleagues to share insights."
      action={<LinkButton to="/settings/workspace/members/invite">Invite people</LinkButton>}
    />
  )
}
