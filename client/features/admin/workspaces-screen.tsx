import { Button, Group, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { adminWorkspacesQuery } from './queries'
import { WorkspacesTable } from './workspaces-table'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

/** Every workspace of this installation: who owns it, on which terms, and how much it holds. */
export function WorkspacesScreen() {
  const { q = '' } = useSearch({ strict: false })
  const list = useInfiniteQuery(adminWorkspacesQuery(q))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title="Workspaces" description="How much each holds, never what. Every look is logged." />
      <Group mb="md">
        <SearchField q={q} />
      </Group>
      {list.error && <ErrorState error={list.error} onRetry={() => void list.refetch()} />}
      {list.isPending && <TableSkeleton count={8} />}
      {list.data && items.length === 0 && (
        <EmptyState picture="search" title="No workspace found" sentence="Search by name, id or a member’s address." />
      )}
      {items.length > 0 && <WorkspacesTable items={items} />}
      {list.hasNextPage && (
        <Group justify="center" mt="lg">
          <Button variant="default" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Show more
          </Button>
        </Group>
      )}
    </>
  )
}

/** What is typed: at once on screen, a moment later in the address. */
function SearchField({ q }: { q: string }) {
  const navigate = useNavigate()
  const [text, setText] = useState(q)
  const updateSearch = useDebouncedCallback((next: string) => {
    void navigate({ to: '/admin/workspaces', search: (old) => ({ ...old, q: next || undefined }), replace: true })
  }, 250)
  return (
    <TextInput
      aria-label="Search workspaces"
      placeholder="Name, id or e-mail"
      leftSection={<IconSearch size={16} aria-hidden />}
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value)
        updateSearch(event.currentTarget.value.trim())
      }}
      style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
    />
  )
}
