import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { useEffect } from 'react'

/** A list that the server sends in pages. */
export interface PagedItems<Item> {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  isFetchNextPageError: boolean
  fetchNextPage: () => Promise<unknown>
  /** Everything in it, read to its end. @throws what the server answered */
  readAll: () => Promise<readonly Item[]>
}

/** The pages of a query as a list that can be read to its end. */
export const pagedItems = <Page, Item>(
  query: UseInfiniteQueryResult<InfiniteData<Page>>,
  itemsOf: (page: Page) => readonly Item[],
): PagedItems<Item> => ({
  hasNextPage: query.hasNextPage,
  isFetchingNextPage: query.isFetchingNextPage,
  isFetchNextPageError: query.isFetchNextPageError,
  fetchNextPage: () => query.fetchNextPage(),
  readAll: async () => {
    let read = query
    while (read.hasNextPage) {
      read = await read.fetchNextPage()
      if (read.isError) throw read.error
    }
    return (read.data?.pages ?? []).flatMap(itemsOf)
  },
})

/** Reads the rest of a list page by page once it is wanted; true while it does. A page that cannot be read ends it. */
export function useRestOfList(list: PagedItems<never> | PagedItems<unknown> | undefined, wanted: boolean): boolean {
  const goesOn = wanted && list !== undefined && list.hasNextPage && !list.isFetchNextPageError
  const isReading = list?.isFetchingNextPage ?? false
  useEffect(() => {
    if (goesOn && !isReading) void list.fetchNextPage()
  }, [goesOn, isReading, list])
  return goesOn
}
