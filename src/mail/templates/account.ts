import type { MailContent, TemplateContext } from '../letter'
import { formatDay } from '../letter'
import type { QueuedMailOf } from '../order'

const ACCOUNT_SECURITY_REASON = 'You get this because it concerns the safety of your account.'
const CONFIRM_BOTH_ADDRESSES = 'The address changes once both have confirmed. The link works for 24 hours.'

export const emailOld = (
  { newEmail }: QueuedMailOf<'emailOld'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm your new address for ${appName}`,
  heading: 'Confirm that your address changes',
  body: [`Your account is to move to ${newEmail}. Confirm here that you want this.`],
  button: { label: 'Confirm the change', href: page(`/auth/email#${token}`) },
  after: [
    CONFIRM_BOTH_ADDRESSES,
    'If you did not ask for it, do not confirm, and set a new password: somebody else is in your account.',
  ],
  reason: ACCOUNT_SECURITY_REASON,
})

export const emailNew = (
  { oldEmail }: QueuedMailOf<'emailNew'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm this address for ${appName}`,
  heading: 'Confirm that this address is yours',
  body: [
    oldEmail === null
      ? `This address is to be that of an account at ${appName}.`
      : `The account of ${oldEmail} at ${appName} is to move to this address.`,
  ],
  button: { label: 'Confirm this address', href: page(`/auth/email#${token}`) },
  after: [
    oldEmail === null ? 'The link works for 24 hours.' : CONFIRM_BOTH_ADDRESSES,
    'If you know nothing of this, you can ignore this mail: nothing happens without you.',
  ],
  reason: 'You get this because somebody named this address as their new one.',
})

export const emailChanged = (
  { newEmail }: QueuedMailOf<'emailChanged'>,
  { appName }: TemplateContext,
): MailContent => ({
  subject: `Your address at ${appName} was changed`,
  heading: 'Your address was changed',
  body: [`Your account now belongs to ${newEmail}. Mails no longer go to the address before.`],
  button: null,
  after: ['If this was not you, tell the people who run this installation.'],
  reason: ACCOUNT_SECURITY_REASON,
})

export const accountDeleted = (
  { until }: QueuedMailOf<'accountDeleted'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Your account at ${appName} was deleted`,
  heading: 'Your account was deleted',
  body: [`Nobody can sign in to it. Until ${formatDay(until)} you can take it back; after that it is gone for good.`],
  button: { label: 'Take the account back', href: page(`/auth/undelete#${token}`) },
  after: ['If this was you and you mean it, there is nothing to do.'],
  reason: ACCOUNT_SECURITY_REASON,
})
