import { formatDay, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import { planById } from '../../shared/billing/plans'

const PAGE = '/settings/workspace/subscription'
const reasonOf = (workspace: string): string =>
  `You get this because you own the workspace ${workspace} or its invoices go to this address.`

/** For those who only pay: they cannot open the page. */
const BY_MAIL =
  'The page is for owners and administrators. An invoice that came by e-mail can be paid from there, without signing in.'

export const trialEnding = (
  { workspace, endsAt, timeZone }: QueuedMailOf<'trialEnding'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  // Whoever owns several workspaces has to see which one.
  subject: `The trial of ${workspace} ends on ${formatDay(endsAt, timeZone)}`,
  heading: `The trial of ${workspace} ends on ${formatDay(endsAt, timeZone)}`,
  body: ['Until then everything works. Choose a plan now and the days that are left stay yours: they are not charged.'],
  button: { label: 'See the plans', href: workspacePage(PAGE) },
  after: [
    'Without a plan the workspace becomes read-only on that day. Nothing is deleted, and everything can still be read and exported.',
  ],
  reason: reasonOf(workspace),
})

export const trialEnded = (
  { workspace }: QueuedMailOf<'trialEnded'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `The trial of ${workspace} has ended`,
  heading: `The trial of ${workspace} has ended`,
  body: [
    'The workspace is read-only now: everything can be read and exported, nothing was deleted, and sources are not updated any more.',
    'Choose a plan and it goes on where you left it.',
  ],
  button: { label: 'Choose a plan', href: workspacePage(PAGE) },
  after: [],
  reason: reasonOf(workspace),
})

export const paymentMissing = (
  { workspace, readOnlyAt, timeZone }: QueuedMailOf<'paymentMissing'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `A payment for ${workspace} is missing`,
  heading: `A payment for ${workspace} is missing`,
  body: [
    `An invoice is overdue. Everything goes on working until ${formatDay(readOnlyAt, timeZone)}; after that the workspace is read-only until it is paid.`,
  ],
  button: { label: 'See the invoice', href: workspacePage(PAGE) },
  after: [
    BY_MAIL,
    'If you have paid in the last days, there is nothing to do: a bank transfer may take a while to arrive.',
  ],
  reason: reasonOf(workspace),
})

export const workspaceRestricted = (
  { workspace }: QueuedMailOf<'workspaceRestricted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace} is read-only until its invoice is paid`,
  heading: `${workspace} is read-only now`,
  body: [
    'An invoice has been overdue for too long. Everything can be read and exported, and nothing was deleted. As soon as it is paid, everything works again.',
  ],
  button: { label: 'See the invoice', href: workspacePage(PAGE) },
  after: [BY_MAIL],
  reason: reasonOf(workspace),
})

export const subscriptionEnded = (
  { workspace }: QueuedMailOf<'subscriptionEnded'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `The subscription of ${workspace} has ended`,
  heading: `The subscription of ${workspace} has ended`,
  body: ['The workspace is read-only now. Everything can be read and exported, and nothing was deleted.'],
  button: { label: 'Subscribe again', href: workspacePage(PAGE) },
  after: [],
  reason: reasonOf(workspace),
})

export const planQuestion = ({
  workspace,
  workspaceId,
  planId,
  person,
  email,
  people,
  message,
}: QueuedMailOf<'planQuestion'>): MailContent => ({
  subject: `${workspace} asks for a plan of their own`,
  heading: `${person} of ${workspace} asks for a plan`,
  body: [
    `${people} ${people === 1 ? 'person' : 'people'} would use it. Today's plan: ${planId === null ? 'none' : (planById(planId)?.name ?? planId)}. Workspace: ${workspaceId}.`,
    ...message.split(/\n+/).filter((line) => line.trim() !== ''),
    email === null ? 'No e-mail address is known.' : `Answer to ${email}.`,
  ],
  button: null,
  after: [],
  reason: 'You get this because questions about plans go to this address.',
})
