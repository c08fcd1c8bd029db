import { Alert, Badge, Skeleton, Stack } from '@mantine/core'
import { IconEye, IconPlugOff } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { AddOnsCard } from './add-ons-card'
import { CheckoutReturn } from './checkout-return'
import { DetailsCard } from './details-card'
import { FrozenCard } from './frozen-card'
import { InvoicesCard } from './invoices-card'
import { MetersCard } from './meters-card'
import { OlderTierCard } from './older-tier-card'
import { PlansSection } from './plans-section'
import { StandingCard } from './standing-card'
import { UpcomingCard } from './upcoming-card'
import { usePortalReturn } from './use-portal-return'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { subscriptionQuery } from '../../lib/subscription-calls'
import { helpersOf, ownersQuery } from '../../lib/use-upgrade'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkButton } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import type { SubscriptionView } from '../../../src/shared/subscription'

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
      {useMay('view:subscription') ? <Subscription /> : <NotYours />}
    </>
  )
}

/** Whoever may not see it learns who can. */
function NotYours() {
  const { data } = useQuery({ ...ownersQuery(), enabled: useMay('view:member') })
  return (
    <EmptyState
      picture="people"
      title="Owners and administrators look after the subscription"
      sentence={`${helpersOf(data?.items ?? [])} can tell you more, and change it.`}
      action={<LinkButton to="/settings/workspace/members">See members</LinkButton>}
    />
  )
}

function Subscription() {
  const query = useQuery(subscriptionQuery())
  const { checkout } = useSearch({ strict: false })
  usePortalReturn()
  return (
    <>
      <CheckoutReturn outcome={checkout} view={query.data} />
      {query.data ? (
        <Cards view={query.data} now={query.dataUpdatedAt} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <Loading />
      )}
    </>
  )
}

/** Whether limits are in force: those of a plan, or of the trial. */
const hasPlan = ({ state }: SubscriptionView): boolean =>
  state !== 'trial_expired' && state !== 'awaiting_checkout' && state !== 'canceled'

function Cards({ view, now }: { view: SubscriptionView; now: number }) {
  const { workspace, config } = useSession()
  const mayEdit = useMay('edit:subscription')
  const off = config.billing === 'off'
  const sells = !off && mayEdit && !view.custom
  const paid = !off && view.method !== null
  return (
    <Stack gap="lg">
      {off && (
        <Alert color="gray" icon={<IconPlugOff aria-hidden />} title="Nothing is sold in this installation">
          Billing is switched off. Whoever runs it sets what this workspace has.
        </Alert>
      )}
      {!off && !mayEdit && (
        <Alert color="gray" icon={<IconEye aria-hidden />}>
          You can look at the subscription. An owner or administrator can change it.
        </Alert>
      )}
      <StandingCard view={view} now={now} off={off || !mayEdit} />
      {view.frozen && <FrozenCard view={view} frozen={view.frozen} off={off} />}
      <MetersCard
        meters={view.meters}
        syncHours={hasPlan(view) ? (workspace?.entitlements.features.syncFrequencyHours ?? 24) : null}
      />
      {sells && view.planId === 'legacy' && <OlderTierCard view={view} />}
      {sells && <PlansSection view={view} />}
      {sells && <AddOnsCard view={view} />}
      {paid && <UpcomingCard />}
      {!off && <InvoicesCard />}
      {!off && <DetailsCard view={view} readOnly={!mayEdit} portal={paid} />}
    </Stack>
  )
}

const Loading = () => (
  <Stack gap="lg" role="status" aria-label="Loading">
    {[120, 260, 380].map((height) => (
      <Skeleton key={height} h={height} radius="lg" aria-hidden="true" />
    ))}
  </Stack>
)
