import { daysUntil, type Formatter } from '../../../../src/shared/figures/formatter'
import type { MoneyFormat } from '../../../lib/money'
import { formatLimit } from '../../../lib/plan/plan-labels'
import type { LimitName, PlanFeatures } from '../../../../src/shared/billing/plans'
import type { ChangePreview, PaymentMethod, SubscriptionView } from '../../../../src/shared/billing/subscription'
import { TERMS } from '../../../../src/shared/terms'
import { capitalize } from '../../../../src/shared/text'

export interface Formatters {
  money: MoneyFormat
  format: Formatter
}

/** What the button does and costs: "Pay €195.00 by card", "Change on 1 Dec 2026". */
export function confirmLabel(preview: ChangePreview, method: PaymentMethod, formatters: Formatters): string {
  const { when, dueNow, recurring, recurringFrom, at } = preview
  const { format, money } = formatters
  switch (when) {
    case 'checkout':
      if (method === 'invoice') return 'Order by invoice'
      if (dueNow.minor > 0) return `Pay ${money(dueNow)} by card`
      return `Add a card, pay ${money(recurring)} on ${format.day(recurringFrom)}`
    case 'now':
      return dueNow.minor > 0 ? `Change now for ${money(dueNow)}` : 'Change now'
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
        ? 'Starts now. The invoice with bank details is on the next page.'
        : 'Enter your card on the next page, at Stripe.'
    case 'now':
      return `${isLocked ? 'Read-only until the overdue invoice is paid.' : 'Starts now.'} ${chargeText(preview, method)}`
    case 'periodEnd':
      return 'No change until then; you can cancel it.'
    case 'none':
      return 'This is your current plan. Choose another to see its price.'
  }
}

const chargeText = ({ dueNow }: ChangePreview, method: PaymentMethod): string => {
  if (dueNow.minor <= 0) return 'No charge today.'
  return method === 'invoice' ? 'We’ll email the invoice.' : 'Your card is charged now.'
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
  const left = days === 1 ? 'Last trial day' : `Remaining ${days} trial days`
  if (method === 'invoice') return `${left} added to the first period.`
  return days === 1 ? `${left} stays free.` : `${left} stay free.`
}

/** What the choice gives, line by line. */
export function featureLines(features: PlanFeatures, { count }: Pick<Formatter, 'count'>): string[] {
  const words = (limit: LimitName): string => formatLimit(limit, features[limit], count)
  const users = words('users')
  return [
    features.users === 1 ? users : `${users}, up to ${words('analysts')}`,
    words('dataSources'),
    words('customInsights'),
    words('activeForecasts'),
    words('groupings'),
  ].map(capitalize)
}

/** How VAT is dealt with. Whether an EU VAT number makes the buyer account for it is known when the invoice is made. */
export const vatText = (taxId: string): string =>
  taxId === ''
    ? `All amounts ${TERMS.excludingVat}`
    : `All amounts ${TERMS.excludingVat}; the invoice adds VAT or states reverse charge (${taxId})`
