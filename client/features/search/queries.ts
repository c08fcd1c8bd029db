import { queryOptions } from '@tanstack/react-query'
import { workspaceId } from '../../lib/session'
import { readJson, api } from '../../lib/api'
import type { ListPage } from '../../../src/shared/field-schemas'

export interface SearchResult {
  kind: 'source' | 'insight'
  id: string
  name: string
}
type NamedItem = Pick<SearchResult, 'id' | 'name'>

/** One letter finds too much to be of use. */
export const SEARCH_MIN_CHARS = 2
const PER_KIND = '6'

/** Sources and insights of this workspace whose name holds the text. */
export const searchQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', workspaceId(), text],
    enabled: text.length >= SEARCH_MIN_CHARS,
    queryFn: async ({ signal }): Promise<SearchResult[]> => {
      const [sources, insights] = await Promise.all([
        readJson<ListPage<NamedItem>>(
          api.api['data-sources'].$get({ query: { search: text, limit: PER_KIND } }, { init: { signal } }),
        ),
        readJson<ListPage<NamedItem>>(
          api.api.insights.$get({ query: { q: text, limit: PER_KIND } }, { init: { signal } }),
        ),
      ])
      return [
        ...insights.items.map(({ id, name }): SearchResult => ({ kind: 'insight', id, name })),
        ...sources.items.map(({ id, name }): SearchResult => ({ kind: 'source', id, name })),
      ]
    },
  })
