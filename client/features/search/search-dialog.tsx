import '@mantine/spotlight/styles.css'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'
import { matches, useSearchActions } from './search-actions'
import type { SearchAction } from './search-actions'

const GROUPS = ['Actions', 'Pages', 'Workspaces'] as const

/** ⌘K: everything the product can open or start from here. */
export function SearchDialog() {
  const [query, setQuery] = useState('')
  const actions = useSearchActions().filter((action) => matches(action, query))
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      aria-label="Search"
      scrollable
      maxHeight={460}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      styles={{ content: { marginTop: '12vh', alignSelf: 'flex-start' } }}
    >
      <Spotlight.Search
        placeholder="Search pages and actions"
        aria-label="Search pages and actions"
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {GROUPS.map((label) => (
          <Group key={label} label={label} actions={actions.filter((action) => action.group === label)} />
        ))}
        {actions.length === 0 && <Spotlight.Empty>Nothing has that name.</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function Group({ label, actions }: { label: string; actions: SearchAction[] }) {
  if (actions.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {actions.map(({ id, label: words, description, icon: Icon, run }) => (
        <Spotlight.Action
          key={id}
          label={words}
          {...(description === undefined ? {} : { description })}
          leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
          onClick={() => {
            spotlight.close()
            run()
          }}
        />
      ))}
    </Spotlight.ActionsGroup>
  )
}
