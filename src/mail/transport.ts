import type { MailAddress } from './address'
import type { RenderedMail } from './frame'

/** A mail ready to be handed over. Addresses are parsed, and the subject stands on one line. */
export interface OutgoingMail extends RenderedMail {
  to: MailAddress
  /** The same for every try of one outbox key, so that a receiver can tell a repetition. */
  messageId: string
}

/** Where mails are handed over. */
export interface MailTransport {
  /**
   * Resolves once the mail was taken over.
   * @throws MailRefused when no later try can help; any other error is worth another one
   */
  send: (mail: OutgoingMail) => Promise<void>
}

/** The recipient's address was refused for good. */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'
}

/** Local mode without a mail server: whatever is sent is read at `/dev/mail`. */
export const localTransport: MailTransport = { send: () => Promise.resolve() }

/** Nobody to hand over to: mails wait, and the log says why. */
export const unconfiguredTransport: MailTransport = {
  send: () => Promise.reject(new Error('SMTP_HOST is not set: mails are sent nowhere')),
}
