import { DebouncedSearchField } from '../../ui/forms/search-field'
import { QueryStatus } from '../../ui/query-view'
import { ShowMore } from '../../ui/buttons/show-more'
import { Button, Table, Text, VisuallyHidden, Group } from '@mantine/core'
import { useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import classes from './admin-layout.module.css'
import { TermsDialog } from './terms-dialog'
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

/** A line for each workspace: who owns it, on which terms, and how much it holds. */
export function WorkspacesTable({ items }: { items: AdminWorkspace[] }) {
  const [chosen, setChosen] = useState<AdminWorkspace | null>(null)
  return (
    // Positioned: words for screen readers in the table scroll with it and do not widen the page.
    <div
      className="surface"
      style={{ overflow: 'auto', position: 'relative' }}
      tabIndex={0}
      role="region"
      aria-label="Workspaces"
    >
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Owner</Table.Th>
            <Table.Th>Terms</Table.Th>
            <Table.Th className="numeric">Members</Table.Th>
            <Table.Th className="numeric">Sources</Table.Th>
            <Table.Th className="numeric">Insights</Table.Th>
            <Table.Th className="numeric">Rows</Table.Th>
            <Table.Th className="numeric">Size</Table.Th>
            <Table.Th>Created</Table.Th>
            <Table.Th>
              <VisuallyHidden>Actions</VisuallyHidden>
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {items.map((item) => (
            <WorkspaceRow key={item.id} item={item} onTerms={() => setChosen(item)} />
          ))}
        </Table.Tbody>
      </Table>
      {chosen && <TermsDialog workspace={chosen} onClose={() => setChosen(null)} />}
    </div>
  )
}

function WorkspaceRow({ item, onTerms }: { item: AdminWorkspace; onTerms: () => void }) {
  const format = useFormat()
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.name}>
        <Text size="sm" fw={600} truncate>
          {item.name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace" truncate>
          {item.id}
        </Text>
      </Table.Th>
      <Table.Td>{item.ownerEmail ?? 'No owner'}</Table.Td>
      <Table.Td>
        {STATE_LABELS[item.state]}
        {item.planId !== null && (
          <Text size="xs" c="dimmed">
            {planById(item.planId)?.name}
          </Text>
        )}
        {item.state === 'trialing' && item.trialEndsAt && (
          <Text size="xs" c="dimmed">
            until {format.day(item.trialEndsAt)}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric">
        {format.count(item.members)}
        {item.inviteReports > 0 && (
          <Text size="xs" c="dimmed">
            {format.count(item.inviteReports)} {item.inviteReports === 1 ? 'invitation' : 'invitations'} reported
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric">{format.count(item.sources)}</Table.Td>
      <Table.Td className="numeric">{format.count(item.insights)}</Table.Td>
      <Table.Td className="numeric">{format.count(item.rows)}</Table.Td>
      <Table.Td className="numeric">{format.bytes(item.bytes)}</Table.Td>
      <Table.Td>{format.day(item.createdAt)}</Table.Td>
      <Table.Td>
        <Button size="compact-sm" variant="subtle" onClick={onTerms} aria-label={`Terms of ${item.name}`}>
          Terms
        </Button>
      </Table.Td>
    </Table.Tr>
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
      {items.length > 0 && <WorkspacesTable items={items} />}
      <ShowMore query={list} mt="lg" />
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
