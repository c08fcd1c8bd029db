import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { SMTPServer } from 'smtp-server'
import { parseMail, type ParsedMail } from './message.ts'

const certificate = (name: string): string => fileURLToPath(new URL(`certificates/${name}`, import.meta.url))
/** The authority that signed the server's certificate; a Worker trusts it by `NODE_EXTRA_CA_CERTS`. */
export const TEST_AUTHORITY = certificate('ca.pem')
export const SMTP_USER = 'insikt'
export const SMTP_PASSWORD = 'mail-of-the-tests'

/** A mail and how it came: the envelope is what counts for delivery. */
export interface ReceivedMail extends ParsedMail {
  from: string
  /** Every address that was named as a recipient to the server. */
  to: string[]
  encrypted: boolean
}

export interface SmtpOptions {
  /** Without it the server offers no encryption. */
  startTls?: boolean
  /** Shows the certificate of another server. */
  otherName?: boolean
  /** Answers a recipient with this status and refuses it. */
  refuses?: (to: string) => { status: number; message: string } | null
  /** Where it listens; a free one otherwise. */
  port?: number
}

export interface SmtpServer {
  port: number
  mails: ReceivedMail[]
  /** Sign-ins that were tried without encryption: must stay 0. */
  openSignIns: () => number
  stop: () => Promise<void>
}

/** A mail server of this machine that keeps what it is given and sends nothing on. */
export async function startSmtp(options: SmtpOptions = {}): Promise<SmtpServer> {
  const mails: ReceivedMail[] = []
  let openSignIns = 0
  const server = new SMTPServer({
    cert: readFileSync(certificate(options.otherName === true ? 'other-name.pem' : 'cert.pem')),
    key: readFileSync(certificate('key.pem')),
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    hideSTARTTLS: options.startTls === false,
    disabledCommands: options.startTls === false ? ['STARTTLS'] : [],
    disableReverseLookup: true,
    onAuth(given, session, done) {
      if (!session.secure) openSignIns++
      if (given.username === SMTP_USER && given.password === SMTP_PASSWORD) done(null, { user: SMTP_USER })
      else done(Object.assign(new Error('Authentication failed'), { responseCode: 535 }))
    },
    onRcptTo({ address }, _session, done) {
      const refusal = options.refuses?.(address) ?? null
      done(refusal && Object.assign(new Error(refusal.message), { responseCode: refusal.status }))
    },
    onData(stream, session, done) {
      const pieces: Buffer[] = []
      stream.on('data', (piece: Buffer) => pieces.push(piece))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom === false ? '' : (mailFrom?.address ?? '')
        const to = rcptTo.map(({ address }) => address)
        mails.push({ ...parseMail(Buffer.concat(pieces)), from, to, encrypted: session.secure })
        done()
      })
    },
  })
  // A client that hangs up in the middle is one of the things tested.
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the mail server has no port')
  return {
    port: address.port,
    mails,
    openSignIns: () => openSignIns,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
