import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { composeMail } from './compose'
import { MAIL_NAME_MAX_CHARS, toMailName, toPlainWords } from './mail-names'
import type { QueuedMail } from './queued-mail'

/** What mail programs make links of, written more greedily than any of them and without the cleaner's own patterns. */
const LINKIFIED = [
  /[a-z][a-z0-9+.-]*:\/\//i,
  /\bwww\d*[.\u3002\uff0e\uff61]/i,
  /\b(mailto|tel|sms|skype|callto|file|https?|ftp):/i,
  /[^\s@\uff20\ufe6b]+[@\uff20\ufe6b][^\s@\uff20\ufe6b]/u,
  /[\p{L}\p{M}\p{N}-]+[.\u3002\uff0e\uff61\u2024\ufe52]+[\p{L}\p{M}\p{N}-]*\p{L}/u,
  /\d+\.\d+\.\d+\.\d+/,
  /(^|\s)[/\\]{2}\S/,
  /\p{L}\S*:\d/u,
  /\p{L}[.\u3002\uff0e\uff61\u2024\ufe52]+\p{N}/u,
]
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/
const isHarmless = (text: string): boolean => !UNSEEN.test(text) && LINKIFIED.every((pattern) => !pattern.test(text))

const HOSTILE = [
  'http://evil.example/login',
  'Click https://evil.com now',
  'evil.com',
  'Visit evil.com/pay?x=1',
  'www.evil',
  'www.evil.com',
  'you@evil.com',
  'mailto:you@evil.com',
  'tel:+4612345',
  'e\u200bvil.co\u200bm',
  'evil\u3002com',
  'evil\uff0ecom',
  'ev\u00edl.com',
  'пример.рф',
  'xn--e1afmkfd.xn--p1ai',
  'a@b@c.de',
  '\u202emoc.live',
  'Anna\r\nBcc: all@example.com',
  '192.168.10.1',
  '//evil.com',
  '\\\\evil\\share',
  'gopher://evil.com',
  'x..evil.com',
  '.com.evil.',
  'localhost:3000/x',
  'web1:8080',
  'evil\u3002\uff11\uff12\uff13',
  'evil.123',
]

