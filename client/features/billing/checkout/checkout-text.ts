import { daysUntil, type Formatter } from '../../../lib/format'
import type { MoneyFormat } from '../../../lib/money'
import { formatLimit } from '../../../lib/plan/plan-labels'
import type { LimitName, PlanFeatures } from '../../../../src/shared/billing/plans'
import type { ChangePreview, PaymentMethod, SubscriptionView } from '../../../../src/shared/billing/subscription'
import { capitalize } from '../../../../src/shared/text'

export interface Formatters {
  money: MoneyFormat
  format: Formatter
}

const fullAmount = ({ money }: Formatters, amount: ChangePreview['dueNow']): string => money(amount, { column: true })

/** What the button does and costs: "Pay €195.00 by card", "Change on 1 Dec 2026". */
export function confirmLabel(preview: ChangePreview, method: PaymentMethod, formatters: Formatters): string {
  const { when, dueNow, recurring, recurringFrom, at } = preview
  const { format } = formatters
  switch (when) {
    case 'checkout':
      if (method === 'invoice') return 'Order by invoice'
      if (dueNow.minor > 0) return `Pay ${fullAmount(formatters, dueNow)} by card`
      return `Add a card, pay ${fullAmount(formatters, recurring)} on ${format.day(recurringFrom)}`
    case 'now':
      return dueNow.minor > 0 ? `Change now for ${fullAmount(formatters, dueNow)}` : 'Change now'
    case 'periodEnd':
      return `Change on ${format.day(at)}`
    case 'none':
      return 'Nothing to change'
  }
}

/** What happens after the button, in a sentence or two. `isLocked`: read-only until an invoice is paid. */
export function consequenceText(preview: ChangePreview, method: PaymentMethod, isLocked = false): string {
  switch (preview.when) {
    case 'checkout':
      return method === 'invoice'
        ? 'It works at once. You see the invoice on the next page, with the account to pay to.'
        : 'You enter the card on the next page, at Stripe. Nothing is charged before you confirm there.'
    case 'now':
      return `${isLocked ? 'The workspace stays read-only until the overdue invoice is paid.' : 'The change works at once.'} ${chargeText(preview, method)}`
    case 'periodEnd':
      return 'Until then everything stays as it is, and you can take the change back. Nothing is charged today.'
    case 'none':
      return 'This is what you have. Choose another plan, interval or add-on to see what it costs.'
  }
}

const chargeText = ({ dueNow }: ChangePreview, method: PaymentMethod): string => {
  if (dueNow.minor <= 0) return 'Nothing is charged today.'
  return method === 'invoice' ? 'The invoice comes by e-mail.' : 'Your card is charged now.'
}

/** What becomes of the days left of the trial; null when there are none. `now` in epoch ms. */
export function remainingTrialText(
  view: Pick<SubscriptionView, 'state' | 'trialEndsAt'>,
  method: PaymentMethod,
  now: number,
): string | null {
  if (view.state !== 'trialing' || view.trialEndsAt === null) return null
  const days = daysUntil(Date.parse(view.trialEndsAt), now)
  if (days <= 0) return null
  const left = days === 1 ? 'The last day of your trial is' : `The ${days} days left of your trial are`
  const free = days === 1 ? 'it costs nothing' : 'they cost nothing'
  return method === 'invoice' ? `${left} added to the first period.` : `${left} kept: ${free}.`
}

/** What the choice gives, line by line. */
export function featureLines(features: PlanFeatures, { count }: Pick<Formatter, 'count'>): string[] {
  const hours = features.syncFrequencyHours
  const words = (limit: LimitName): string => formatLimit(limit, features[limit], count)
  const users = words('users')
  return [
    features.users === 1 ? users : `${users}, up to ${words('analysts')} among them`,
    words('dataSources'),
    hours === 1 ? 'Synced every hour' : `Synced every ${hours} hours`,
    words('customInsights'),
    words('aiMessages'),
  ].map(capitalize)
}
