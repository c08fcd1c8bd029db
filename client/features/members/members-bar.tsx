import { Group, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import classes from './members.module.css'
import { groupsQuery } from './queries'
import type { MemberFilter } from './queries'
import { ROLE_WORDS } from './role-words'
import { useMay } from '../../lib/gate'
import { ROLES } from '../../../src/shared/permissions'

const ROLE_CHOICES = ROLES.map((value) => ({ value, label: ROLE_WORDS[value].name }))
const STATUS_CHOICES = [
  { value: 'active', label: 'Active' },
  { value: 'suspended', label: 'Suspended' },
]

type Search = Partial<Record<'q' | 'role' | 'status' | 'group', string | undefined>>

/** Search by name and address, and filters. All of it stands in the address. */
export function MembersBar({ filter }: { filter: MemberFilter }) {
  const navigate = useNavigate()
  const [text, setText] = useState(filter.q)
  const mayEdit = useMay('edit:member')
  const groups = useQuery({ ...groupsQuery(), enabled: mayEdit })
  const go = (part: Search) =>
    void navigate({
      to: '/settings/workspace/members',
      search: (old) => ({ ...old, ...part }),
      replace: true,
    })
  const settle = useDebouncedCallback((words: string) => go({ q: words === '' ? undefined : words }), 250)
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
          settle(event.currentTarget.value.trim())
        }}
      />
      <Filter of="role" every="Every role" data={ROLE_CHOICES} value={filter.role} onPick={go} />
      {mayEdit && <Filter of="status" every="Every state" data={STATUS_CHOICES} value={filter.status} onPick={go} />}
      {groups.data && groups.data.length > 0 && (
        <Filter
          of="group"
          every="Every group"
          searchable
          data={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.group}
          onPick={go}
        />
      )}
    </Group>
  )
}

const LABEL = { role: 'Role', status: 'State', group: 'Group' } as const

interface FilterProps {
  of: keyof typeof LABEL
  /** What stands there while nothing is chosen. */
  every: string
  data: { value: string; label: string }[]
  value: string | undefined
  searchable?: boolean
  onPick: (part: Search) => void
}

function Filter({ of, every, data, value, searchable = false, onPick }: FilterProps) {
  return (
    <Select
      clearable
      className={classes.filter}
      aria-label={LABEL[of]}
      placeholder={every}
      clearButtonProps={{ 'aria-label': `Show ${every.toLowerCase()}` }}
      searchable={searchable}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onPick({ [of]: chosen ?? undefined })}
    />
  )
}
