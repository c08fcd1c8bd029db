import { env } from 'cloudflare:test'
import { expect, it } from 'vitest'
import { depsAt } from '../../test/worker/deps'
import { callApp, unique } from '../../test/worker/factories'
import { createApp } from '../app'
import { commit } from '../db/commit'
import { mailOutboxEntry } from '../mail/queued-mail'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function invited(to: string): Promise<string> {
  const deps = depsAt(Date.now())
  const order = { to, template: 'invitation', inviteId: 'inv_00000000000000000000', serial: 1 } as const
  const words = { workspace: HOSTILE, inviter: HOSTILE, role: 'viewer', expiresAt: Date.now() } as const
  const key = unique('invitation')
  await commit(deps, { change: [], outbox: [mailOutboxEntry({ ...order, ...words }, { key })] })
  const row = await env.DB.prepare('SELECT id FROM outbox WHERE key = ?').bind(`mail:${key}`).first<{ id: string }>()
  return row?.id ?? ''
}
const bodyOf = async (path: string): Promise<string> => (await callApp(createApp(), path)).text()

it('shows what was sent in local mode, the newest first, with links to click and names as text', async () => {
  const [first, second] = [await invited('one@example.com'), await invited('two@example.com')]
  const list = await bodyOf('/dev/mail')
  expect(list.indexOf(second)).toBeLessThan(list.indexOf(first))
  expect(list.indexOf(second)).toBeGreaterThan(0)
  expect(list).not.toContain('<img')
  const mail = await bodyOf(`/dev/mail/${first}`)
  expect(mail).toContain('one@example.com')
  expect(mail).toMatch(/<a href="http:\/\/localhost:8787\/invitation#inv_0{20}\.[0-9a-f]{64}">/)
  expect(mail).not.toContain('<img')
  expect(mail).toMatch(/<iframe[^>]*\ssandbox="allow-popups [^"]*"\s+srcdoc="&lt;!doctype html&gt;/)
  expect(mail).not.toMatch(/allow-scripts|allow-same-origin/)
})

it('runs no script and loads nothing', async () => {
  const policy = (await callApp(createApp(), '/dev/mail')).headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toContain('script-src')
})

it('knows no other mail, and does not exist outside local mode', async () => {
  const id = await invited('three@example.com')
  expect((await callApp(createApp(), '/dev/mail/out_00000000000000000000')).status).toBe(404)
  const { settings } = depsAt(Date.now())
  const app = createApp({ settings: { ...settings, LOCAL_MODE: false } })
  for (const path of ['/dev/mail', `/dev/mail/${id}`]) {
    const response = await callApp(app, path)
    expect(response.status).toBe(404)
    expect(await response.text()).not.toContain('three@example.com')
  }
})
