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

/** Search by name and address, and filters. All of it stands in the address. */
export function MembersBar({ filter }: { filter: MemberFilter }) {
  const navigate = useNavigate()
  const [text, setText] = useState(filter.q)
  const mayEdit = useMay('edit:member')
  const groups = useQuery({ ...groupsQuery(), enabled: mayEdit })
  const go = (part: Partial<Record<'q' | 'role' | 'status' | 'group', string | undefined>>) =>
    void navigate({
      to: '/settings/workspace/members',
      search: (old) => ({ ...old, ...part }),
      replace: true,
    })
  const settle = useDebouncedCallback((words: string) => go({ q: words === '' ? undefined : words }), 250)
  const pick = (key: 'role' | 'status' | 'group') => (value: string | null) => go({ [key]: value ?? undefined })
  const shared = { clearable: true, className: classes.filter } as const
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
      <Select
        {...shared}
        aria-label="Role"
        placeholder="Every role"
        clearButtonProps={{ 'aria-label': 'Show every role' }}
        data={ROLE_CHOICES}
        value={filter.role ?? null}
        onChange={pick('role')}
      />
      {mayEdit && (
        <Select
          {...shared}
          aria-label="State"
          placeholder="Every state"
          clearButtonProps={{ 'aria-label': 'Show every state' }}
          data={STATUS_CHOICES}
          value={filter.status ?? null}
          onChange={pick('status')}
        />
      )}
      {groups.data && groups.data.length > 0 && (
        <Select
          {...shared}
          aria-label="Group"
          placeholder="Every group"
          clearButtonProps={{ 'aria-label': 'Show every group' }}
          searchable
          data={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
          value={filter.group ?? null}
          onChange={pick('group')}
        />
      )}
    </Group>
  )
}
