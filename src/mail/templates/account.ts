import { formatDay, formatInstant, type MailContent, type TemplateContext } from '../layout'
import type { QueuedMailOf } from '../queued-mail'
import { safeReturnPath } from '../../shared/session'

const ACCOUNT_SECURITY_REASON = 'Security notice for your account.'
const CONFIRM_BOTH_ADDRESSES = 'Your email changes once both addresses confirm. The link works for 24 hours.'
const IGNORE = 'Didn’t request this? Ignore this email.'

export const confirmEmail = (
  _order: QueuedMailOf<'confirmEmail'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm your email address for ${appName}`,
  heading: 'Confirm your email address',
  body: ['Confirm it to invite people and get alerts and digests.'],
  button: { label: 'Confirm email address', href: page(`/auth/confirm#${token}`) },
  after: [
    'The link works once, for 7 days. Only the newest email works.',
    'Didn’t create an account? Ignore this email.',
  ],
  reason: `This address was used to create an account at ${appName}.`,
})

export const emailOld = (
  { newEmail }: QueuedMailOf<'emailOld'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm your new email for ${appName}`,
  heading: 'Confirm your email change',
  body: [`Confirm your new email, ${newEmail}.`],
  button: { label: 'Confirm change', href: page(`/auth/email#${token}`) },
  after: [
    CONFIRM_BOTH_ADDRESSES,
    'Didn’t request this? Don’t confirm, and reset your password: someone may be using your account.',
  ],
  reason: ACCOUNT_SECURITY_REASON,
})

export const emailNew = (
  { oldEmail }: QueuedMailOf<'emailNew'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Confirm this email for ${appName}`,
  heading: 'Confirm your email address',
  body: [
    oldEmail === null
      ? `Confirm this as the email of your ${appName} account.`
      : `Confirm this as the new email of ${oldEmail} at ${appName}.`,
  ],
  button: { label: 'Confirm email address', href: page(`/auth/email#${token}`) },
  after: [oldEmail === null ? 'The link works for 24 hours.' : CONFIRM_BOTH_ADDRESSES, IGNORE],
  reason: 'This address was entered as a new email.',
})

export const emailChanged = (
  { newEmail }: QueuedMailOf<'emailChanged'>,
  { appName }: TemplateContext,
): MailContent => ({
  subject: `Your email for ${appName} was changed`,
  heading: 'Email address changed',
  body: [`Sign in with ${newEmail} from now on.`],
  button: null,
  after: ['Wasn’t you? Contact support.'],
  reason: ACCOUNT_SECURITY_REASON,
})

export const accountDeleted = (
  { until }: QueuedMailOf<'accountDeleted'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Your ${appName} account was deleted`,
  heading: 'Account deleted',
  body: [`You can restore it until ${formatDay(until)}. Then it’s permanently deleted.`],
  button: { label: 'Restore account', href: page(`/auth/undelete#${token}`) },
  after: [],
  reason: ACCOUNT_SECURITY_REASON,
})

const AUTHENTICATION = '/settings/profile/authentication'
const IF_NOT_YOU = 'Wasn’t you? Reset your password now; it signs out every session.'

export const reset = (_order: QueuedMailOf<'reset'>, { appName, token, page }: TemplateContext): MailContent => ({
  subject: `Reset your ${appName} password`,
  heading: 'Reset your password',
  body: ['We got a request to reset your password.'],
  button: { label: 'Set new password', href: page(`/reset#${token}`) },
  after: [
    'The link works once, for 1 hour. Only the newest email works.',
    'Didn’t request this? Ignore this email; your password stays the same.',
  ],
  reason: 'A password reset was requested for this address.',
})

export const resetWithoutPassword = (
  { providers }: QueuedMailOf<'resetWithoutPassword'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `Signing in to ${appName}`,
  heading: 'Your account has no password',
  body: [
    'We got a request to reset your password.',
    providers.length === 0
      ? 'You haven’t connected another way to sign in.'
      : `You sign in with ${providers.join(' or ')}. You can set a password after signing in.`,
  ],
  button: { label: 'Go to sign-in', href: page('/login') },
  after: [IGNORE],
  reason: 'A password reset was requested for this address.',
})

export const passwordChanged = (
  _order: QueuedMailOf<'passwordChanged'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `Your ${appName} password was changed`,
  heading: 'Password changed',
  body: ['Every other session was signed out.'],
  button: { label: 'Reset password', href: page('/reset') },
  after: [IF_NOT_YOU],
  reason: ACCOUNT_SECURITY_REASON,
})

export const signInLink = (
  { returnTo }: QueuedMailOf<'signInLink'>,
  { appName, token, page }: TemplateContext,
): MailContent => ({
  subject: `Sign in to ${appName}`,
  heading: 'Your sign-in link',
  body: ['Open it in the browser you want to use.'],
  button: {
    label: 'Sign in',
    href: page(`/auth/link?return=${encodeURIComponent(safeReturnPath(returnTo))}#${token}`),
  },
  after: ['The link works once, for 15 minutes.', IGNORE],
  reason: 'A sign-in link was requested for this address.',
})

export const newSignIn = (
  { device, country, at }: QueuedMailOf<'newSignIn'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: `New sign-in to ${appName}`,
  heading: 'New sign-in to your account',
  body: [`${device}${country === null ? '' : ` from ${countryName(country)}`}, on ${formatInstant(at)}.`],
  button: { label: 'View sessions', href: page(AUTHENTICATION) },
  after: [IF_NOT_YOU],
  reason: 'Emails about new sign-ins are on in your profile.',
})

export const signInConnected = (
  { provider, removed }: QueuedMailOf<'signInConnected'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: removed ? `${provider} sign-in removed from ${appName}` : `${provider} sign-in added to ${appName}`,
  heading: removed ? `${provider} sign-in removed` : `${provider} sign-in added`,
  body: [removed ? `You can no longer sign in with ${provider}.` : `You can now sign in with ${provider}.`],
  button: { label: 'View sign-in methods', href: page(AUTHENTICATION) },
  after: [IF_NOT_YOU],
  reason: ACCOUNT_SECURITY_REASON,
})

export const accessGranted = (
  { workspace, name, kind }: QueuedMailOf<'accessGranted'>,
  { appName, page }: TemplateContext,
): MailContent => ({
  subject: kind === 'token' ? `New access token for ${appName}` : `App connected to ${appName}`,
  heading: kind === 'token' ? 'New access token' : 'App connected',
  body: [
    kind === 'token'
      ? `The token ${name} can read what you see in ${workspace}.`
      : `${name} can read what you see in ${workspace}.`,
  ],
  button: { label: 'View access', href: page(AUTHENTICATION) },
  after: ['Wasn’t you? Revoke it, then reset your password.'],
  reason: ACCOUNT_SECURITY_REASON,
})

/** The platform names countries by two letters, and some places by others that no table knows. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return 'an unknown place'
  return new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) ?? code
}
