import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconChartBar, IconDatabase, IconSearch } from '@tabler/icons-react'
import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, spotlight } from '@mantine/spotlight'
import { useState } from 'react'
import { searchQuery, SEARCH_MIN_CHARS, type SearchResult } from './queries'
import { matchesQuery, useSearchActions, type SearchAction } from './search-actions'

/** What the workspace holds under a name, as things to open. */
function useSearchResults(text: string): { items: SearchAction[]; waiting: boolean; failed: boolean } {
  const navigate = useNavigate()
  const { data, isFetching, isError } = useQuery({ ...searchQuery(text), placeholderData: keepPreviousData })
  const open = ({ kind, id }: SearchResult) =>
    void (kind === 'insight'
      ? navigate({ to: '/insights/$id', params: { id } })
      : navigate({ to: '/data-sources/$id', params: { id } }))
  const found = text.length < SEARCH_MIN_CHARS ? [] : (data ?? [])
  const items = found.map((one): SearchAction => ({
    id: one.id,
    group: one.kind === 'insight' ? 'Insights' : 'Data sources',
    label: one.name,
    icon: one.kind === 'insight' ? IconChartBar : IconDatabase,
    run: () => open(one),
  }))
  return { items, waiting: isFetching, failed: isError }
}

const GROUPS = ['Insights', 'Data sources', 'Actions', 'Pages', 'Workspaces'] as const

/** ⌘K: everything the product can open or start from here, and what the workspace holds by name. */
export function SearchDialog() {
  const [query, setQuery] = useState('')
  const [debouncedQuery] = useDebouncedValue(query.trim(), 200)
  const found = useSearchResults(debouncedQuery)
  const actions = useSearchActions().filter((action) => matchesQuery(action, query))
  const all = [...(query.trim() === '' ? [] : found.items), ...actions]
  const empty = found.failed ? 'Names could not be searched. Check the connection.' : 'Nothing has that name.'
  return (
    <Spotlight.Root
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K']}
      attributes={{ content: { 'aria-label': 'Search' } }}
      scrollable
      maxHeight={460}
      overlayProps={{ backgroundOpacity: 0.35, blur: 0 }}
      styles={{ content: { marginTop: '10vh', alignSelf: 'flex-start' }, actionsList: { paddingBottom: 8 } }}
    >
      <Spotlight.Search
        placeholder="Search insights, sources, pages and actions"
        aria-label="Search insights, sources, pages and actions"
        leftSection={<IconSearch size={18} stroke={1.6} aria-hidden />}
      />
      <Spotlight.ActionsList>
        {GROUPS.map((label) => (
          <SearchGroup key={label} label={label} actions={all.filter((action) => action.group === label)} />
        ))}
        {all.length === 0 && <Spotlight.Empty>{found.waiting ? 'Searching …' : empty}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

function SearchGroup({ label, actions }: { label: string; actions: SearchAction[] }) {
  if (actions.length === 0) return null
  return (
    <Spotlight.ActionsGroup label={label}>
      {actions.map(({ id, label: words, icon: Icon, run }) => (
        <Spotlight.Action
          key={id}
          label={words}
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
