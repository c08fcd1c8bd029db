import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { DeletedItem } from '../../../src/shared/deleted'
import { describeRolesWith } from '../../../src/shared/permissions'
import { ApiError } from '../../lib/api'
import { DELETED_KIND_LABELS, deletedItemQuery, RESTORE_PERMISSIONS, restoreItem } from '../../lib/deleted/restore-item'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../empty-state'
import { QueryError } from '../query-view'
import { ScreenSkeleton } from '../skeletons'
import { RestoreRefusal } from './restore-refusal'

interface SubjectPageProps<T> {
  /** Reads what the page is about. */
  query: { data: T | undefined; error: unknown; refetch: () => Promise<unknown> }
  /** Of what may have been deleted. */
  id: string
  children: (data: T) => ReactNode
}

/**
 * A page about one thing. Where the thing is gone, also while the page is open, it says what was deleted and offers it
 * back; of what never was here it says no more than that it was not found.
 */
export function SubjectPage<T>({ query, id, children }: SubjectPageProps<T>) {
  const isGone = query.error instanceof ApiError && query.error.body.code === 'not_found'
  const deleted = useQuery({ ...deletedItemQuery(id), enabled: isGone })
  const isAsking = isGone && deleted.isPending
  if (query.data !== undefined && (!isGone || isAsking)) return children(query.data)
  if (!query.error || isAsking) return <ScreenSkeleton />
  return isGone && deleted.data ? <DeletedSubject item={deleted.data} /> : <QueryError query={query} isPage />
}

function DeletedSubject({ item }: { item: DeletedItem }) {
  const format = useFormat()
  const { kind, name, deletedAt, deletedBy, until } = item
  const isWritable = useSession().workspace?.entitlements.readOnly === null
  const may = useMay(RESTORE_PERMISSIONS[kind])
  const restore = useMutation({
    mutationFn: () => restoreItem(item),
    // Of a double click, which is answered twice, said once.
    onSuccess: () => notifications.show({ id: `restored-${item.id}`, color: 'green', message: `“${name}” restored` }),
  })
  const by = deletedBy === null ? '' : ` by ${deletedBy}`
  const who = may ? 'It can' : `Ask ${describeRolesWith(RESTORE_PERMISSIONS[kind])}: it can`
  return (
    <>
      <EmptyState
        isPage
        picture="lost"
        title={`${DELETED_KIND_LABELS[kind]} “${name}” was deleted`}
        sentence={`Deleted ${format.dateTime(deletedAt)}${by}. ${who} be restored until ${format.date(until)}.`}
        action={
          may &&
          isWritable && (
            <Button loading={restore.isPending} disabled={restore.isSuccess} onClick={() => restore.mutate()}>
              Restore {DELETED_KIND_LABELS[kind].toLowerCase()}
            </Button>
          )
        }
      />
      {restore.error && <RestoreRefusal item={item} error={restore.error} />}
    </>
  )
}