describe('names in mails', () => {
  it.each(HOSTILE)('%j becomes nothing that a mail program links', (name) => {
    expect(isHarmless(toMailName(name)), toMailName(name)).toBe(true)
  })

  it('lose addresses, control signs and directions whatever stands around them', () => {
    const part = fc.oneof(
      fc.constantFrom(...HOSTILE),
      fc.constantFrom(
        '.',
        '@',
        ':',
        '/',
        '//',
        '\\',
        ' ',
        '\u200b',
        '\u202e',
        '\r\n',
        '\t',
        'a',
        'www',
        'http',
        'com',
        'é',
        '1',
        '-',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const name = toMailName(parts.join(''))
        expect(isHarmless(name), name).toBe(true)
        expect(Array.from(name).length).toBeLessThanOrEqual(MAIL_NAME_MAX_CHARS)
        expect(name.trim()).toBe(name)
        expect(name).not.toBe('')
        expect(toMailName(name)).toBe(name)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['dots', '.'],
    ['at signs', '@'],
    ['colons', ':'],
    ['slashes', '/'],
    ['dots and digits', '.1'],
    ['at signs and letters', 'a@'],
    ['words with dots', 'www.'],
  ])('of thousands of %s take no longer than others', (_what, piece) => {
    const text = `a${piece.repeat(2000)}1`
    const begun = Date.now()
    for (const hostile of [text, `${text} ${text}`, piece.repeat(4000)])
      expect(isHarmless(toMailName(hostile))).toBe(true)
    // A cubic pattern takes minutes, this some milliseconds.
    expect(Date.now() - begun).toBeLessThan(5000)
  })

  it.each([
    'Anna Lindqvist',
    'Åsa Öberg-Ek',
    'O’Brien & Sons',
    'Nord AB (publ.)',
    'H. C. Andersen',
    'Müller/Meier 2.0',
    'Försäljning: Q1',
    '株式会社',
    'St. Erik',
  ])('%s stays as it is written', (name) => {
    expect(toMailName(name)).toBe(name)
  })

  it('keep the words of a company that is called like an address', () => {
    expect(toMailName('Booking.com')).toBe('Booking com')
    expect(toMailName('https://evil.com')).toBe('Unnamed')
    expect(toMailName('Anna (pay at evil.com/x)')).toBe('Anna (pay at evil com/x)')
  })

  it('keep who is mentioned, and the name of a file as it is', () => {
    expect(toPlainWords('@Anna Berg varför föll Norr?')).toBe('@Anna Berg varför föll Norr?')
    expect(toPlainWords('Hej @Åsa, see @evil.com or me@evil.com')).toBe('Hej @Åsa, see or')
    expect(toMailName('order-2026-11.csv')).toBe('order-2026-11.csv')
    expect(toMailName('evil.com.xlsx')).toBe('evil com.xlsx')
    expect(toMailName('evil.xlsx.com')).toBe('evil xlsx com')
  })

  it('leave sentences with figures alone', () => {
    const sentence = 'Sales rose 12.4 % (+1,280.50 kr) to 11.520 Mkr in Oct 2026. The forecast said 1.2e3.'
    expect(toPlainWords(sentence.replace('1.2e3', '1 200'))).toBe(sentence.replace('1.2e3', '1 200'))
  })
})

describe('mails with hostile names', () => {
  const settings = {
    APP_NAME: 'Insikt',
    BASE_URL: 'https://insikt.test',
    SESSION_SECRET: 'test-session-secret-that-is-long-enough-0001',
  }
  const name = 'Bank.com https://evil.example x@evil.example\u202e\r\n'
  const to = 'anna@example.com'
  const workspace = name
  const orders: QueuedMail[] = [
    {
      to,
      template: 'invitation',
      inviteId: 'inv_00000000000000000000',
      serial: 1,
      workspace,
      inviter: name,
      role: 'viewer',
      expiresAt: 1,
    },
    { to, template: 'invitationAccepted', workspace, person: name, role: 'viewer' },
    { to, template: 'membershipChanged', workspace, change: 'role', role: 'viewer' },
    { to, template: 'ownershipOffered', workspace, from: name, expiresAt: 1 },
    { to, template: 'ownershipAccepted', workspace, newOwner: name },
    { to, template: 'workspaceDeleted', workspace, by: name, until: 1 },
    { to, template: 'trialEnding', workspace, endsAt: 1, timeZone: 'UTC' },
    { to, template: 'trialEnded', workspace },
    { to, template: 'paymentMissing', workspace, readOnlyAt: 1, timeZone: 'UTC' },
    { to, template: 'workspaceRestricted', workspace },
    { to, template: 'subscriptionEnded', workspace },
    {
      ...{ to, template: 'reportDelivery', workspace, workspaceId: 'ws_00000000000000000000', name },
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
    {
      ...{ to, template: 'reportHeld', workspace, name, kind: 'legacy', reportId: 'rep_00000000000000000000' },
      reason: 'notPublished',
    },
    {
      ...{
        to,
        template: 'scheduleChanged',
        workspace,
        name,
        kind: 'interactive',
        reportId: 'rep_00000000000000000000',
      },
    },
    {
      ...{ to, template: 'schedulePaused', workspace, name, reportId: 'rep_00000000000000000000', reason: 'plan' },
    },
    {
      ...{ to, template: 'planQuestion', workspace, workspaceId: 'ws_0', planId: null, person: name },
      ...{ email: null, people: 3, message: name },
    },
    { to, template: 'mentioned', workspace, person: name, insight: name, insightId: 'ins_0', text: name },
    {
      ...{ to, template: 'sourceFailed', workspace, sourceId: 'src_0', source: name },
      ...{ message: name, advice: 'Enter the credentials again.', hasRows: true, own: true },
    },
    {
      ...{ to, template: 'loadFailed', workspace, sourceId: 'src_0', source: name, dataset: name, fileName: name },
      ...{ message: name, lineNumber: 7, advice: 'Correct the file.', hasRows: true, own: true },
    },
    {
      to,
      template: 'alert',
      event: 'opened',
      workspace,
      alertId: 'alr_0',
      name,
      subject: name,
      count: 1,
      grouped: false,
      condition: name,
      lines: [name],
    },
    {
      ...{ to, template: 'digest', workspace, cadence: 'daily', date: '24 November 2026', openAlerts: 2 },
      items: [{ insightId: 'ins_0', name, lines: [name] }],
      findings: [{ name, sentence: name, path: '/insights' }],
      standing: [{ name: name, line: 'Import failed.', path: '/data-sources' }],
      loose: [{ groupingId: 'grp_0', name, line: name }],
    },
  ]

  it.each(orders.map((order) => ({ order, template: order.template })))(
    '$template links nowhere but to this installation, in subject, text and HTML',
    async ({ order }) => {
      const { subject, text, html } = await composeMail(settings, order, 'ws_0')
      const own = /https:\/\/insikt\.test\/[^\s"<]*/g
      const words = html
        .replaceAll(/<style>.*?<\/style>/gs, '')
        .replaceAll(own, '')
        .replaceAll(/<[^>]*>/g, ' ')
      for (const said of [subject, text.replaceAll(own, ''), words]) {
        expect(said).not.toContain('evil')
        for (const pattern of LINKIFIED.slice(0, 5)) expect(said).not.toMatch(pattern)
      }
    },
  )
})
