import { Alert, Button, Skeleton, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { reportCheckQuery, reportInvite } from './queries'
import type { InvitationScreenProps } from './invitation-screen'
import { ApiError } from '../../lib/api'
import { useLinkToken } from '../../lib/use-link-token'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/forms/form-error'

/** Reports an invitation from somebody unknown. Opening the link does nothing yet: mail scanners open links. */
export function ReportInvitationScreen({ frame }: Pick<InvitationScreenProps, 'frame'>) {
  const token = useLinkToken()
  return frame({
    title: 'Report invitation',
    below: null,
    children: token === null || token === 'broken' ? <DeadReportLink /> : <CheckedReport key={token} token={token} />,
  })
}

const DeadReportLink = () => (
  <Alert color="gray" icon={<IconInfoCircle aria-hidden />} title="Link incomplete or expired" role="alert">
    Open the link from the email again.
  </Alert>
)

const isDeadLink = (error: unknown): boolean => error instanceof ApiError && error.body.code === 'expired'

/** Nothing is offered for a link that reports nothing any more. */
function CheckedReport({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(reportCheckQuery(token))
  if (data) return <ReportInvitation token={token} />
  if (isDeadLink(error)) return <DeadReportLink />
  return error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton h={120} aria-hidden="true" />
}

function ReportInvitation({ token }: { token: string }) {
  const report = useMutation({ mutationFn: reportInvite })
  if (report.data)
    return (
      <Alert color="green" icon={<IconCircleCheck aria-hidden />} title="Invitation reported" role="status">
        The workspace can’t email you again.
      </Alert>
    )
  if (isDeadLink(report.error)) return <DeadReportLink />
  return (
    <Stack gap="md">
      <Text c="dimmed">Report it if you don’t know the sender. The workspace can’t email you again.</Text>
      <FormError error={report.error} />
      <Button fullWidth loading={report.isPending} onClick={() => report.mutate(token)}>
        Report invitation
      </Button>
    </Stack>
  )
}
