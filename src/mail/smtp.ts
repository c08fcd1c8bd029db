import { errorMessage } from '../lib/log'
import { Buffer } from 'node:buffer'
import { connect } from 'node:net'
import type { SmtpOptions } from 'nodemailer'
import { formatAddress, toSingleLine, parseSender, type MailAddress } from './address'
import type { RenderedMail } from './layout'
import type { Settings } from '../settings'

/** A mail ready to be handed over. Addresses are parsed, and the subject stands on one line. */
export interface OutgoingMail extends RenderedMail {
  to: MailAddress
  /** The same for every try of one outbox key, so that a receiver can tell a repetition. */
  messageId: string
  attachments?: readonly OutgoingFile[]
}
interface OutgoingFile {
  fileName: string
  contentType: string
  bytes: Uint8Array
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
const localTransport: MailTransport = { send: () => Promise.resolve() }

/** Nobody to hand over to: mails wait, and the log says why. */
const unconfiguredTransport: MailTransport = {
  send: () => Promise.reject(new Error('SMTP_HOST is not set: mails are sent nowhere')),
}

const TIMEOUT_MS = 10_000
/** The whole exchange; a server may answer each step in time and still never end. */
const DEADLINE_MS = 30_000
const REASON_MAX_CHARS = 200

type SmtpSettings = Pick<Settings, 'SMTP_PORT' | 'SMTP_USER' | 'SMTP_PASSWORD' | 'MAIL_FROM'> & { SMTP_HOST: string }

/** Where this installation hands its mails over. */
export function mailTransport(settings: Settings): MailTransport {
  const { SMTP_HOST } = settings
  if (SMTP_HOST !== undefined) return smtpTransport({ ...settings, SMTP_HOST })
  return settings.LOCAL_MODE ? localTransport : unconfiguredTransport
}

/** The operator's mail server. The connection is encrypted before anything is said, or nothing is said at all. */
function smtpTransport(settings: SmtpSettings): MailTransport {
  const { SMTP_HOST: host, SMTP_PORT: port, SMTP_USER: user, SMTP_PASSWORD: pass = '' } = settings
  const from = parseSender(settings.MAIL_FROM)
  return {
    async send(mail) {
      if (!from) throw new Error('MAIL_FROM is no address')
      // Read in when the first mail leaves: starting up is no slower for requests that send none.
      const { createTransport } = await import('nodemailer')
      const connection = createTransport({
        ...{ host, port, secure: port === 465, requireTLS: true, tls: { minVersion: 'TLSv1.2' }, getSocket },
        ...(user === undefined ? {} : { auth: { user, pass } }),
        ...{ connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS },
        ...{ disableFileAccess: true, disableUrlAccess: true },
      })
      let deadline: number | null = null
      try {
        const late = new Promise<never>((_resolve, reject) => {
          deadline = setTimeout(() => reject(new Error('the mail server took too long')), DEADLINE_MS)
        })
        await Promise.race([connection.sendMail(toSmtpMessage(mail, from)), late])
      } catch (error) {
        throw deliveryError(error, [pass, user ?? ''])
      } finally {
        clearTimeout(deadline)
        connection.close()
      }
    },
  }
}

/**
 * Opens the connection by the name of the server. Nodemailer would look the name up itself and connect to a number, and
 * the platform checks a certificate against what was connected to.
 */
const getSocket: SmtpOptions['getSocket'] = ({ host, port }, done) => {
  const socket = connect({ host, port })
  const failed = (error: Error): void => {
    socket.destroy()
    done(error)
  }
  socket.setTimeout(TIMEOUT_MS, () => failed(new Error('the mail server cannot be reached')))
  socket.once('error', failed)
  socket.once('connect', () => {
    socket.off('error', failed)
    socket.setTimeout(0)
    done(null, { connection: socket })
  })
}

function toSmtpMessage(mail: OutgoingMail, from: NonNullable<ReturnType<typeof parseSender>>) {
  const to = formatAddress(mail.to)
  const sender = formatAddress(from.address)
  return {
    from: { name: from.name, address: sender },
    to: { name: '', address: to },
    // What counts for delivery, spelled out: exactly one recipient whatever the headers say.
    envelope: { from: sender, to: [to] },
    ...{ subject: mail.subject, text: mail.text, html: mail.html },
    messageId: `<${mail.messageId}@${from.address.domain}>`,
    headers: {
      ...{ 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      ...(mail.unsubscribe === undefined
        ? {}
        : { 'List-Unsubscribe': `<${mail.unsubscribe}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
    attachments: (mail.attachments ?? []).map(({ fileName, contentType, bytes }) => ({
      filename: toSingleLine(fileName),
      contentType,
      content: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    })),
  }
}

/** What went wrong, in words for log and outbox: on one line, without the credentials, with what the server answered. */
function deliveryError(error: unknown, secrets: string[]): Error {
  const { code, command, responseCode } = smtpErrorFields(error)
  const detail = errorMessage(error)
  let reason = toSingleLine([code, command, detail].filter((part) => part !== '').join(' · '))
  for (const secret of secrets.filter((one) => one !== ''))
    for (const form of [secret, base64(secret)]) reason = reason.replaceAll(form, '***')
  reason = Array.from(reason).slice(0, REASON_MAX_CHARS).join('')
  return command === 'RCPT TO' && responseCode >= 500 ? new MailRefused(reason) : new Error(reason)
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)))

/** Nodemailer's errors carry what step they belong to and what the server answered. */
function smtpErrorFields(error: unknown): { code: string; command: string; responseCode: number } {
  const field = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  const [code, command, responseCode] = [field('code'), field('command'), field('responseCode')]
  return {
    code: typeof code === 'string' ? code : '',
    command: typeof command === 'string' ? command : '',
    responseCode: typeof responseCode === 'number' ? responseCode : 0,
  }
}
