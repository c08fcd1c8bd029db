import type { Letter, LetterContext } from '../letter'
import { day } from '../letter'
import type { OrderOf } from '../order'

const SAFETY = 'You get this because it concerns the safety of your account.'
const BOTH = 'The address changes once both have confirmed. The link works for 24 hours.'

export const emailOld = ({ newEmail }: OrderOf<'emailOld'>, { appName, token, page }: LetterContext): Letter => ({
  subject: `Confirm your new address for ${appName}`,
  heading: 'Confirm that your address changes',
  body: [`Your account is to move to ${newEmail}. Confirm here that you want this.`],
  button: { label: 'Confirm the change', href: page(`/auth/email#${token}`) },
  after: [BOTH, 'If you did not ask for it, do not confirm, and set a new password: somebody else is in your account.'],
  reason: SAFETY,
})

export const emailNew = ({ oldEmail }: OrderOf<'emailNew'>, { appName, token, page }: LetterContext): Letter => ({
  subject: `Confirm this address for ${appName}`,
  heading: 'Confirm that this address is yours',
  body: [
    oldEmail === null
      ? `This address is to be that of an account at ${appName}.`
      : `The account of ${oldEmail} at ${appName} is to move to this address.`,
  ],
  button: { label: 'Confirm this address', href: page(`/auth/email#${token}`) },
  after: [
    oldEmail === null ? 'The link works for 24 hours.' : BOTH,
    'If you know nothing of this, you can ignore this mail: nothing happens without you.',
  ],
  reason: 'You get this because somebody named this address as their new one.',
})

export const emailChanged = ({ newEmail }: OrderOf<'emailChanged'>, { appName }: LetterContext): Letter => ({
  subject: `Your address at ${appName} was changed`,
  heading: 'Your address was changed',
  body: [`Your account now belongs to ${newEmail}. Mails no longer go to the address before.`],
  button: null,
  after: ['If this was not you, tell the people who run this installation.'],
  reason: SAFETY,
})

export const accountDeleted = (
  { until }: OrderOf<'accountDeleted'>,
  { appName, token, page }: LetterContext,
): Letter => ({
  subject: `Your account at ${appName} was deleted`,
  heading: 'Your account was deleted',
  body: [`Nobody can sign in to it. Until ${day(until)} you can take it back; after that it is gone for good.`],
  button: { label: 'Take the account back', href: page(`/auth/undelete#${token}`) },
  after: ['If this was you and you mean it, there is nothing to do.'],
  reason: SAFETY,
})
