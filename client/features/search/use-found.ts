import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { IconChartBar, IconDatabase } from '@tabler/icons-react'
import { searchQuery, SEARCH_MIN_CHARS } from './queries'
import type { SearchResult } from './queries'
import type { SearchAction } from './search-actions'

/** What the workspace holds under a name, as things to open. */
export function useSearchResults(text: string): { items: SearchAction[]; waiting: boolean; failed: boolean } {
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
