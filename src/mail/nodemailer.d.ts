/**
 * The part of nodemailer that `smtp.ts` uses. Its published types, which those of @auth/core ask for too, bring those
 * of Node along, and these would change what every file of the Worker is checked against: see `paths` in
 * `src/tsconfig.json`.
 */
import type { Socket } from 'node:net'

export interface SmtpOptions {
  host: string
  port: number
  /** TLS from the first byte. */
  secure: boolean
  /** Says nothing more when the server offers no STARTTLS. */
  requireTLS: boolean
  tls: { minVersion: string }
  auth?: { user: string; pass: string }
  /** In milliseconds, as the others. */
  connectionTimeout: number
  greetingTimeout: number
  socketTimeout: number
  disableFileAccess: boolean
  disableUrlAccess: boolean
  /** Opens the connection; what it hands over is used as it is. */
  getSocket: (
    to: { host: string; port: number },
    done: (error: Error | null, opened?: { connection: Socket }) => void,
  ) => void
}
interface Mailbox {
  name: string
  address: string
}
interface MailMessage {
  from: Mailbox
  to: Mailbox
  envelope: { from: string; to: string[] }
  subject: string
  text: string
  html: string
  messageId: string
  headers: Record<string, string>
  attachments: { filename: string; contentType: string; content: Uint8Array }[]
}
export interface Transporter {
  sendMail(message: MailMessage): Promise<unknown>
  close(): void
}
export function createTransport(options: SmtpOptions): Transporter
