import { Badge, Button, Group, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { IconCheck, IconClock } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeEmailForm } from './change-email-form'
import { cancelEmailChange, emailQuery } from './queries'
import { useFormat } from '../../lib/format'
import { ErrorState } from '../../ui/error-state'
import { FormError } from '../../ui/form-error'
import { SectionCard } from '../../ui/section-card'
import { FormSkeleton } from '../../ui/skeletons'
import type { EmailChange, SignInMethods } from '../../../src/shared/account'

/** The address of an account, and its change, which both sides confirm. */
export function EmailCard({ signIns }: { signIns: SignInMethods }) {
  const { data, isError, error, refetch } = useQuery(emailQuery())
  const [changing, setChanging] = useState(false)
  return (
    <SectionCard title="E-mail address" description="You sign in with it, and mails go there.">
      {data ? (
        <>
          <Group justify="space-between" gap="sm">
            <Text fw={550} style={{ overflowWrap: 'anywhere' }}>
              {data.email ?? 'No address yet'}
            </Text>
            {!changing && data.pending === null && (
              <Button variant="default" onClick={() => setChanging(true)}>
                {data.email === null ? 'Add address' : 'Change address'}
              </Button>
            )}
          </Group>
          {data.pending && <PendingEmailChange change={data} pending={data.pending} />}
          {changing && data.pending === null && (
            <ChangeEmailForm signIns={signIns} current={data.email} onClose={() => setChanging(false)} />
          )}
        </>
      ) : isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <FormSkeleton fields={1} />
      )}
    </SectionCard>
  )
}

function PendingEmailChange({
  change,
  pending,
}: {
  change: EmailChange
  pending: NonNullable<EmailChange['pending']>
}) {
  const client = useQueryClient()
  const format = useFormat()
  const cancel = useMutation({
    mutationFn: cancelEmailChange,
    onSuccess: async () => {
      notifications.show({ message: 'Change cancelled. Your address stays as it is.' })
      await client.invalidateQueries(emailQuery())
    },
  })
  return (
    <Stack gap="sm">
      <Text size="sm">
        On its way to <b style={{ overflowWrap: 'anywhere' }}>{pending.email}</b>.{' '}
        {change.email === null
          ? 'Open the mail that we sent there and confirm.'
          : 'Both addresses got a mail; the change happens when both have confirmed.'}{' '}
        The links work until {format.dateTime(pending.expiresAt)}.
      </Text>
      {change.email !== null && <AddressConfirmation address={change.email} confirmed={pending.oldConfirmed} />}
      <AddressConfirmation address={pending.email} confirmed={pending.newConfirmed} />
      <FormError error={cancel.error} />
      <Group justify="flex-end">
        <Button variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel the change
        </Button>
      </Group>
    </Stack>
  )
}

function AddressConfirmation({ address, confirmed }: { address: string; confirmed: boolean }) {
  const Icon = confirmed ? IconCheck : IconClock
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {address}
      </Text>
      <Badge color={confirmed ? 'green' : 'yellow'} leftSection={<Icon size={12} aria-hidden />}>
        {confirmed ? 'Confirmed' : 'Not confirmed yet'}
      </Badge>
    </Group>
  )
}
