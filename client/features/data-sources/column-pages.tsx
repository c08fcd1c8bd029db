import { Button, Group, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useFormat } from '../../lib/format'

/** Columns drawn at once: 500 menus and 50 000 cells would make every click wait. */
const COLUMNS_PER_PAGE = 30

/** Which columns of so many are drawn, from `first` to before `end`, and what turns to others; null where they are all. */
export function useColumnPages(count: number): { first: number; end: number; pager: ReactNode } {
  const [page, setPage] = useState(0)
  const pages = Math.ceil(count / COLUMNS_PER_PAGE)
  const first = Math.min(page, Math.max(0, pages - 1)) * COLUMNS_PER_PAGE
  const pager = pages > 1 ? <ColumnPager {...{ first, count, onPage: setPage }} /> : null
  return { first, end: first + COLUMNS_PER_PAGE, pager }
}

function ColumnPager({ first, count, onPage }: { first: number; count: number; onPage: (page: number) => void }) {
  const format = useFormat()
  const page = first / COLUMNS_PER_PAGE
  const last = Math.min(first + COLUMNS_PER_PAGE, count)
  return (
    <Group gap="xs" justify="flex-end">
      <Text size="sm" c="dimmed" role="status">
        Columns {format.count(first + 1)}–{format.count(last)} of {format.count(count)}
      </Text>
      <Button size="xs" variant="default" disabled={first === 0} onClick={() => onPage(page - 1)}>
        Previous columns
      </Button>
      <Button size="xs" variant="default" disabled={last === count} onClick={() => onPage(page + 1)}>
        Next columns
      </Button>
    </Group>
  )
}
