import { Button, Group, type GroupProps } from '@mantine/core'

/** The part of a paged query that is needed to go on. */
interface PagedQuery {
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

export interface ShowMoreProps extends Pick<GroupProps, 'mt' | 'p' | 'justify'> {
  query: PagedQuery
  label?: string
  size?: 'xs' | 'sm'
}

/** Reads the next page of a list; nothing when all of it is here. */
export function ShowMore({ query, label = 'Show more', size = 'sm', justify = 'center', ...space }: ShowMoreProps) {
  if (!query.hasNextPage) return null
  return (
    <Group justify={justify} {...space}>
      <Button
        variant="default"
        size={size}
        loading={query.isFetchingNextPage}
        onClick={() => void query.fetchNextPage()}
      >
        {label}
      </Button>
    </Group>
  )
}
