import { Alert, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CheckoutForm } from './checkout-form'
import { choiceOf, isFirstPurchase, searchOf } from './choice'
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
      <Page title="Choose a plan">
        <Closed title="There is nothing to buy here" sentence="Billing is switched off in this installation." />
      </Page>
    )
  if (!may)
    return (
      <Page title="Choose a plan">
        <Closed
          title="Owners and administrators choose the plan"
          sentence="Ask one of them. They find this page under Subscription in the settings of the workspace."
          action={<LinkButton to="/settings/workspace/members">See who they are</LinkButton>}
        />
      </Page>
    )
  return <Loaded search={search} onSearch={onSearch} onChanged={onChanged} />
}

function Loaded({ search, onSearch, onChanged }: CheckoutScreenProps) {
  const { data: view, error, refetch } = useQuery(subscriptionQuery())
  const format = useFormat()
  if (!view)
    return (
      <Page title="Choose a plan">
        {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <FormSkeleton />}
      </Page>
    )
  if (view.custom)
    return (
      <Page title="Change the plan">
        <Closed
          title="This workspace has an agreement of its own"
          sentence="There is nothing to buy. Write to us to change its limits or price: the subscription page has a form."
        />
      </Page>
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
    <Page title={isFirstPurchase(view) ? 'Choose a plan' : 'Change the plan'}>
      <Stack gap="md">
        <Unpaid view={view} />
        <CheckoutForm
          choice={choiceOf(search, view)}
          view={view}
          onChoose={(choice) => onSearch(searchOf(choice))}
          onChanged={done}
        />
      </Stack>
    </Page>
  )
}

function Page({ title, children }: { title: string; children: ReactNode }) {
  const above = (
    <LinkAnchor to="/settings/workspace/subscription" size="sm">
      Subscription
    </LinkAnchor>
  )
  return (
    <>
      <PageHeader above={above} title={title} description="You see what it costs before anything is ordered." />
      {children}
    </>
  )
}

const BACK = <LinkButton to="/settings/workspace/subscription">See the subscription</LinkButton>
const Closed = ({ action = BACK, ...words }: { title: string; sentence: string; action?: ReactNode }) => (
  <EmptyState picture="locked" action={action} {...words} />
)

/** An invoice that is overdue is paid first: another plan does not pay it. */
function Unpaid({ view }: { view: SubscriptionView }) {
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
