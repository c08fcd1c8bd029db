import { DebouncedSearchField } from '../../ui/forms/search-field'
import { QueryStatus } from '../../ui/query-view'
import { figureColumn, type ItemColumn } from '../../ui/data-table/item-column'
import { ItemTable } from '../../ui/data-table/item-table'
import { pagedItems, type PagedItems } from '../../ui/data-table/paged-items'
import { Button, Text, Group } from '@mantine/core'
import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import classes from './admin-layout.module.css'
import { TermsDialog, dayIn } from './terms-dialog'
import { useFormat } from '../../lib/format'
import type { AdminWorkspace } from '../../../src/shared/admin'
import type { SubscriptionState } from '../../../src/shared/billing/entitlements'
import { planById } from '../../../src/shared/billing/plans'
import { adminWorkspacesQuery } from './queries'
import { EmptyState } from '../../ui/empty-state'
import { PageHeader } from '../../ui/page-header'
import { TableSkeleton } from '../../ui/skeletons'

const STATE_LABELS: Record<SubscriptionState, string> = {
  trialing: 'In trial',
  trial_expired: 'Trial ended',
  awaiting_checkout: 'Awaiting checkout',
  active: 'Active',
  invoice_pending: 'Invoice due',
  past_due: 'Payment overdue',
  restricted: 'Restricted',
  canceled: 'Cancelled',
}

interface WorkspacesTableProps {
  items: AdminWorkspace[]
  paged?: PagedItems<AdminWorkspace>
}

/** A line for each workspace: who owns it, on which terms, and how much it holds. */
export function WorkspacesTable({ items, paged }: WorkspacesTableProps) {
  const [chosen, setChosen] = useState<AdminWorkspace | null>(null)
  const columns = useWorkspaceColumns()
  return (
    <>
      <ItemTable
        caption="Workspaces"
        items={items}
        itemKey={({ id }) => id}
        columns={columns}
        action={{
          label: 'Actions',
          cell: (item) => (
            <Button
              size="compact-sm"
              variant="subtle"
              onClick={() => setChosen(item)}
              aria-label={`Terms of ${item.name}`}
            >
              Terms
            </Button>
          ),
        }}
        {...(paged ? { paged } : {})}
      />
      {chosen && <TermsDialog workspace={chosen} onClose={() => setChosen(null)} />}
    </>
  )
}

function useWorkspaceColumns(): ItemColumn<AdminWorkspace>[] {
  const format = useFormat()
  const count = (label: string, valueOf: (item: AdminWorkspace) => number): ItemColumn<AdminWorkspace> =>
    figureColumn(label, valueOf, format.count)
  return [
    { label: 'Name', value: ({ name }) => name, filter: true, draw: (item) => <WorkspaceName item={item} /> },
    { label: 'Owner', value: ({ ownerEmail }) => ownerEmail ?? 'No owner', filter: true },
    {
      ...{ label: 'Terms', filter: true, value: ({ state }) => STATE_LABELS[state] },
      draw: (item) => <WorkspaceTermsCell item={item} />,
    },
    {
      ...count('Members', ({ members }) => members),
      draw: ({ members, inviteReports }) => (
        <>
          {format.count(members)}
          {inviteReports > 0 && (
            <Text size="xs" c="dimmed">
              {format.count(inviteReports)} {inviteReports === 1 ? 'invitation' : 'invitations'} reported
            </Text>
          )}
        </>
      ),
    },
    count('Sources', ({ sources }) => sources),
    count('Insights', ({ insights }) => insights),
    count('Rows', ({ rows }) => rows),
    figureColumn('Size', ({ bytes }) => bytes, format.bytes),
    {
      ...{ label: 'Created', kind: 'date', value: ({ createdAt }) => createdAt },
      text: ({ createdAt }) => format.day(createdAt),
    },
  ]
}

const WorkspaceName = ({ item }: { item: AdminWorkspace }) => (
  <div className={classes.name}>
    <Text size="sm" fw={600} truncate>
      {item.name}
    </Text>
    <Text size="xs" c="dimmed" ff="monospace" truncate>
      {item.id}
    </Text>
  </div>
)

function WorkspaceTermsCell({ item: { state, planId, trialEndsAt, timeZone } }: { item: AdminWorkspace }) {
  const format = useFormat()
  return (
    <>
      {STATE_LABELS[state]}
      {planId !== null && (
        <Text size="xs" c="dimmed">
          {planById(planId)?.name}
        </Text>
      )}
      {state === 'trialing' && trialEndsAt && (
        <Text size="xs" c="dimmed">
          until {format.date(dayIn(timeZone, Date.parse(trialEndsAt)))}
        </Text>
      )}
    </>
  )
}

/** Every workspace of this installation: who owns it, on which terms, and how much it holds. */
export function WorkspacesScreen() {
  const { q = '' } = useSearch({ strict: false })
  const list = useInfiniteQuery(adminWorkspacesQuery(q))
  const items = list.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <>
      <PageHeader title="Workspaces" description="Usage only. Every view is logged." />
      <Group mb="md">
        <WorkspaceSearch q={q} />
      </Group>
      <QueryStatus query={list} skeleton={<TableSkeleton count={8} />} />
      {list.data && items.length === 0 && (
        <EmptyState picture="search" title="No workspaces match" sentence="Search by name, ID or a member’s email." />
      )}
      {items.length > 0 && <WorkspacesTable key={q} items={items} paged={pagedItems(list, (page) => page.items)} />}
    </>
  )
}

function WorkspaceSearch({ q }: { q: string }) {
  const navigate = useNavigate()
  return (
    <DebouncedSearchField
      label="Search workspaces"
      placeholder="Name, ID or email"
      initial={q}
      onSearch={(next) =>
        void navigate({ to: '/admin/workspaces', search: (old) => ({ ...old, q: next || undefined }), replace: true })
      }
      style={{ flex: '1 1 14rem', maxWidth: '24rem' }}
    />
  )
}
