import { formatDay, formatInstant, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import { safeReturnPath } from '../../shared/session'

const ACCOUNT_SECURITY_REASON = 'You get this because it concerns the safety of your account.'
const CONFIRM_BOTH_ADDRESSES = 'The address changes once both have confirmed. The link works for 24 hours.'

export const confirmEmail = (
  _order: QueuedMailOf<'confirmEmail'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm your email address for ${appName}`,
  heading: 'Confirm your email address',
  body: ['Confirm that this address is yours. After that you can invite people, and alerts and digests reach you.'],
  button: { label: 'Confirm email address', href: page(`/auth/confirm#${token}`) },
  after: [
    'The link works once, and for 7 days. A newer mail replaces this one.',
    'If you did not create an account, you can ignore this mail: nothing is confirmed without you.',
  ],
  reason: `You get this because an account at ${appName} was created with this address.`,
})

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

const AUTHENTICATION = '/settings/profile/authentication'
const IF_NOT_YOU = 'If this was not you, set a new password at once: every other session ends with it.'
const SIGN_IN_SECURITY_REASON = 'You get this because it concerns the safety of your account.'

export const reset = (_order: QueuedMailOf<'reset'>, { appName, token, page }: TemplateContext): MailContent => ({
  subject: `Set a new password for ${appName}`,
  heading: 'Set a new password',
  body: ['Somebody, most likely you, asked for a new password. Nothing has changed yet.'],
  button: { label: 'Set a new password', href: page(`/reset#${token}`) },
  after: [
    'The link works once, and for one hour. A newer mail replaces this one.',
    'If you did not ask for it, you can ignore this mail: your password stays as it is.',
  ],
  reason: 'You get this because a new password was asked for with this address.',
})

export const resetWithoutPassword = (
  { providers }: QueuedMailOf<'resetWithoutPassword'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `How you sign in to ${appName}`,
  heading: 'Your account has no password',
  body: [
    'Somebody, most likely you, asked for a new password.',
    providers.length === 0
      ? 'There is none to replace.'
      : `There is none to replace: you sign in with ${providers.join(' or ')}. Once signed in you can add a password.`,
  ],
  button: { label: 'Go to sign-in', href: page('/login') },
  after: ['If you did not ask for it, you can ignore this mail: nothing has changed.'],
  reason: 'You get this because a new password was asked for with this address.',
})

export const passwordChanged = (
  _order: QueuedMailOf<'passwordChanged'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `Your password for ${appName} was changed`,
  heading: 'Your password was changed',
  body: ['The password of your account was set anew. Every other session has ended.'],
  button: { label: 'Set a new password', href: page('/reset') },
  after: ['If this was you, there is nothing to do.', IF_NOT_YOU],
  reason: SIGN_IN_SECURITY_REASON,
})

export const signInLink = (
  { returnTo }: QueuedMailOf<'signInLink'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Sign in to ${appName}`,
  heading: 'Sign in without a password',
  body: ['Open the link in the browser you want to work in, and confirm there.'],
  button: {
    label: 'Sign in',
    href: page(`/auth/link?return=${encodeURIComponent(safeReturnPath(returnTo))}#${token}`),
  },
  after: ['The link works once, and for 15 minutes.', 'If you did not ask for it, you can ignore this mail.'],
  reason: 'You get this because a sign-in was asked for with this address.',
})

export const newSignIn = (
  { device, country, at }: QueuedMailOf<'newSignIn'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `New sign-in to ${appName}`,
  heading: 'A new sign-in to your account',
  body: [`With ${device}${country === null ? '' : ` from ${countryName(country)}`}, on ${formatInstant(at)}.`],
  button: { label: 'See your sessions', href: page(AUTHENTICATION) },
  after: ['If this was you, there is nothing to do.', IF_NOT_YOU],
  reason: 'You get this because you want to hear of sign-ins from a new device. Change it in your profile.',
})

export const signInConnected = (
  { provider, removed }: QueuedMailOf<'signInConnected'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: removed ? `${provider} no longer signs you in to ${appName}` : `${provider} now signs you in to ${appName}`,
  heading: removed ? `Sign-in with ${provider} was removed` : `Sign-in with ${provider} was added`,
  body: [
    removed
      ? `Your account can no longer be entered with ${provider}.`
      : `Your account can now be entered with ${provider}.`,
  ],
  button: { label: 'See your sign-ins', href: page(AUTHENTICATION) },
  after: ['If this was you, there is nothing to do.', IF_NOT_YOU],
  reason: SIGN_IN_SECURITY_REASON,
})

/** The platform names countries by two letters, and some places by others that no table knows. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return 'an unknown place'
  return new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) ?? code
}
