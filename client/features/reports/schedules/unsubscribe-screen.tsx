import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { SUBSCRIPTION_TOKEN, type ReportSubscription } from '../../../../src/shared/reports/schedules'
import { ApiError } from '../../../lib/api'
import { useLinkToken } from '../../../lib/use-link-token'
import { ErrorState } from '../../../ui/error-state'
import { FormError } from '../../../ui/forms/form-error'
import { changeSubscription, subscriptionQuery } from './queries'

interface UnsubscribeScreenProps {
  frame: (page: { title: string; below: ReactNode; children: ReactNode }) => ReactNode
}

/** Ends a subscription to a report, signed in or not. Opening the link does nothing yet: mail scanners open links. */
export function UnsubscribeScreen({ frame }: UnsubscribeScreenProps) {
  const token = useLinkToken(SUBSCRIPTION_TOKEN)
  return frame({
    title: 'Email subscription',
    below: null,
    children: token === null || token === 'broken' ? <DeadLink /> : <CheckedSubscription key={token} token={token} />,
  })
}

const DeadLink = () => (
  <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title="Link incomplete or expired" role="alert">
    Open the link from the newest email again.
  </Alert>
)
const isDeadLink = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'expired'

function CheckedSubscription({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(subscriptionQuery(token))
  if (data) return <Subscription token={token} found={data} />
  if (isDeadLink(error)) return <DeadLink />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={120} aria-hidden="true" />
}

function Subscription({ token, found }: { token: string; found: ReportSubscription }) {
  const change = useMutation({ mutationFn: changeSubscription })
  const { report, workspace, subscribed } = change.data ?? found
  if (isDeadLink(change.error)) return <DeadLink />
  return (
    <Stack gap="md">
      {change.data ? (
        <Alert
          color="green"
          icon={<IconCircleCheck aria-hidden />}
          title={subscribed ? 'Subscribed again' : 'Unsubscribed'}
          role="status"
        >
          {subscribed ? 'You’ll get' : 'You won’t get'} “{report}” from {workspace} by email.
        </Alert>
      ) : (
        <Text c="dimmed">
          {subscribed ? 'You get' : 'You no longer get'} “{report}” from {workspace} by email.
        </Text>
      )}
      <FormError error={change.error} />
      <Button
        fullWidth
        variant={subscribed ? 'filled' : 'default'}
        loading={change.isPending}
        onClick={() => change.mutate({ token, subscribed: !subscribed })}
      >
        {subscribed ? 'Unsubscribe' : 'Subscribe again'}
      </Button>
    </Stack>
  )
}
