import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconUserPlus } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { peopleQuery } from './queries'

export interface AddGroupMemberProps {
  /** Who belongs to the group already. */
  existingIds: ReadonlySet<string>
  pending: boolean
  onAdd: (userId: string) => void
}

/** Finds somebody of the workspace by name and adds them. */
export function AddGroupMember({ existingIds, pending, onAdd }: AddGroupMemberProps) {
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 200)
  const { data, isFetching } = useQuery({ ...peopleQuery(q), placeholderData: keepPreviousData })
  const found = (data ?? [])
    .filter(({ userId }) => !existingIds.has(userId))
    .map(({ userId, name, email }) => ({ value: userId, label: email === null ? name : `${name} (${email})` }))
  return (
    <Select
      label="Add a person"
      placeholder="Search by name"
      leftSection={<IconUserPlus size={16} aria-hidden />}
      data={found}
      value={null}
      searchable
      searchValue={text}
      onSearchChange={setText}
      // What the server found is what is offered.
      filter={({ options }) => options}
      nothingFoundMessage={isFetching ? 'Searching …' : 'Nobody else by this name. Invite them first.'}
      disabled={pending}
      onChange={(userId) => {
        if (userId === null) return
        onAdd(userId)
        setText('')
      }}
      maw={420}
    />
  )
}
