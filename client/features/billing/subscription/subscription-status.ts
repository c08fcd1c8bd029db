import { planName } from '../plan-prices'
import { daysUntil, type Formatter } from '../../../lib/format'
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
  const stateStatus = STATUS_BY_STATE[view.state](input)
  const title = planLabel(view) ?? stateStatus.title
  return { ...stateStatus, title, action: isBillingOff ? null : stateStatus.action }
}

function planLabel(view: SubscriptionView): string | null {
  const name = planName(view)
  if (name === null || view.state === 'canceled') return null
  return view.interval === null ? name : `${name}, paid ${view.interval}`
}

const customPlanStatus = ({ view, isBillingOff }: StatusInput): SubscriptionStatus => ({
  title: planName(view) ?? 'Your own agreement',
  word: 'Own agreement',
  tone: 'green',
  sentence: 'Limits and price are as agreed with us. Write to us when something has to change.',
  action: isBillingOff ? null : 'contact',
})

const DATA_KEPT_TEXT = 'Everything stays readable and can be exported, and nothing is deleted.'

/** "6 days left", "Last day". `until`: ISO text; `now`: epoch ms. */
export function daysLeft(until: string, now: number): string {
  const days = daysUntil(Date.parse(until), now)
  return days <= 1 ? 'Last day' : `${days} days left`
}

const STATUS_BY_STATE: Record<SubscriptionStateName, (input: StatusInput) => SubscriptionStatus> = {
  trialing: ({ view, format, now, isBillingOff }) => ({
    title: 'Trial',
    word: view.trialEndsAt === null ? 'On trial' : daysLeft(view.trialEndsAt, now),
    tone: 'green',
    sentence: `${trialPeriodText(view, format)} you have what Professional gives, with 100 bot messages. ${
      isBillingOff
        ? 'Then the workspace becomes read-only. Nothing is deleted.'
        : 'Nothing is charged. Without a plan the workspace becomes read-only then; nothing is deleted.'
    }`,
    action: 'choose',
  }),
  trial_expired: ({ isBillingOff }) => ({
    title: 'The trial has ended',
    word: 'Read-only',
    tone: 'red',
    sentence:
      `${DATA_KEPT_TEXT} Sources are not synced. ${isBillingOff ? '' : 'With a plan all of it goes on where it stopped.'}`.trim(),
    action: 'choose',
  }),
  awaiting_checkout: ({ isBillingOff }) => ({
    title: 'No plan yet',
    word: 'Read-only',
    tone: 'yellow',
    sentence: isBillingOff ? DATA_KEPT_TEXT : 'Choose a plan to add data and make insights. It works at once.',
    action: 'choose',
  }),
  active: ({ view, format, now }) => activeStatus(view, format, now),
  invoice_pending: ({ view, format }) => ({
    title: 'Active',
    word: 'Invoice open',
    tone: 'yellow',
    sentence: `Everything works. An invoice is open${view.invoiceDueAt === null ? '' : `: pay it by ${format.day(view.invoiceDueAt)}`}.`,
    action: 'pay',
  }),
  past_due: ({ view, format }) => ({
    title: 'Payment missing',
    word: 'Payment missing',
    tone: 'red',
    sentence: `${view.method === 'card' ? 'The card could not be charged.' : 'An invoice is overdue.'} Everything works${view.graceEndsAt === null ? '' : ` until ${format.day(view.graceEndsAt)}`}; after that the workspace is read-only until the invoice is paid.`,
    action: view.method === 'invoice' ? 'pay' : 'card',
  }),
  restricted: ({ view, format }) => ({
    title: 'Payment missing',
    word: 'Read-only',
    tone: 'red',
    sentence: `An invoice is not paid. ${DATA_KEPT_TEXT} As soon as it is paid, everything works again.${
      view.cancelAt === null ? '' : ` Without a payment the subscription ends on ${format.day(view.cancelAt)}.`
    }`,
    action: view.method === 'invoice' ? 'pay' : 'card',
  }),
  canceled: ({ isBillingOff }) => ({
    title: 'The subscription has ended',
    word: 'Read-only',
    tone: 'red',
    sentence: `${DATA_KEPT_TEXT}${isBillingOff ? '' : ' Subscribe again and all of it goes on where it stopped.'}`,
    action: 'choose',
  }),
}

const trialPeriodText = ({ trialEndsAt }: SubscriptionView, format: StatusInput['format']): string =>
  trialEndsAt === null ? 'Now' : `Until ${format.dateTime(trialEndsAt)}`

function activeStatus(view: SubscriptionView, format: StatusInput['format'], now: number): SubscriptionStatus {
  const { cancelAt, periodEndsAt, trialEndsAt, method } = view
  if (cancelAt !== null)
    return {
      title: 'Active',
      word: `Ends ${format.day(cancelAt)}`,
      tone: 'yellow',
      sentence: `Everything works until ${format.day(cancelAt)}, then the subscription ends and the workspace becomes read-only. Nothing is deleted.`,
      action: 'resume',
    }
  const how = method === 'invoice' ? 'by an invoice to pay within 30 days' : 'by card'
  const isTrial = trialEndsAt !== null && Date.parse(trialEndsAt) > now
  const isBeforeFirstCharge = isTrial && method === 'card' && periodEndsAt !== null
  return {
    title: 'Active',
    word: 'Active',
    tone: 'green',
    sentence: isBeforeFirstCharge
      ? `Bought. The rest of the trial is yours: the card is charged for the first time on ${format.day(periodEndsAt)}.`
      : periodEndsAt === null
        ? 'Everything works.'
        : `Active until ${format.day(periodEndsAt)}${view.scheduled === null ? ` and renewed then, ${how}` : ''}.`,
    action: null,
  }
}
