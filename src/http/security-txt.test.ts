import { createExecutionContext, env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { readSettings } from '../settings'

const NOW = Date.parse('2026-03-04T05:06:07.891Z')
const ask = (settings: object, now = NOW) =>
  createApp({ clock: { now: () => now } }).fetch(
    new Request('http://localhost:8787/.well-known/security.txt'),
    { ...env, ...settings },
    createExecutionContext(),
  )

describe('/.well-known/security.txt', () => {
  it('is the text of RFC 9116 once a contact is configured', async () => {
    const answer = await ask({
      BASE_URL: 'https://insikt.example',
      SECURITY_CONTACT: 'security@insikt.example',
      SECURITY_POLICY: 'https://insikt.example/security',
    })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=UTF-8'])
    expect(await answer.text()).toBe(
      [
        'Contact: mailto:security@insikt.example',
        'Expires: 2026-08-31T00:00:00Z',
        'Preferred-Languages: en, sv',
        'Canonical: https://insikt.example/.well-known/security.txt',
        'Policy: https://insikt.example/security',
        '',
      ].join('\n'),
    )
  })

  it('expires within a year of whenever it is read, and names no policy where there is none', async () => {
    for (const now of [NOW, Date.parse('2028-02-29T23:59:59.999Z')]) {
      const text = await (await ask({ SECURITY_CONTACT: 'https://insikt.example/report' }, now)).text()
      const days = (Date.parse(/^Expires: (.+)$/m.exec(text)?.[1] ?? '') - now) / 86_400_000
      expect(days).toBeGreaterThan(170)
      expect(days).toBeLessThan(365)
      expect(text).toMatch(/^Contact: https:\/\/insikt\.example\/report$/m)
      expect(text).not.toContain('Policy')
    }
  })

  it.each([{}, { SECURITY_CONTACT: '' }])('does not exist without a contact: %o', async (settings) => {
    const answer = await ask(settings)
    expect([answer.status, (await answer.text()).includes('Contact')]).toEqual([404, false])
  })

  it.each([
    ['SECURITY_CONTACT', 'call us'],
    ['SECURITY_CONTACT', 'http://insikt.example/report'],
    ['SECURITY_CONTACT', 'a@b.example\nContact: mailto:c@evil.example'],
    ['SECURITY_POLICY', 'http://insikt.example/security'],
  ])('takes no %s that is %j', (name, value) => {
    const { SESSION_SECRET } = env
    expect(readSettings({ BASE_URL: 'https://insikt.example', SESSION_SECRET, [name]: value }).ok).toBe(false)
  })
})
