import { MutedText } from '../../ui/muted-text'
import { QueryStatus } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCategory, IconChartBar, IconDatabase, IconReport, IconUsersGroup } from '@tabler/icons-react'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeletedItem, DeletedKind } from '../../../src/shared/deleted'
import classes from './deleted-screen.module.css'
import { deletedQuery } from './queries'
import { DELETED_KIND_LABELS, RESTORE_PERMISSIONS, restoreItem } from '../../lib/deleted/restore-item'
import { useFormat } from '../../lib/format'
import { daysUntil } from '../../../src/shared/figures/formatter'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { EmptyState } from '../../ui/empty-state'
import { RestoreRefusal } from '../../ui/deleted/restore-refusal'
import { LinkAnchor } from '../../ui/buttons/links'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'
import { UpgradeLine } from '../../ui/upgrade-prompt'

/** How long is left: "12 days left", "last day". Started days count as whole ones. */
export function describeTimeLeft(until: string, now: number): string {
  const days = daysUntil(Date.parse(until), now)
  if (days <= 0) return 'deleted soon'
  return days === 1 ? 'last day' : `${days} days left`
}

const ICONS: Record<DeletedKind, typeof IconDatabase> = {
  source: IconDatabase,
  insight: IconChartBar,
  group: IconUsersGroup,
  grouping: IconCategory,
  report: IconReport,
}

/** Everything that was deleted in the last 30 days, each with the way back. */
export function DeletedScreen() {
  const may = useMay('delete:source')
  return (
    <>
      <PageHeader title="Recently deleted" description="Restore items for 30 days after deletion" />
      {may ? <DeletedList /> : <NoPermission />}
    </>
  )
}

function NoPermission() {
  return (
    <EmptyState
      picture="locked"
      title="You can’t restore items"
      sentence="Ask an owner, admin or analyst."
      action={<LinkAnchor to="/data-sources">View data sources</LinkAnchor>}
    />
  )
}

function DeletedList() {
  const list = useInfiniteQuery(deletedQuery())
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <QueryStatus query={list} skeleton={<TableSkeleton count={4} />} />
      {list.data && items.length === 0 && (
        <EmptyState
          picture="sources"
          title="No deleted items"
          sentence="Deleted data sources, insights, reports and groups can be restored here for 30 days."
        />
      )}
      {items.length > 0 && (
        <Stack gap={0} className="surface" component="ul" style={{ listStyle: 'none', margin: 0, padding: 0 }}>
          {items.map((item) => (
            <DeletedItemRow key={item.id} item={item} now={list.dataUpdatedAt} />
          ))}
        </Stack>
      )}
      <ShowMore query={list} mt="lg" />
    </>
  )
}

function DeletedItemRow({ item, now }: { item: DeletedItem; now: number }) {
  const format = useFormat()
  const { kind, name, deletedAt, deletedBy, until } = item
  const Icon = ICONS[kind]
  const [isRestored, setBack] = useState(false)
  const restore = useMutation({
    mutationFn: () => restoreItem(item),
    onSuccess: () => {
      setBack(true)
      notifications.show({ id: `restored-${item.id}`, color: 'green', message: <RestoredMessage item={item} /> })
    },
  })
  const deletedByText = deletedBy === null ? '' : ` by ${deletedBy}`
  return (
    <li className={classes.item}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm" wrap="nowrap" align="flex-start" style={{ flex: '1 1 14rem', minWidth: 0 }}>
          <Icon size={18} stroke={1.7} aria-hidden className={classes.icon} />
          <div style={{ minWidth: 0 }}>
            <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
              {name}
            </Text>
            <MutedText>
              {DELETED_KIND_LABELS[kind]}, deleted {format.dateTime(deletedAt)}
              {deletedByText}
            </MutedText>
            <MutedText>
              Can be restored until {format.date(until)} ({describeTimeLeft(until, now)})
            </MutedText>
          </div>
        </Group>
        <RestoreButton item={item} pending={restore.isPending} done={isRestored} onRestore={() => restore.mutate()} />
      </Group>
      {restore.error && <RestoreRefusal item={item} error={restore.error} />}
    </li>
  )
}

interface RestoreButtonProps {
  item: DeletedItem
  pending: boolean
  done: boolean
  onRestore: () => void
}

function RestoreButton({ item, pending, done, onRestore }: RestoreButtonProps) {
  const may = useMay(RESTORE_PERMISSIONS[item.kind])
  const entitlements = useSession().workspace?.entitlements
  if (!entitlements || entitlements.readOnly !== null) return null
  if (!may) return <MutedText>An owner or admin can restore it</MutedText>
  if (item.kind === 'group' && !entitlements.features.userGrouping)
    return (
      <div style={{ flex: '1 1 100%' }}>
        <UpgradeLine need={{ kind: 'gate', gate: 'userGrouping' }} />
      </div>
    )
  return (
    <Button variant="default" loading={pending} disabled={done} onClick={onRestore}>
      Restore<span className="only-reader"> {item.name}</span>
    </Button>
  )
}

/** Where a thing is once it is back; of a report its list, which knows of what kind it is. */
const RESTORED_PAGES = {
  source: '/data-sources/$id',
  insight: '/insights/$id',
  grouping: '/data-grouping/$id',
  report: '/reports',
  group: null,
} as const satisfies Record<DeletedKind, string | null>

/** Says that a thing is back, and leads to it. */
export function RestoredMessage({ item: { kind, id, name } }: { item: DeletedItem }) {
  const restoredText = `“${name}” restored`
  const page = RESTORED_PAGES[kind]
  if (page === null) return <>{restoredText}</>
  return (
    <>
      {restoredText}{' '}
      {page === '/reports' ? (
        <LinkAnchor to={page} size="sm" underline="always">
          Open
        </LinkAnchor>
      ) : (
        <LinkAnchor to={page} params={{ id }} size="sm" underline="always">
          Open
        </LinkAnchor>
      )}
    </>
  )
}
