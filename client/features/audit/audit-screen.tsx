import { QueryError, RefetchError } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { AuditFilterBar, useAuditFilter } from './audit-filter'
import { AuditList } from './audit-list'
import { auditQuery, downloadAuditFile, type AuditFilter } from './queries'
import { useMay } from '../../lib/gate'
import { EmptyState } from '../../ui/empty-state'
import { FormError } from '../../ui/forms/form-error'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

/** Who did what in the workspace, and when. For owners and admins. */
export function AuditScreen() {
  const may = useMay('view:audit')
  const { filter } = useAuditFilter()
  const save = useAuditExport()
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          may && (
            <Button
              variant="default"
              leftSection={<IconDownload size={16} aria-hidden />}
              loading={save.isPending}
              onClick={() => save.mutate(filter)}
            >
              Export CSV
            </Button>
          )
        }
      />
      <FormError error={save.error} />
      {may ? <AuditLog /> : <NoPermission />}
    </>
  )
}

/** Taking the log along is itself a line of it. */
function useAuditExport() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (filter: AuditFilter) => downloadAuditFile(filter),
    onSuccess: ({ file, name }) => {
      const address = URL.createObjectURL(file)
      const link = document.createElement('a')
      link.href = address
      link.download = name
      link.click()
      // The download has its own hold on the bytes once it has begun.
      setTimeout(() => URL.revokeObjectURL(address), 10_000)
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['audit'] }),
  })
}

function NoPermission() {
  return <EmptyState picture="locked" title="Only for owners and admins" sentence="Ask one of them for access." />
}

function AuditLog() {
  const { filter, setFilter, isFiltered } = useAuditFilter()
  const list = useInfiniteQuery(auditQuery(filter))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <AuditFilterBar items={items} />
      {list.error && !list.data && <QueryError query={list} />}
      <RefetchError query={list} />
      {list.isPending && <TableSkeleton count={6} />}
      {list.data && items.length === 0 && <EmptyLog narrowed={isFiltered} onClear={() => setFilter({})} />}
      {items.length > 0 && <AuditList items={items} />}
      <ShowMore query={list} mt="lg" />
    </>
  )
}

function EmptyLog({ narrowed, onClear }: { narrowed: boolean; onClear: () => void }) {
  if (!narrowed) return <EmptyState picture="search" title="No activity yet" sentence="See who changed what." />
  return (
    <EmptyState
      picture="search"
      title="No activity matches"
      sentence="Change or clear the filters."
      action={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    />
  )
}
