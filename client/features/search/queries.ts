import { queryOptions } from '@tanstack/react-query'
import { answer, api } from '../../lib/api'
import { session } from '../../lib/session'
import type { Page } from '../../../src/shared/names'

export interface Found {
  kind: 'source' | 'insight'
  id: string
  name: string
}
type Named = Pick<Found, 'id' | 'name'>

/** One letter finds too much to be of use. */
export const SEARCH_MIN_CHARS = 2
const PER_KIND = '6'

/** Sources and insights of this workspace whose name holds the text. */
export const foundQuery = (text: string) =>
  queryOptions({
    queryKey: ['search', session().workspace?.id, text],
    enabled: text.length >= SEARCH_MIN_CHARS,
    queryFn: async ({ signal }): Promise<Found[]> => {
      const [sources, insights] = await Promise.all([
        answer<Page<Named>>(
          api.api['data-sources'].$get({ query: { search: text, limit: PER_KIND } }, { init: { signal } }),
        ),
        answer<Page<Named>>(api.api.insights.$get({ query: { q: text, limit: PER_KIND } }, { init: { signal } })),
      ])
      return [
        ...insights.items.map(({ id, name }): Found => ({ kind: 'insight', id, name })),
        ...sources.items.map(({ id, name }): Found => ({ kind: 'source', id, name })),
      ]
    },
  })
