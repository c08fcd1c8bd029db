import { planName } from '../plan-prices'
import { daysUntil, type Formatter } from '../../../../src/shared/figures/formatter'
import { INVOICE_DUE_DAYS } from '../../../../src/shared/billing/plans'
import type { SubscriptionView } from '../../../../src/shared/billing/subscription'

export type BadgeTone = 'green' | 'yellow' | 'red' | 'gray'
/** The one thing to do now; null = nothing has to be done. */
export type StatusAction = 'choose' | 'pay' | 'card' | 'resume' | 'contact' | null
export interface SubscriptionStatus {
  title: string
  /** The state in a few words, for a badge. */
  word: string
  tone: BadgeTone
  /** What holds until when, and what happens then. */
  sentence: string
  action: StatusAction
}
export interface StatusInput {
  view: SubscriptionView
  format: Pick<Formatter, 'day' | 'dateTime'>
  /** Epoch ms. */
  now: number
  /** Where nothing can be bought. */
  isBillingOff: boolean
}
type SubscriptionStateName = SubscriptionView['state']

/** Where the subscription stands, in plain words. */
export function subscriptionStatus(input: StatusInput): SubscriptionStatus {
  const { view, isBillingOff } = input
  if (view.custom) return customPlanStatus(input)
  const stateStatus = withEnd(STATUS_BY_STATE[view.state](input), input)
  const title = planLabel(view) ?? stateStatus.title
  return { ...stateStatus, title, action: isBillingOff ? null : stateStatus.action }
}

function planLabel(view: SubscriptionView): string | null {
  const name = planName(view)
  if (name === null || view.state === 'canceled') return null
  return view.interval === null ? name : `${name}, billed ${view.interval}`
}

const customPlanStatus = ({ view, isBillingOff }: StatusInput): SubscriptionStatus => ({
  title: planName(view) ?? 'Custom agreement',
  word: 'Custom agreement',
  tone: 'green',
  sentence: 'Limits and price are as agreed. Contact us to change them.',
  action: isBillingOff ? null : 'contact',
})

export const hasUnpaidInvoice = ({ state }: Pick<SubscriptionView, 'state'>): boolean =>
  ['invoice_pending', 'past_due', 'restricted'].includes(state)

/** Whether a cancellation can be taken back: paid for or still to be paid, and not ended. */
export const isResumable = ({ state, cancelAt, custom }: SubscriptionView): boolean =>
  !custom && cancelAt !== null && ['active', 'invoice_pending', 'past_due'].includes(state)

/** A cancellation is told with its day in every state, beside what is still to be paid. */
function withEnd(status: SubscriptionStatus, { view, format }: StatusInput): SubscriptionStatus {
  if (!isResumable(view) || view.state === 'active') return status
  return { ...status, sentence: `Ends ${format.day(view.cancelAt)}, then read-only. ${status.sentence}` }
}

const DATA_KEPT_TEXT = 'You can still view and export everything.'

/** "6 days left", "Last day". `until`: ISO text; `now`: epoch ms. */
export function daysLeft(until: string, now: number): string {
  const days = daysUntil(Date.parse(until), now)
  return days <= 1 ? 'Last day' : `${days} days left`
}

const STATUS_BY_STATE: Record<SubscriptionStateName, (input: StatusInput) => SubscriptionStatus> = {
  trialing: ({ view, format, now }) => ({
    title: 'Trial',
    word: view.trialEndsAt === null ? 'Trial' : daysLeft(view.trialEndsAt, now),
    tone: 'green',
    sentence: `Professional trial${view.trialEndsAt === null ? '' : ` until ${format.dateTime(view.trialEndsAt)}`}, then read-only without a plan.`,
    action: 'choose',
  }),
  trial_expired: ({ isBillingOff }) => ({
    title: 'Trial ended',
    word: 'Read-only',
    tone: 'red',
    sentence: `${DATA_KEPT_TEXT}${isBillingOff ? '' : ' Choose a plan to continue.'}`,
    action: 'choose',
  }),
  awaiting_checkout: ({ isBillingOff }) => ({
    title: 'No plan yet',
    word: 'Read-only',
    tone: 'yellow',
    sentence: isBillingOff ? DATA_KEPT_TEXT : 'Choose a plan to add data and create insights.',
    action: 'choose',
  }),
  active: ({ view, format, now }) => activeStatus(view, format, now),
  invoice_pending: ({ view, format }) => ({
    title: 'Active',
    word: view.cancelAt === null ? 'Invoice due' : `Ends ${format.day(view.cancelAt)}`,
    tone: 'yellow',
    sentence: view.invoiceDueAt === null ? 'An invoice is due.' : `Invoice due ${format.day(view.invoiceDueAt)}.`,
    action: 'pay',
  }),
  past_due: ({ view, format }) => ({
    title: 'Payment overdue',
    word: 'Payment overdue',
    tone: 'red',
    sentence: `${view.method === 'card' ? 'Couldn’t charge the card.' : 'An invoice is overdue.'}${view.graceEndsAt === null ? ' Pay it to avoid read-only.' : ` Unpaid after ${format.day(view.graceEndsAt)}, the workspace becomes read-only.`}`,
    action: view.method === 'invoice' ? 'pay' : 'card',
  }),
  restricted: ({ view, format }) => ({
    title: 'Payment overdue',
    word: 'Read-only',
    tone: 'red',
    sentence: `${DATA_KEPT_TEXT} Pay the invoice to continue.${
      view.cancelAt === null ? '' : ` Unpaid, the subscription ends ${format.day(view.cancelAt)}.`
    }`,
    action: view.method === 'invoice' ? 'pay' : 'card',
  }),
  canceled: ({ isBillingOff }) => ({
    title: 'Subscription ended',
    word: 'Read-only',
    tone: 'red',
    sentence: `${DATA_KEPT_TEXT}${isBillingOff ? '' : ' Choose a plan to continue.'}`,
    action: 'choose',
  }),
}

function activeStatus(view: SubscriptionView, format: StatusInput['format'], now: number): SubscriptionStatus {
  const { cancelAt, trialEndsAt, method } = view
  if (cancelAt !== null)
    return {
      title: 'Active',
      word: `Ends ${format.day(cancelAt)}`,
      tone: 'yellow',
      sentence: `Cancelled. Works until ${format.day(cancelAt)}, then read-only.`,
      action: 'resume',
    }
  const isBeforeFirstCharge = trialEndsAt !== null && Date.parse(trialEndsAt) > now && method === 'card'
  return {
    title: 'Active',
    word: 'Active',
    tone: 'green',
    sentence: describeRenewal(view, isBeforeFirstCharge, format),
    action: null,
  }
}

function describeRenewal(
  { periodEndsAt, scheduled, method }: SubscriptionView,
  isBeforeFirstCharge: boolean,
  format: StatusInput['format'],
): string {
  if (periodEndsAt === null) return 'No renewal planned.'
  const day = format.day(periodEndsAt)
  if (isBeforeFirstCharge) return `First card charge ${day}, when the trial ends.`
  if (scheduled !== null) return `Active until ${day}.`
  return `Renews ${day} ${method === 'invoice' ? `by invoice, due in ${INVOICE_DUE_DAYS} days` : 'by card'}.`
}
