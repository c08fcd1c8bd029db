import { Button, Group, List, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useCancelSubscription } from './queries'
import { useFormat } from '../../lib/format'
import { FormError } from '../../ui/form-error'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** Whether there is something to cancel: bought, going on, and not ended already. */
const isCancellable = ({ state, custom, cancelAt, interval }: SubscriptionView): boolean =>
  !custom && cancelAt === null && interval !== null && ['active', 'invoice_pending', 'past_due'].includes(state)

/** Ends the subscription with the period that is paid for; says before what that means. */
export function CancelButton({ view }: { view: SubscriptionView }) {
  const [open, setOpen] = useState(false)
  if (!isCancellable(view)) return null
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Cancel subscription
      </Button>
      {open && <CancelDialog view={view} onClose={() => setOpen(false)} />}
    </>
  )
}

function CancelDialog({ view, onClose }: { view: SubscriptionView; onClose: () => void }) {
  const format = useFormat()
  const cancel = useCancelSubscription()
  return (
    <Modal opened onClose={onClose} title="Cancel the subscription?">
      <Stack gap="md">
        <List size="sm" spacing={4}>
          <List.Item>
            Everything works{' '}
            {view.periodEndsAt === null ? 'until the period ends' : `until ${format.day(view.periodEndsAt)}`}, and the
            subscription is not renewed.
          </List.Item>
          <List.Item>
            Then the workspace becomes read-only. Nothing is deleted, and everything can be exported.
          </List.Item>
          {view.state !== 'active' && <List.Item>The open invoice still has to be paid.</List.Item>}
          {view.planId === 'legacy' && <List.Item>An older tier that has ended cannot be bought again.</List.Item>}
          <List.Item>Until then it can be taken back on this page.</List.Item>
        </List>
        {view.scheduled && <Text size="sm">The change that waits for then is dropped.</Text>}
        <FormError error={cancel.error} />
        <Group justify="flex-end">
          <Button data-autofocus variant="default" onClick={onClose}>
            Keep it
          </Button>
          <Button
            color="red"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(view.version, { onSuccess: onClose })}
          >
            Cancel subscription
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
