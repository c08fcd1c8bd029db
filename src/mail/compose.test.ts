import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toSingleLine, parseRecipient, parseSender } from './address'
import { composeMail } from './compose'
import type { QueuedMail, TemplateName } from './queued-mail'
import { verifyLinkToken } from './email-links'
import { LONG } from '../../test/long'
import { anyText } from '../../test/worker/random/any-text'

const SETTINGS = {
  APP_NAME: 'Insikt',
  BASE_URL: 'https://insikt.example',
  SESSION_SECRET: 'test-session-secret-that-is-long-enough-0001',
}
const AT = Date.UTC(2026, 10, 24, 14, 5)
const ID = 'lnk_00000000000000000000'
const INVITE = 'inv_00000000000000000000'
const WORKSPACE = 'ws_00000000000000000000'

/** One order of every template, with `name` wherever a person chose the words. */
function orders(name: string): { [T in TemplateName]: Extract<QueuedMail, { template: T }> } {
  const to = 'anna@example.com'
  return {
    confirmEmail: { to, template: 'confirmEmail', linkId: ID },
    reset: { to, template: 'reset', linkId: ID },
    resetWithoutPassword: { to, template: 'resetWithoutPassword', providers: [name] },
    passwordChanged: { to, template: 'passwordChanged' },
    signInLink: { to, template: 'signInLink', linkId: ID, returnTo: name },
    newSignIn: { to, template: 'newSignIn', device: name, country: name, at: AT },
    emailOld: { to, template: 'emailOld', linkId: ID, newEmail: name },
    emailNew: { to, template: 'emailNew', linkId: ID, oldEmail: name },
    emailChanged: { to, template: 'emailChanged', newEmail: name },
    accessGranted: { to, template: 'accessGranted', workspace: name, name, kind: 'app' },
    signInConnected: { to, template: 'signInConnected', provider: name, removed: false },
    accountDeleted: { to, template: 'accountDeleted', linkId: ID, until: AT },
    invitation: {
      ...{ to, template: 'invitation', inviteId: INVITE, serial: 3, workspace: name, inviter: name },
      ...{ role: 'analyst', expiresAt: AT },
    },
    invitationAccepted: { to, template: 'invitationAccepted', workspace: name, person: name, role: 'viewer' },
    membershipChanged: { to, template: 'membershipChanged', workspace: name, change: 'role', role: 'admin' },
    ownershipOffered: { to, template: 'ownershipOffered', workspace: name, from: name, expiresAt: AT },
    ownershipAccepted: { to, template: 'ownershipAccepted', workspace: name, newOwner: name },
    workspaceDeleted: { to, template: 'workspaceDeleted', workspace: name, by: name, until: AT },
    trialEnding: { to, template: 'trialEnding', workspace: name, endsAt: AT, timeZone: 'UTC' },
    trialEnded: { to, template: 'trialEnded', workspace: name },
    paymentMissing: { to, template: 'paymentMissing', workspace: name, readOnlyAt: AT, timeZone: 'UTC' },
    workspaceRestricted: { to, template: 'workspaceRestricted', workspace: name },
    subscriptionEnded: { to, template: 'subscriptionEnded', workspace: name },
    mentioned: {
      ...{ to, template: 'mentioned', workspace: name, person: name, insight: name },
      ...{ insightId: 'ins_00000000000000000000', text: name },
    },
    commentMentioned: {
      ...{ to, template: 'commentMentioned', workspace: name, person: name, report: name, text: name },
      ...{ path: '/reports/interactive/rep_00000000000000000000', block: 'text01', page: 'page01' },
    },
    blockFigure: {
      ...{ to, template: 'blockFigure', workspace: name, report: name, lines: [name], cadence: 'weekly' },
      ...{ path: '/reports/interactive/rep_00000000000000000000', page: 'page01' },
      subscriptionId: 'sub_00000000000000000000',
    },
    sourceFailed: {
      ...{ to, template: 'sourceFailed', workspace: name, sourceId: 'src_00000000000000000000', source: name },
      ...{ message: name, advice: 'Enter the credentials again.', hasRows: true, own: true },
    },
    loadFailed: {
      ...{
        to,
        template: 'loadFailed',
        workspace: name,
        sourceId: 'src_00000000000000000000',
        source: name,
        dataset: name,
      },
      ...{ fileName: name, message: name, lineNumber: 7, advice: 'Correct the file.', hasRows: true, own: true },
    },
    alert: {
      ...{ to, template: 'alert', event: 'opened', workspace: name, alertId: 'alr_00000000000000000000', name },
      ...{ subject: name, count: 1, grouped: false, condition: name, lines: [name] },
    },
    digest: {
      ...{ to, template: 'digest', workspace: name, cadence: 'daily', date: '24 November 2026', openAlerts: 2 },
      items: [{ insightId: 'ins_00000000000000000000', name, lines: [name] }],
      findings: [{ name, sentence: name, path: '/insights' }],
      standing: [{ name, line: 'Import failed.', path: '/data-sources' }],
      loose: [{ groupingId: 'grp_00000000000000000000', name, line: name }],
    },
    reportDelivery: {
      ...{ to, template: 'reportDelivery', workspace: name, workspaceId: 'ws_00000000000000000000', name },
      ...{ kind: 'interactive', reportId: 'rep_00000000000000000000', period: 'Oct 2026', lines: [name] },
      ...{
        dataAsOf: '23 November 2026',
        edition: 0,
        by: name,
        search: '&period=2026-10-01..2026-10-31',
        format: 'pdf',
      },
      ...{ deliveryId: 'dlv_00000000000000000000', recipientId: 'rcp_00000000000000000000' },
      attachment: { key: 'deliveries/x', fileName: `${name}.pdf`, contentType: 'application/pdf', size: 9 },
    },
    reportHeld: {
      ...{ to, template: 'reportHeld', workspace: name, name, kind: 'legacy', reportId: 'rep_00000000000000000000' },
      reason: 'notPublished',
    },
    scheduleChanged: {
      ...{ to, template: 'scheduleChanged', workspace: name, name, kind: 'interactive' },
      reportId: 'rep_00000000000000000000',
    },
    schedulePaused: {
      ...{
        to,
        template: 'schedulePaused',
        workspace: name,
        name,
        reportId: 'rep_00000000000000000000',
        reason: 'plan',
      },
    },
    planQuestion: {
      ...{ to, template: 'planQuestion', workspace: name, workspaceId: WORKSPACE, planId: null, person: name },
      ...{ email: name, people: 3, message: 'A question.' },
    },
  }
}
const NAMES = Object.keys(orders('')) as TemplateName[]
const LINKED: [TemplateName, string, string, number][] = [
  ['confirmEmail', '/auth/confirm#', ID, 1],
  ['reset', '/reset#', ID, 1],
  ['signInLink', '/auth/link?return=%2Finsights#', ID, 1],
  ['emailOld', '/auth/email#', ID, 1],
  ['emailNew', '/auth/email#', ID, 1],
  ['accountDeleted', '/auth/undelete#', ID, 1],
  ['invitation', '/invitation#', INVITE, 3],
]
const unescaped = (html: string): string =>
  html
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

