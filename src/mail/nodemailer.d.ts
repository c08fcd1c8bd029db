/**
 * The part of nodemailer that `smtp.ts` uses. Its published types bring those of Node along, which differ from the
 * platform's and would change what every other file of the Worker is checked against; those of @auth/core ask for them too (`paths` in `src/tsconfig.json`).
 */
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
}
export interface Mailbox {
  name: string
  address: string
}
export interface MailMessage {
  from: Mailbox
  to: Mailbox
  envelope: { from: string; to: string[] }
  subject: string
  text: string
  html: string
  messageId: string
  headers: Record<string, string>
}
export interface Transporter {
  sendMail(message: MailMessage): Promise<unknown>
  close(): void
}
export function createTransport(options: SmtpOptions): Transporter
