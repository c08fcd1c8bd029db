import { SMTP_PASSWORD, SMTP_USER, startSmtp, TEST_AUTHORITY } from '../../emulators/smtp/server.ts'
import type { ReceivedMail, SmtpOptions } from '../../emulators/smtp/server.ts'

const WAIT_MS = 30_000
const LOOK_MS = 50

export interface MailWithLink extends ReceivedMail {
  /** Where the mail's button leads; null when it has none. */
  link: string | null
}

export interface Mailbox {
  port: number
  /** For `startServer(state, { settings, environment })`. */
  settings: Record<string, string>
  environment: Record<string, string>
  /** The next mail to this address (whose subject or text holds `part`) that was not handed out yet; waits for it. */
  waitFor: (to: string, part?: string) => Promise<MailWithLink>
  all: () => MailWithLink[]
  /** Sign-ins without encryption that were tried: must stay 0. */
  openSignIns: () => number
  stop: () => Promise<void>
}

/** A real mail server for a test: STARTTLS, a password, and what arrived. */
export async function startMailbox(options: SmtpOptions = {}): Promise<Mailbox> {
  const server = await startSmtp(options)
  const taken = new Set<ReceivedMail>()
  const waitFor = async (to: string, part = ''): Promise<MailWithLink> => {
    const deadline = Date.now() + WAIT_MS
    for (;;) {
      const found = server.mails.find(
        (mail) => !taken.has(mail) && mail.to.includes(to) && `${mail.subject}\n${mail.text}`.includes(part),
      )
      if (found) {
        taken.add(found)
        return toMailWithLink(found)
      }
      if (Date.now() > deadline) {
        const have = server.mails.map((mail) => `${mail.to.join()}: ${mail.subject}`).join('; ')
        throw new Error(`no mail to ${to} with "${part}"; came: ${have || 'none'}`)
      }
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
    }
  }
  return {
    port: server.port,
    settings: {
      SMTP_HOST: 'localhost',
      SMTP_PORT: String(server.port),
      SMTP_USER,
      SMTP_PASSWORD,
      MAIL_FROM: 'Insikt <no-reply@insikt.test>',
    },
    environment: { NODE_EXTRA_CA_CERTS: TEST_AUTHORITY },
    waitFor,
    all: () => server.mails.map(toMailWithLink),
    openSignIns: server.openSignIns,
    stop: server.stop,
  }
}

/** The link stands alone on a line of the text. */
const toMailWithLink = (mail: ReceivedMail): MailWithLink => ({
  ...mail,
  link: /^https?:\/\/\S+$/m.exec(mail.text)?.[0] ?? null,
})
