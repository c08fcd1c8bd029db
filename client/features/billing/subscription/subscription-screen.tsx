import { QueryView } from '../../../ui/query-view'
import { Alert, Badge, Skeleton, Stack } from '@mantine/core'
import { IconEye, IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { AddOnsCard, OlderTierCard, PlansSection } from './plans-section'
import { CheckoutReturnNotice, usePortalReturn } from './stripe-return'
import { BillingDetailsCard } from './billing-details-card'
import { OverLimitCard } from './over-limit-card'
import { InvoicesCard, UpcomingCard } from './invoices'
import { UsageCard } from './usage-card'
import { StatusCard } from './status-card'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { subscriptionQuery } from '../../../lib/queries/subscription-queries'
import { describePlanBuyers, ownersQuery } from '../../../lib/plan/upgrade-offer'
import { EmptyState } from '../../../ui/empty-state'
import { LinkButton } from '../../../ui/buttons/links'
import { PageHeader } from '../../../ui/page-header'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

/** The plan of the workspace, how it is paid, and what it holds. */
export function SubscriptionScreen() {
  const { config } = useSession()
  return (
    <>
      <PageHeader
        title="Subscription"
        description="The plan of this workspace, how it is paid, and what it holds."
        actions={
          config.billing === 'test' && (
            <Badge size="lg" color="yellow" title="Nothing is charged here, and no card is real.">
              Test billing
            </Badge>
          )
        }
      />
      {useMay('view:subscription') ? <SubscriptionContent /> : <NoPermission />}
    </>
  )
}

/** Whoever may not see it learns who can. */
function NoPermission() {
  const { data } = useQuery({ ...ownersQuery(), enabled: useMay('view:member') })
  return (
    <EmptyState
      picture="people"
      title="Owners and administrators look after the subscription"
      sentence={`${describePlanBuyers(data?.items ?? [])} can tell you more, and change it.`}
      action={<LinkButton to="/settings/workspace/members">See members</LinkButton>}
    />
  )
}

function SubscriptionContent() {
  const query = useQuery(subscriptionQuery())
  const { checkout } = useSearch({ strict: false })
  usePortalReturn()
  return (
    <>
      <CheckoutReturnNotice outcome={checkout} view={query.data} />
      <QueryView query={query} skeleton={<SubscriptionSkeleton />}>
        {(view) => <SubscriptionCards view={view} now={query.dataUpdatedAt} />}
      </QueryView>
    </>
  )
}

/** Whether limits are in force: those of a plan, or of the trial. */
const hasPlan = ({ state }: SubscriptionView): boolean =>
  state !== 'trial_expired' && state !== 'awaiting_checkout' && state !== 'canceled'

function SubscriptionCards({ view, now }: { view: SubscriptionView; now: number }) {
  const { workspace, config } = useSession()
  const mayEdit = useMay('edit:subscription')
  const isBillingOff = config.billing === 'off'
  const sells = !isBillingOff && mayEdit && !view.custom
  const paid = !isBillingOff && view.method !== null
  return (
    <Stack gap="lg">
      {isBillingOff && (
        <Alert color="gray" icon={<IconPlugOff aria-hidden />} title="Nothing is sold in this installation">
          Billing is switched off. Whoever runs it sets what this workspace has.
        </Alert>
      )}
      {!isBillingOff && !mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />}>
          You can look at the subscription. An owner or administrator can change it.
        </Alert>
      )}
      <StatusCard view={view} now={now} isBillingOff={isBillingOff || !mayEdit} />
      {view.frozen && <OverLimitCard view={view} frozen={view.frozen} off={isBillingOff} />}
      <UsageCard
        meters={view.meters}
        syncHours={hasPlan(view) ? (workspace?.entitlements.features.syncFrequencyHours ?? 24) : null}
      />
      {sells && view.planId === 'legacy' && <OlderTierCard view={view} />}
      {sells && <PlansSection view={view} />}
      {sells && <AddOnsCard view={view} />}
      {paid && <UpcomingCard />}
      {!isBillingOff && <InvoicesCard />}
      {!isBillingOff && <BillingDetailsCard view={view} readOnly={!mayEdit} portal={paid} />}
    </Stack>
  )
}

const SubscriptionSkeleton = () => (
  <Stack gap="lg" role="status" aria-label="Loading">
    {[120, 260, 380].map((height) => (
      <Skeleton key={height} h={height} radius="lg" aria-hidden="true" />
    ))}
  </Stack>
)
