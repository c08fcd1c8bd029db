import { formatDay, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import { planById } from '../../shared/billing/plans'

const PAGE = '/settings/workspace/subscription'
const reasonOf = (workspace: string): string => `You get this because you own ${workspace} or receive its invoices.`

/** For those who only pay: they cannot open the page. */
const BY_MAIL = 'You can also pay from the invoice email, without signing in.'

export const trialEnding = (
  { workspace, endsAt, timeZone }: QueuedMailOf<'trialEnding'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  // Whoever owns several workspaces has to see which one.
  subject: `${workspace}: trial ends ${formatDay(endsAt, timeZone)}`,
  heading: `${workspace}: trial ends ${formatDay(endsAt, timeZone)}`,
  body: ['Choose a plan to keep working. Remaining trial days stay free.'],
  button: { label: 'Choose a plan', href: workspacePage(PAGE) },
  after: ['Without a plan the workspace becomes read-only. Nothing is deleted.'],
  reason: reasonOf(workspace),
})

export const trialEnded = (
  { workspace }: QueuedMailOf<'trialEnded'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace}: trial ended`,
  heading: `${workspace}: trial ended`,
  body: ['The workspace is now read-only. You can still view and export everything.', 'Choose a plan to continue.'],
  button: { label: 'Choose a plan', href: workspacePage(PAGE) },
  after: [],
  reason: reasonOf(workspace),
})

export const paymentMissing = (
  { workspace, readOnlyAt, timeZone }: QueuedMailOf<'paymentMissing'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace}: payment overdue`,
  heading: `${workspace}: payment overdue`,
  body: [`An invoice is overdue. Unpaid after ${formatDay(readOnlyAt, timeZone)}, the workspace becomes read-only.`],
  button: { label: 'View invoice', href: workspacePage(PAGE) },
  after: [BY_MAIL, 'Already paid? Transfers can take a few days.'],
  reason: reasonOf(workspace),
})

export const workspaceRestricted = (
  { workspace }: QueuedMailOf<'workspaceRestricted'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace}: read-only until the invoice is paid`,
  heading: `${workspace} is now read-only`,
  body: ['An invoice is overdue. Pay it to continue. You can still view and export everything.'],
  button: { label: 'View invoice', href: workspacePage(PAGE) },
  after: [BY_MAIL],
  reason: reasonOf(workspace),
})

export const subscriptionEnded = (
  { workspace }: QueuedMailOf<'subscriptionEnded'>,
  { workspacePage }: TemplateContext,
): MailContent => ({
  subject: `${workspace}: subscription ended`,
  heading: `${workspace}: subscription ended`,
  body: ['The workspace is now read-only. You can still view and export everything.'],
  button: { label: 'Choose a plan', href: workspacePage(PAGE) },
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
  subject: `${workspace}: Enterprise question`,
  heading: `${person} at ${workspace} asked about Enterprise`,
  body: [
    `Users: ${people}. Current plan: ${planId === null ? 'none' : (planById(planId)?.name ?? planId)}. Workspace: ${workspaceId}.`,
    ...message.split(/\n+/).filter((line) => line.trim() !== ''),
    email === null ? 'No email address.' : `Reply to ${email}.`,
  ],
  button: null,
  after: [],
  reason: 'You get this because plan questions go to this address.',
})
