import { Button, Table, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import classes from './admin-layout.module.css'
import { TermsDialog } from './terms-dialog'
import { useFormat } from '../../lib/format'
import type { AdminWorkspace } from '../../../src/shared/admin'
import type { SubscriptionState } from '../../../src/shared/entitlements'
import { planById } from '../../../src/shared/plans'

const STATE_LABELS: Record<SubscriptionState, string> = {
  trialing: 'In trial',
  trial_expired: 'Trial over',
  awaiting_checkout: 'Awaiting checkout',
  active: 'Active',
  invoice_pending: 'Invoice open',
  past_due: 'Payment overdue',
  restricted: 'Restricted',
  canceled: 'Canceled',
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
            until {format.date(item.trialEndsAt)}
          </Text>
        )}
      </Table.Td>
      <Table.Td className="numeric">{format.count(item.members)}</Table.Td>
      <Table.Td className="numeric">{format.count(item.sources)}</Table.Td>
      <Table.Td className="numeric">{format.count(item.insights)}</Table.Td>
      <Table.Td className="numeric">{format.count(item.rows)}</Table.Td>
      <Table.Td className="numeric">{format.bytes(item.bytes)}</Table.Td>
      <Table.Td>{format.date(item.createdAt)}</Table.Td>
      <Table.Td>
        <Button size="compact-sm" variant="subtle" onClick={onTerms} aria-label={`Terms of ${item.name}`}>
          Terms
        </Button>
      </Table.Td>
    </Table.Tr>
  )
}
