import { MultiSelect as MantineMultiSelect, type MultiSelectProps } from '@mantine/core'
import { useState } from 'react'

/** A choice of several. Enter takes the first match of what was typed; with nothing typed it sends the form. */
export function MultiSelect(props: Omit<MultiSelectProps, 'searchValue' | 'onSearchChange'>) {
  const [search, setSearch] = useState('')
  return (
    <MantineMultiSelect
      {...props}
      searchValue={search}
      onSearchChange={setSearch}
      selectFirstOptionOnChange={search !== ''}
    />
  )
}
