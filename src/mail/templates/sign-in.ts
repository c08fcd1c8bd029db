import type { Letter, LetterContext } from '../letter'
import { instant } from '../letter'
import type { OrderOf } from '../order'
import { safeReturnPath } from '../../shared/session'

const AUTHENTICATION = '/settings/profile/authentication'
const NOT_YOU = 'If this was not you, set a new password at once: every other session ends with it.'
const SAFETY = 'You get this because it concerns the safety of your account.'

export const reset = (_order: OrderOf<'reset'>, { appName, token, page }: LetterContext): Letter => ({
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
  { providers }: OrderOf<'resetWithoutPassword'>,
  { appName, page }: LetterContext,
): Letter => ({
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

export const passwordChanged = (_order: OrderOf<'passwordChanged'>, { appName, page }: LetterContext): Letter => ({
  subject: `Your password for ${appName} was changed`,
  heading: 'Your password was changed',
  body: ['The password of your account was set anew. Every other session has ended.'],
  button: { label: 'Set a new password', href: page('/reset') },
  after: ['If this was you, there is nothing to do.', NOT_YOU],
  reason: SAFETY,
})

export const signInLink = ({ returnTo }: OrderOf<'signInLink'>, { appName, token, page }: LetterContext): Letter => ({
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

export const newSignIn = ({ device, country, at }: OrderOf<'newSignIn'>, { appName, page }: LetterContext): Letter => ({
  subject: `New sign-in to ${appName}`,
  heading: 'A new sign-in to your account',
  body: [`With ${device}${country === null ? '' : ` from ${countryName(country)}`}, on ${instant(at)}.`],
  button: { label: 'See your sessions', href: page(AUTHENTICATION) },
  after: ['If this was you, there is nothing to do.', NOT_YOU],
  reason: 'You get this because you want to hear of sign-ins from a new device. Change it in your profile.',
})

export const signInConnected = (
  { provider, removed }: OrderOf<'signInConnected'>,
  { appName, page }: LetterContext,
): Letter => ({
  subject: removed ? `${provider} no longer signs you in to ${appName}` : `${provider} now signs you in to ${appName}`,
  heading: removed ? `Sign-in with ${provider} was removed` : `Sign-in with ${provider} was added`,
  body: [
    removed
      ? `Your account can no longer be entered with ${provider}.`
      : `Your account can now be entered with ${provider}.`,
  ],
  button: { label: 'See your sign-ins', href: page(AUTHENTICATION) },
  after: ['If this was you, there is nothing to do.', NOT_YOU],
  reason: SAFETY,
})

/** The platform names countries by two letters, and some places by others that no table knows. */
function countryName(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return 'an unknown place'
  return new Intl.DisplayNames('en-GB', { type: 'region' }).of(code) ?? code
}
