import { QueryView } from '../../../ui/query-view'
import { Alert, Badge, Skeleton, Stack } from '@mantine/core'
import { IconEye, IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { OlderTierCard, PlansView } from './plans-section'
import { CheckoutReturnNotice, usePortalReturn } from './stripe-return'
import { BillingDetailsCard } from './billing-details-card'
import { OverLimitCard } from './over-limit-card'
import { InvoicesCard, UpcomingCard } from './invoices'
import { usePaymentPolling } from './queries'
import { hasUnpaidInvoice } from './subscription-status'
import { UsageCard } from './usage-card'
import { StatusCard } from './status-card'
import { useMay } from '../../../lib/gate'
import { useSession } from '../../../lib/session'
import { subscriptionQuery } from '../../../lib/queries/subscription-queries'
import { describePlanBuyers, ownersQuery } from '../../../lib/plan/upgrade-offer'
import { EmptyState } from '../../../ui/empty-state'
import { PLANS_VIEW } from '../plan-prices'
import { LinkAnchor, LinkButton } from '../../../ui/buttons/links'
import { PageHeader } from '../../../ui/page-header'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

/** The plan of the workspace, how it is paid, and what it holds. */
export function SubscriptionScreen() {
  const { config } = useSession()
  const { show } = useSearch({ strict: false })
  const showsPlans = show === PLANS_VIEW
  return (
    <>
      <PageHeader
        title={showsPlans ? 'Plans' : 'Subscription'}
        {...(showsPlans ? { breadcrumb: <SubscriptionLink /> } : {})}
        actions={
          config.billing === 'test' && (
            <Badge size="lg" color="yellow" title="No real charges">
              Test billing
            </Badge>
          )
        }
      />
      {useMay('view:subscription') ? <SubscriptionContent /> : <NoPermission />}
    </>
  )
}

const SubscriptionLink = () => (
  <LinkAnchor to="/settings/workspace/subscription" search={{}} size="sm">
    Subscription
  </LinkAnchor>
)

/** Whoever may not see it learns who can. */
function NoPermission() {
  const { data } = useQuery({ ...ownersQuery(), enabled: useMay('view:member') })
  return (
    <EmptyState
      title="No access to the subscription"
      sentence={`${describePlanBuyers(data?.items ?? [])} can view and change it.`}
      action={<LinkButton to="/settings/workspace/members">View members</LinkButton>}
    />
  )
}

function SubscriptionContent() {
  const query = useQuery(subscriptionQuery())
  const { checkout, show } = useSearch({ strict: false })
  usePortalReturn()
  return (
    <>
      <CheckoutReturnNotice outcome={checkout} view={query.data} />
      <QueryView query={query} skeleton={<SubscriptionSkeleton />}>
        {(view) =>
          show === PLANS_VIEW ? <PlansContent view={view} /> : <Overview view={view} now={query.dataUpdatedAt} />
        }
      </QueryView>
    </>
  )
}

/** Whether limits are in force: those of a plan, or of the trial. */
const hasPlan = ({ state }: SubscriptionView): boolean =>
  state !== 'trial_expired' && state !== 'awaiting_checkout' && state !== 'canceled'

/** What can be bought, where anything can. */
function PlansContent({ view }: { view: SubscriptionView }) {
  const isBillingOff = useSession().config.billing === 'off'
  const mayEdit = useMay('edit:subscription')
  if (isBillingOff || !mayEdit || view.custom)
    return (
      <EmptyState
        title={isBillingOff ? 'Billing is off' : mayEdit ? 'Custom agreement' : 'No access to plans'}
        sentence={
          isBillingOff || mayEdit ? 'There are no plans to choose from.' : 'An owner or admin can change the plan.'
        }
        action={<LinkButton to="/settings/workspace/subscription">View subscription</LinkButton>}
      />
    )
  return <PlansView view={view} />
}

/** The plan, what is charged next and what is used; then the papers. */
function Overview({ view, now }: { view: SubscriptionView; now: number }) {
  const { config } = useSession()
  const mayEdit = useMay('edit:subscription')
  const isBillingOff = config.billing === 'off'
  const paid = !isBillingOff && view.method !== null
  usePaymentPolling(!isBillingOff && mayEdit && hasUnpaidInvoice(view))
  return (
    <Stack gap="lg">
      {isBillingOff && (
        <Alert color="gray" icon={<IconPlugOff aria-hidden />} title="Billing is off">
          Limits are set by your operator.
        </Alert>
      )}
      {!isBillingOff && !mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />}>
          View only. An owner or admin can change the subscription.
        </Alert>
      )}
      <StatusCard view={view} now={now} isBillingOff={isBillingOff || !mayEdit} />
      {view.frozen && <OverLimitCard view={view} frozen={view.frozen} off={isBillingOff} />}
      {paid && <UpcomingCard />}
      <UsageCard meters={view.meters} hasLimits={hasPlan(view)} />
      {!isBillingOff && mayEdit && !view.custom && view.planId === 'legacy' && <OlderTierCard view={view} />}
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