describe('mails', () => {
  it.each(LINKED)(
    '%s carries a link that opens, in the text, the button and below it',
    async (name, path, id, serial) => {
      const { text, html } = await composeMail(SETTINGS, orders('/insights')[name], null)
      const link = /^https:\/\/\S+$/m.exec(text)?.[0] ?? ''
      expect(link.startsWith(`https://insikt.example${path}${id}.`)).toBe(true)
      expect(await verifyLinkToken(SETTINGS, new URL(link).hash.slice(1), serial)).toBe(true)
      expect(unescaped(html).split(`href="${link}"`)).toHaveLength(3)
      expect(unescaped(html)).toContain(`>${link}</a>`)
    },
  )

  it.each(NAMES)('%s has a subject, says why it came, and asks for nothing from elsewhere', async (name) => {
    const { subject, text, html } = await composeMail(SETTINGS, orders('Anna')[name], WORKSPACE)
    expect(subject).not.toBe('')
    const reason = /\n--\n(\S.*) Replies aren’t read\.\n/.exec(text)?.[1] ?? ''
    expect(reason).toMatch(/^[A-Z].{10,}\.$/)
    expect(unescaped(html)).toContain(`${reason} Replies aren’t read.`)
    expect(html).not.toMatch(/<img|url\(|src=|@import|<script|<link/i)
    for (const [, href] of html.matchAll(/href="([^"]*)"/g)) expect(href).toMatch(/^https:\/\/insikt\.example\//)
    expect(`${text}${html}`).not.toMatch(/undefined|\[object|NaN/)
  })

  it.each(NAMES)('%s shows a hostile name as text (XSS-1)', async (name) => {
    const { html } = await composeMail(SETTINGS, orders('<img src=x onerror=alert(1)>"\'&')[name], null)
    expect(html).not.toContain('<img')
    expect(html).not.toMatch(/<[^>]*onerror/)
  })

  it.each(NAMES)('%s lets no name break a line of its subject or forge a paragraph (INJ-11)', async (name) => {
    const hostile = fc.string({
      unit: fc.constantFrom('\r', '\n', '\u2028', '\u0085', '\u0000', ':', 'a', ' ', '\u202e'),
    })
    const plain = await composeMail(SETTINGS, orders('a')[name], null)
    await fc.assert(
      fc.asyncProperty(hostile, async (word) => {
        const { subject, text } = await composeMail(SETTINGS, orders(`a${word}\r\nBcc: evil@example.com`)[name], null)
        expect(subject).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202e]/)
        expect(text.split('\n')).toHaveLength(plain.text.split('\n').length)
      }),
      { numRuns: 20 },
    )
  })

  it('leads into the workspace that the mail is about', async () => {
    const { text } = await composeMail(SETTINGS, orders('Nord')['invitationAccepted'], WORKSPACE)
    expect(text).toContain(`https://insikt.example/settings/workspace/members?w=${WORKSPACE}`)
  })

  it('speaks of reminders only where the alert has any', async () => {
    const of = async (reminds: boolean) =>
      (await composeMail(SETTINGS, { ...orders('Nord').alert, reminds }, WORKSPACE)).text
    expect(await of(true)).toContain('We’ll email when it resolves. Acknowledge to stop reminders.')
    expect(await of(false)).toContain('We’ll email when it resolves.\n')
    expect(await of(false)).not.toContain('reminders')
  })

  it('says of mails that are on from the start that they are on, not who turned them on', async () => {
    for (const name of ['newSignIn', 'invitationAccepted', 'membershipChanged'] as const)
      expect((await composeMail(SETTINGS, orders('Nord')[name], WORKSPACE)).text).toMatch(
        /Emails about .+ are on in your profile\./,
      )
  })

  it('names days as they are on the clock of the workspace, as its pages do', async () => {
    const late = { endsAt: Date.UTC(2026, 10, 28, 23, 30), readOnlyAt: Date.UTC(2026, 10, 28, 23, 30) }
    const of = async (template: 'trialEnding' | 'paymentMissing', timeZone: string) =>
      (await composeMail(SETTINGS, { ...orders('Nord')[template], ...late, timeZone }, WORKSPACE)).text
    expect(await of('trialEnding', 'Europe/Stockholm')).toContain('29 November 2026')
    expect(await of('paymentMissing', 'Europe/Stockholm')).toContain('29 November 2026')
    expect(await of('trialEnding', 'UTC')).toContain('28 November 2026')
  })

  it('leads a sign-in nowhere but to a page of ours', async () => {
    const { text } = await composeMail(SETTINGS, orders('//evil.example')['signInLink'], null)
    expect(text).toContain('/auth/link?return=%2Fdata-sources#')
  })
})

describe('addresses of mails', () => {
  it('are one plain address or none, whatever was written (INJ-11)', () => {
    const unit = fc.constantFrom('a', '@', '.', ',', '<', '>', '"', '\r', '\n', ' ', 'b', 'c', '\u0000', 'ä', ';', ':')
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 30 }), (text) => {
        const found = parseRecipient(`${text}@example.com`)
        if (found) expect(`${found.local}@${found.domain}`).toMatch(/^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9.-]+$/)
      }),
      { numRuns: LONG ? 2_000 : 300 },
    )
  })

  it('of the sender may carry a name, and live at a bare host', () => {
    expect(parseSender('Insikt <no-reply@localhost>')).toEqual({
      name: 'Insikt',
      address: { local: 'no-reply', domain: 'localhost' },
    })
    expect(parseSender('post@example.com')?.name).toBe('')
    for (const text of ['', 'Insikt', '@b.se', 'a@', 'a@b.se, c@d.se', 'A <a@b.se> <c@d.se>', 'A <a\r\n@b.se>'])
      expect(parseSender(text), text).toBeNull()
  })

  it('stay on one line', () => {
    fc.assert(fc.property(anyText(), (text) => !/[\r\n\u0000\u2028]/.test(toSingleLine(text))))
  })
})
