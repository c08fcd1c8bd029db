import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { Alert, Button, Group, Loader, Text } from '@mantine/core'
import { IconCircleCheck, IconInfoCircle } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { refreshDependents, refreshSubscription, clearPortalMark, isReturningFromPortal } from './queries'
import { session } from '../../../lib/session'
import { cacheSubscription } from '../../../lib/queries/subscription-queries'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'
import { planName } from '../plan-prices'

/** Waits after each question, in ms: ever longer, then no more. */
export const POLL_DELAYS_MS = [1_000, 2_000, 3_000, 5_000, 8_000, 12_000]

/** `done`: bought; otherwise no payment was seen (`waiting`), or billing did not answer (`away`). */
type PollOutcome = 'done' | 'waiting' | 'away'
type CheckoutReturnPhase = 'asking' | PollOutcome

const isPurchased = ({ state }: SubscriptionView): boolean => state === 'active' || state === 'invoice_pending'
const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Asks until billing knows of the purchase, a few times at most. */
async function pollPurchase(client: QueryClient, signal: AbortSignal): Promise<PollOutcome> {
  let pollOutcome: PollOutcome = 'waiting'
  for (const ms of [0, ...POLL_DELAYS_MS]) {
    await delay(ms)
    if (signal.aborted) return pollOutcome
    const view = await refreshSubscription().catch(() => null)
    pollOutcome = view === null ? 'away' : isPurchased(view) ? 'done' : 'waiting'
    if (view) await cacheSubscription(client, view)
    if (pollOutcome === 'done') return pollOutcome
  }
  return pollOutcome
}

/** After a return from the payment page: whether the purchase is known by now. */
function useCheckoutReturn(): { phase: CheckoutReturnPhase; again: () => void } {
  const client = useQueryClient()
  const { data, isFetching, refetch } = useQuery({
    queryKey: ['subscription', 'return', session().workspace?.id],
    queryFn: async ({ signal }) => {
      const outcome = await pollPurchase(client, signal)
      if (outcome !== 'done') return outcome
      await refreshDependents(client)
      return outcome
    },
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
  })
  return { phase: data === undefined || isFetching ? 'asking' : data, again: () => void refetch() }
}

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
      title="Checkout cancelled"
      role="status"
      withCloseButton
      closeButtonLabel="Close"
      onClose={close}
    >
      You weren’t charged.
    </Alert>
  )
}

function PurchaseStatus({ view, onClose }: { view: SubscriptionView | undefined; onClose: () => void }) {
  const { phase, again } = useCheckoutReturn()
  if (phase === 'asking')
    return (
      <Alert mb="lg" color="accent" icon={<Loader size={18} aria-hidden />} title="Confirming payment" role="status">
        This takes a few seconds.
      </Alert>
    )
  if (phase === 'done')
    return (
      <Alert
        mb="lg"
        color="green"
        icon={<IconCircleCheck aria-hidden />}
        title={`${(view && planName(view)) ?? 'Your plan'} is active`}
        role="status"
        withCloseButton
        closeButtonLabel="Close"
        onClose={onClose}
      />
    )
  return (
    <Alert mb="lg" color="yellow" icon={<IconInfoCircle aria-hidden />} title="Payment not confirmed yet" role="status">
      <Group justify="space-between" gap="sm">
        <Text size="sm">
          {phase === 'away'
            ? 'Couldn’t reach billing. If you paid, your plan starts automatically.'
            : 'If you paid, your plan starts automatically.'}
        </Text>
        <Button variant="default" onClick={again}>
          Check again
        </Button>
      </Group>
    </Alert>
  )
}

/**
 * Asks billing once, quietly, after the payment portal: a card that was changed or a subscription that was cancelled
 * there shows at once. Without an answer the page says what was known before.
 */
export function usePortalReturn(): void {
  const client = useQueryClient()
  useQuery({
    queryKey: ['subscription', 'portal', session().workspace?.id],
    queryFn: async () => {
      const view = await refreshSubscription()
      clearPortalMark()
      await cacheSubscription(client, view)
      await refreshDependents(client)
      return true
    },
    enabled: isReturningFromPortal(),
    retry: false,
    gcTime: 0,
  })
}
