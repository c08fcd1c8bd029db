import { Alert, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CheckoutForm } from './checkout-form'
import { selectionFromSearch, isFirstPurchase, toSearch } from './choice'
import type { CheckoutSearch } from './choice'
import { useFormat } from '../../lib/format'
import { useMay } from '../../lib/gate'
import { useSession } from '../../lib/session'
import { subscriptionQuery } from '../../lib/subscription-calls'
import { EmptyState } from '../../ui/empty-state'
import { ErrorState } from '../../ui/error-state'
import { LinkAnchor, LinkButton } from '../../ui/links'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'
import type { SubscriptionView } from '../../../src/shared/subscription'

export interface CheckoutScreenProps {
  search: CheckoutSearch
  onSearch: (search: CheckoutSearch) => void
  /** The subscription was changed: there is nothing more to do here. */
  onChanged: () => void
}

/** Buys a plan or changes the one that is held. What is chosen stands in the address. */
export function CheckoutScreen({ search, onSearch, onChanged }: CheckoutScreenProps) {
  const may = useMay('edit:subscription')
  const { config } = useSession()
  if (config.billing === 'off')
    return (
      <CheckoutPage title="Choose a plan">
        <CheckoutUnavailable
          title="There is nothing to buy here"
          sentence="Billing is switched off in this installation."
        />
      </CheckoutPage>
    )
  if (!may)
    return (
      <CheckoutPage title="Choose a plan">
        <CheckoutUnavailable
          title="Owners and administrators choose the plan"
          sentence="Ask one of them. They find this page under Subscription in the settings of the workspace."
          action={<LinkButton to="/settings/workspace/members">See who they are</LinkButton>}
        />
      </CheckoutPage>
    )
  return <CheckoutContent search={search} onSearch={onSearch} onChanged={onChanged} />
}

function CheckoutContent({ search, onSearch, onChanged }: CheckoutScreenProps) {
  const { data: view, error, refetch } = useQuery(subscriptionQuery())
  const format = useFormat()
  if (!view)
    return (
      <CheckoutPage title="Choose a plan">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FormSkeleton />}
      </CheckoutPage>
    )
  if (view.custom)
    return (
      <CheckoutPage title="Change the plan">
        <CheckoutUnavailable
          title="This workspace has an agreement of its own"
          sentence="There is nothing to buy. Write to us to change its limits or price: the subscription page has a form."
        />
      </CheckoutPage>
    )
  const done = ({ view: now, unsaved }: { view: SubscriptionView; unsaved: boolean }) => {
    const message = now.scheduled ? `The change is planned for ${format.day(now.scheduled.at)}.` : 'The change is made.'
    notifications.show(
      unsaved
        ? { color: 'yellow', message: `${message} What stays was not saved: choose it again below.` }
        : { color: 'green', message },
    )
    onChanged()
  }
  return (
    <CheckoutPage title={isFirstPurchase(view) ? 'Choose a plan' : 'Change the plan'}>
      <Stack gap="md">
        <UnpaidAlert view={view} />
        <CheckoutForm
          choice={selectionFromSearch(search, view)}
          view={view}
          onChoose={(choice) => onSearch(toSearch(choice))}
          onChanged={done}
        />
      </Stack>
    </CheckoutPage>
  )
}

function CheckoutPage({ title, children }: { title: string; children: ReactNode }) {
  const above = (
    <LinkAnchor to="/settings/workspace/subscription" size="sm">
      Subscription
    </LinkAnchor>
  )
  return (
    <>
      <PageHeader breadcrumb={above} title={title} description="You see what it costs before anything is ordered." />
      {children}
    </>
  )
}

const SUBSCRIPTION_LINK = <LinkButton to="/settings/workspace/subscription">See the subscription</LinkButton>
const CheckoutUnavailable = ({
  action = SUBSCRIPTION_LINK,
  ...words
}: {
  title: string
  sentence: string
  action?: ReactNode
}) => <EmptyState picture="locked" action={action} {...words} />

/** An invoice that is overdue is paid first: another plan does not pay it. */
function UnpaidAlert({ view }: { view: SubscriptionView }) {
  if (view.state !== 'past_due' && view.state !== 'restricted') return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title="An invoice is unpaid">
      Another plan does not pay it. Pay it first, on the{' '}
      <LinkAnchor to="/settings/workspace/subscription" underline="always">
        page of the subscription
      </LinkAnchor>
      .
    </Alert>
  )
}
