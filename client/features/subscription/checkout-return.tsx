import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { planName } from './plan-names'
import { useCheckoutReturn } from './use-checkout-return'
import type { SubscriptionView } from '../../../src/shared/subscription'

/** Says what became of the payment page. The address grants nothing: billing is asked. */
export function CheckoutReturnNotice({
  outcome,
  view,
}: {
  outcome: string | undefined
  view: SubscriptionView | undefined
}) {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/settings/workspace/subscription', search: {}, replace: true })
  if (outcome === 'done') return <PurchaseStatus view={view} onClose={close} />
  if (outcome !== 'cancelled') return null
  return (
    <Alert
      mb="lg"
      color="gray"
      icon={<IconInfoCircle aria-hidden />}
      title="Nothing was bought"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={close}
    >
      The payment page was left before paying. Nothing is charged, and everything is as it was.
    </Alert>
  )
}

function PurchaseStatus({ view, onClose }: { view: SubscriptionView | undefined; onClose: () => void }) {
  const { phase, again } = useCheckoutReturn()
  if (phase === 'asking')
    return (
      <Alert
        mb="lg"
        color="accent"
        icon={<Loader size={18} aria-hidden />}
        title="Waiting for the payment"
        role="status"
      >
        We ask billing whether it has come in. This takes a few seconds; you can go on working meanwhile.
      </Alert>
    )
  if (phase === 'done')
    return (
      <Alert
        mb="lg"
        color="green"
        icon={<IconCircleCheck aria-hidden />}
        title={`Thank you. ${(view && planName(view)) ?? 'Your plan'} is active.`}
        role="status"
        withCloseButton
        closeButtonLabel="Close"
        onClose={onClose}
      >
        Everything it has works from now on.
      </Alert>
    )
  return (
    <Alert mb="lg" color="yellow" icon={<IconInfoCircle aria-hidden />} title="Not confirmed yet" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {phase === 'away'
            ? 'Billing cannot be reached right now. If you have paid, your plan becomes active by itself as soon as it can.'
            : 'Billing has not seen a payment. If you have paid, it may take a few minutes; the plan becomes active by itself.'}
        </Text>
        <Button variant="default" onClick={again}>
          Ask again
        </Button>
      </Group>
    </Alert>
  )
}
