import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import classes from './members.module.css'
import { groupsQuery } from './queries'
import type { MemberFilter } from './queries'
import { ROLE_TEXT } from './role-words'
import { useMay } from '../../lib/gate'
import { ROLES } from '../../../src/shared/permissions'

const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: ROLE_TEXT[value].name }))
const STATUS_OPTIONS = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
]

type FilterSearch = Partial<Record<'q' | 'role' | 'status' | 'group', string | undefined>>

/** Search by name and address, and filters. All of it stands in the address. */
export function MemberFilterBar({ filter }: { filter: MemberFilter }) {
  const navigate = useNavigate()
  const [text, setText] = useState(filter.q)
  const mayEdit = useMay('edit:member')
  const groups = useQuery({ ...groupsQuery(), enabled: mayEdit })
  const updateSearch = (part: FilterSearch) =>
    void navigate({
      to: '/settings/workspace/members',
      search: (old) => ({ ...old, ...part }),
      replace: true,
    })
  const debouncedSearch = useDebouncedCallback(
    (words: string) => updateSearch({ q: words === '' ? undefined : words }),
    250,
  )
  return (
    <Group gap="sm">
      <TextInput
        aria-label="Search members"
        placeholder={mayEdit ? 'Search names and addresses' : 'Search names'}
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        maxLength={80}
        className={classes.search}
        onChange={(event) => {
          setText(event.currentTarget.value)
          debouncedSearch(event.currentTarget.value.trim())
        }}
      />
      <MemberFilterSelect
        of="role"
        placeholder="Every role"
        data={ROLE_OPTIONS}
        value={filter.role}
        onPick={updateSearch}
      />
      {mayEdit && (
        <MemberFilterSelect
          of="status"
          placeholder="Every state"
          data={STATUS_OPTIONS}
          value={filter.status}
          onPick={updateSearch}
        />
      )}
      {groups.data && groups.data.length > 0 && (
        <MemberFilterSelect
          of="group"
          placeholder="Every group"
          searchable
          data={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.group}
          onPick={updateSearch}
        />
      )}
    </Group>
  )
}

const FILTER_LABELS = { role: 'Role', status: 'State', group: 'Group' } as const

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
