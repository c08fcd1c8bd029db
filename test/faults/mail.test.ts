import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { startMailbox, type Mailbox } from '../http/mailbox.ts'
import { Person } from '../http/person.ts'
import { startServer, createStateDirectory, type RunningServer } from '../http/server.ts'
import type { SmtpOptions } from '../../emulators/smtp/server.ts'
import type { QueuedMail } from '../../src/mail/queued-mail.ts'
import type { Report } from '../../src/shared/reports/reports.ts'
import type { ReportSchedule } from '../../src/shared/reports/schedules.ts'
import type { PageData } from '../../src/shared/session.ts'

const state = createStateDirectory(inject('unused'))
let server: RunningServer
/** Where the Worker looks for its mail server: another one for each test, one after the other. */
let port: number
let settings: Mailbox['settings']

beforeAll(async () => {
  const mailbox = await startMailbox()
  ;({ port, settings } = mailbox)
  await mailbox.stop()
  server = await startServer(state.path, mailbox)
})
afterAll(async () => {
  await server.stop()
  state.remove()
})

interface MailRequest {
  mailbox: Mailbox
  person: Person
  email: string
}
let people = 0

/** A mail server of its own, and a person who asked the running Worker for a new password. */
async function asked(
  work: (mailRequest: MailRequest) => Promise<void>,
  options: SmtpOptions = {},
  { address }: { address: string } = server,
): Promise<void> {
  const mailbox = await startMailbox({ ...options, port })
  try {
    const email = `person-${++people}@example.com`
    const person = new Person(address)
    await person.register(email)
    await person.call('POST', '/api/account/reset', { email })
    await work({ mailbox, person, email })
  } finally {
    await mailbox.stop()
  }
}

/** What local mode says about the newest mail, once it says something like this. */
async function shown(person: Person, state_: RegExp): Promise<string> {
  for (let look = 0; look < 400; look++) {
    const page = await (await person.send('GET', '/dev/mail')).text()
    const newest = /<li>[^]*?<\/li>/.exec(page)?.[0] ?? ''
    if (state_.test(newest)) return newest
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`no mail is ${state_}`)
}

/** A mail in the outbox that no screen would have let through. */
function smuggle(key: string, order: QueuedMail): Promise<void> {
  const payload = JSON.stringify(order).replaceAll("'", "''")
  return server.write(
    `INSERT INTO outbox (id, kind, key, payload, created_at) VALUES ('out_${key}', 'mail', '${key}', '${payload}', 0)`,
  )
}

it('sends over STARTTLS within seconds of the request, and the password never in the open', async () => {
  await asked(async ({ mailbox, email }) => {
    const mail = await mailbox.waitFor(email, 'new password')
    expect(mail.encrypted).toBe(true)
    expect(mail.to).toEqual([email])
    expect(mail.link).toMatch(/^http:\/\/localhost:\d+\/reset#lnk_[0-9a-z]{20}\.[0-9a-f]{64}$/)
    expect(mail.html).toContain(`href="${mail.link}"`)
    expect(mail.headers.filter((line) => /^message-id: <[0-9a-f]{40}@insikt\.test>$/i.test(line))).toHaveLength(1)
    expect(mailbox.openSignIns()).toBe(0)
  })
})

it('takes a scheduled report along as a file that opens', async () => {
  await asked(async ({ mailbox, person, email }) => {
    await person.confirmEmail(await mailbox.waitFor(email, 'Confirm'))
    await person.call('PUT', '/api/onboarding', { step: 'done' })
    const name = 'Räkenskap 2026'
    const made = await person.call<Report>('POST', '/api/reports', { kind: 'interactive', name })
    const block = { id: 'text01', kind: 'text', text: 'Hello', place: { x: 0, y: 0, w: 12, h: 4 } }
    const pages = [{ id: 'page01', name: 'Page', blocks: [block] }]
    const content = { v: 1, period: {}, filters: [], pages }
    const path = `/api/reports/${made.id}`
    const { version } = await person.call<Report>('PUT', path, { name, content, version: made.version })
    await person.call('POST', `${path}/publish`, { version })
    const { user } = await person.call<PageData>('GET', '/api/session')
    const { id } = await person.call<ReportSchedule>('POST', `${path}/schedules`, {
      ...{ timing: { kind: 'weekly', weekday: 1, hour: 7 }, format: 'pdf' },
      recipients: [{ kind: 'member', id: user?.id }],
    })
    await person.call('POST', `${path}/schedules/${id}/test`)
    const mail = await mailbox.waitFor(email, name)
    expect(mail.subject).toBe(`Test: ${name} (Test AB)`)
    expect(mail.attachments).toMatchObject([{ fileName: `${name}.pdf`, type: 'application/pdf' }])
    expect(mail.attachments[0]?.bytes.subarray(0, 5).toString()).toBe('%PDF-')
    expect(mail.attachments[0]?.bytes.subarray(-6).toString().trim()).toBe('%%EOF')
  })
})

/** Nothing was said to the server, and the mail waits for another try. */
async function saidNothing({ mailbox, person, email }: MailRequest): Promise<void> {
  const newest = await shown(person, /waiting: /)
  expect(newest).toContain(email)
  expect(newest).not.toContain(mailbox.settings['SMTP_PASSWORD'])
  expect(mailbox.all()).toEqual([])
  expect(mailbox.openSignIns()).toBe(0)
}

it('says nothing to a server without STARTTLS, and tries again', () => asked(saidNothing, { startTls: false }))

it('says nothing to a server whose certificate nobody vouches for', async () => {
  const other = createStateDirectory(inject('unused'))
  const distrustful = await startServer(other.path, { settings })
  try {
    await asked(saidNothing, {}, distrustful)
  } finally {
    await distrustful.stop()
    other.remove()
  }
})

it('says nothing to a server whose certificate is for another name', () => asked(saidNothing, { otherName: true }))

it('gives up when the address is refused for good', async () => {
  const refuses = () => ({ status: 550, message: 'no such person' })
  await asked(
    async ({ mailbox, person }) => {
      expect(await shown(person, /given up: /)).toContain('no such person')
      expect(mailbox.all()).toEqual([])
    },
    { refuses },
  )
})

it('names exactly one recipient, whatever stands in a name, a subject or an address (INJ-11)', async () => {
  const evil = 'evil@example.com'
  const words = `Nord\r\nBcc: ${evil}\r\n\r\nRCPT TO:<${evil}>\r\n.\r\n`
  const rest = { template: 'invitation', inviteId: 'inv_00000000000000000000', serial: 1, role: 'viewer' } as const
  const invitation = { ...rest, workspace: words, inviter: words, expiresAt: 0 }
  await smuggle('names', { ...invitation, to: 'names@example.com' })
  await smuggle('address', { ...invitation, to: `address@example.com>\r\nRCPT TO:<${evil}` })
  await smuggle('list', { ...invitation, to: `list@example.com, ${evil}` })
  await asked(async ({ mailbox, email }) => {
    const mail = await mailbox.waitFor('names@example.com')
    await mailbox.waitFor(email, 'new password')
    expect(mail.to).toEqual(['names@example.com'])
    expect(mail.headers.filter((line) => /^(to|cc|bcc):/i.test(line))).toEqual(['To: names@example.com'])
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mailbox.all().flatMap(({ to }) => to)).not.toContain(evil)
    expect(mailbox.all().filter(({ to }) => to.length !== 1)).toEqual([])
  })
})
