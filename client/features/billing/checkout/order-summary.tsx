import { MutedText } from '../../../ui/muted-text'
import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import {
  consequenceText,
  confirmLabel,
  featureLines,
  remainingTrialText,
  vatText,
  type Formatters,
} from './checkout-text'
import { selectedFeatures, type PlanSelection } from './plan-selection'
import { describeAddOns, INTERVAL_PRICE_SUFFIX, planName } from '../plan-prices'
import { CheckoutError } from './checkout-error'
import classes from './checkout.module.css'
import { ApiError } from '../../../lib/api'
import { useFormat } from '../../../lib/format'
import { useMoney } from '../../../lib/money'
import { useSession } from '../../../lib/session'
import { SectionCard } from '../../../ui/section-card'
import type { ChangePreview, SubscriptionView } from '../../../../src/shared/billing/subscription'

export interface OrderSummaryProps {
  choice: PlanSelection
  view: SubscriptionView
  preview: ChangePreview | undefined
  /** The figures are those of an earlier choice. */
  isStale: boolean
  /** Why there are no figures. */
  error: unknown
  onRetry: () => void
  isSending: boolean
  onConfirm: () => void
  /** Above the button: why the last try came to nothing. */
  orderError: ReactNode
  /** In place of the button when nothing would change. */
  noChangeAction: ReactNode
  /** The buyer's EU VAT number; empty without a valid one. */
  taxId: string
}

/** What is due today and from then on, as the server reckons it, and the button that carries it out. */
export function OrderSummary(props: OrderSummaryProps) {
  const { choice, view, preview, isStale, error, onRetry, orderError } = props
  const isTest = useSession().config.billing === 'test'
  const format = useFormat()
  const extras = describeAddOns(choice.addOns)
  return (
    <div className={classes.summary}>
      <SectionCard title="Summary" boxed>
        <div>
          <Text fw={600}>{planName({ planId: choice.planId, tier: view.tier })}</Text>
          {extras !== '' && <Text size="sm">With {extras}</Text>}
          <ul className={classes.given}>
            {featureLines(selectedFeatures(choice, view.tier), format).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </div>
        {error && !preview ? (
          <PreviewError error={error} onRetry={onRetry} />
        ) : (
          <div className={classes.figures} data-old={isStale} aria-busy={isStale} aria-live="polite">
            {preview ? (
              <PriceBreakdown choice={choice} view={view} preview={preview} taxId={props.taxId} />
            ) : (
              <PriceBreakdownSkeleton />
            )}
          </div>
        )}
        {orderError}
        {preview && <ConfirmOrder {...props} preview={preview} />}
        {isTest && (
          <Text size="xs" c="dimmed" ta="center">
            Test billing: no real charges
          </Text>
        )}
      </SectionCard>
    </div>
  )
}

/** A choice that cannot be ordered says why; anything else can be asked again. */
function PreviewError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const isRefused = error instanceof ApiError && ['invalid_input', 'in_use'].includes(error.body.code)
  return (
    <>
      <CheckoutError error={error} title="Couldn’t price this choice" />
      {!isRefused && (
        <Button variant="default" fullWidth leftSection={<IconRefresh size={16} aria-hidden />} onClick={onRetry}>
          Try again
        </Button>
      )}
    </>
  )
}

type PreviewProps = Pick<OrderSummaryProps, 'choice' | 'view' | 'taxId'> & { preview: ChangePreview }

function PriceBreakdown({ choice, view, preview, taxId }: PreviewProps) {
  const money = useMoney()
  const format = useFormat()
  const [now] = useState(() => Date.now())
  const { when, lines, dueNow, recurring, recurringFrom } = preview
  const trialText = when === 'checkout' ? remainingTrialText(view, choice.method, now) : null
  // Beside an older tier Premium sync is a subscription of its own, in euro.
  const isPremium = choice.planId === 'legacy' && recurring.currency.toLowerCase() === 'eur'
  // What ends or changes is not paid again as it is.
  const next = view.cancelAt === null && view.scheduled === null ? `, next ${format.day(recurringFrom)}` : ''
  const isInvoice = when === 'checkout' && choice.method === 'invoice'
  return (
    <Stack gap="sm">
      <dl className={classes.amounts}>
        {withKeys(lines).map(({ key, text, amount }) => (
          <AmountRow key={key} term={text} amount={money(amount)} />
        ))}
        {when !== 'none' && (
          <AmountRow
            term={isInvoice ? 'On the invoice' : 'Due today'}
            amount={money(dueNow)}
            className={classes.total}
          />
        )}
      </dl>
      <Text size="sm">
        {when === 'none' ? 'You pay' : 'Then'} <strong className="figure">{money(recurring)}</strong>{' '}
        {INTERVAL_PRICE_SUFFIX[choice.interval]}
        {when === 'none' ? next : ` from ${format.day(recurringFrom)}`}
        {isPremium ? ', for Premium sync.' : '.'}
      </Text>
      <Text size="xs" c="dimmed">
        {vatText(taxId)}
      </Text>
      {trialText !== null && <Text size="sm">{trialText}</Text>}
      {view.cancelAt !== null && (when === 'now' || when === 'periodEnd') && (
        <Text size="sm">This also cancels the end on {format.day(view.cancelAt)}.</Text>
      )}
    </Stack>
  )
}

function AmountRow({ term, amount, className = '' }: { term: string; amount: string; className?: string | undefined }) {
  return (
    <>
      <dt className={className}>{term}</dt>
      <dd className={`figure ${className}`}>{amount}</dd>
    </>
  )
}

const PriceBreakdownSkeleton = () => (
  <Stack gap={10} role="status" aria-label="Calculating price">
    {[100, 100, 64].map((width, at) => (
      <Skeleton key={`${at}-${width}`} h={14} w={`${width}%`} />
    ))}
  </Stack>
)

function ConfirmOrder({
  choice,
  view,
  preview,
  isStale,
  isSending,
  onConfirm,
  noChangeAction,
}: OrderSummaryProps & PreviewProps) {
  const formatters: Formatters = { money: useMoney(), format: useFormat() }
  const after = <MutedText>{consequenceText(preview, choice.method, view.state === 'restricted')}</MutedText>
  if (preview.when === 'none')
    return (
      <>
        {after}
        {noChangeAction}
      </>
    )
  return (
    <>
      <Button fullWidth className={classes.confirm} disabled={isStale} loading={isSending} onClick={onConfirm}>
        {confirmLabel(preview, choice.method, formatters)}
      </Button>
      {after}
    </>
  )
}

/** Lines are told apart by their place only: two may say the same. */
const withKeys = (lines: ChangePreview['lines']) => lines.map((line, at) => ({ ...line, key: `${at} ${line.text}` }))
