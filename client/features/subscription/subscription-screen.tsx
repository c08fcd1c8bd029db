import { useQuery } from '@tanstack/react-query'
import { subscriptionQuery } from '../../lib/subscription-calls'
import { ErrorState } from '../../ui/error-state'
import { PageHeader } from '../../ui/page-header'
import { FormSkeleton } from '../../ui/skeletons'

/** The plan of the workspace, how it is paid, and what it holds. */
export function SubscriptionScreen() {
  const query = useQuery(subscriptionQuery())
  return (
    <>
      <PageHeader title="Subscription" description="The plan of this workspace, how it is paid, and what it holds." />
      {query.isError ? <ErrorState error={query.error} onRetry={() => void query.refetch()} /> : <FormSkeleton />}
    </>
  )
}
