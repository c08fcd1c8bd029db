import { env } from 'cloudflare:test'
import { beforeEach, describe, expect, it } from 'vitest'
import { databaseDump } from '../../../test/worker/test-database'
import { cookiesOf, visitor } from '../../../test/worker/factories'
import { readSettings, type Settings } from '../../settings'
import { DEMO_EMAIL, type Sample } from '../../shared/sample'
import type { PageData } from '../../shared/session'

const PASSWORD = 'a sentence for the demo'
function settings(more: Partial<Settings>): Settings {
  const parsed = readSettings({ ...env })
  if (!parsed.ok) throw new Error(parsed.problem)
  return { ...parsed.settings, ...more }
}
const demo = (who: Awaited<ReturnType<typeof visitor>>): Promise<Response> =>
  who.fetch('/api/session/demo', { method: 'POST' })

describe('the demo of local mode', () => {
  // Another file's demo person has another password.
  beforeEach(() => env.DB.prepare('UPDATE users SET email = id WHERE email = ?').bind(DEMO_EMAIL).run())

  it('does not exist elsewhere, and writes nothing there', async () => {
    const who = await visitor({ deps: { settings: settings({ LOCAL_MODE: false }) } })
    const before = await databaseDump()
    expect((await demo(who)).status).toBe(404)
    expect(await databaseDump()).toBe(before)
  })

  it('is refused to a forged request', async () => {
    const who = await visitor()
    const answer = await who.fetch('/api/session/demo', { method: 'POST', headers: { 'x-csrf-token': 'forged' } })
    expect(answer.status).toBe(403)
  })

  it('signs in the demo person, in a workspace that never runs out, with the sample company on its way', async () => {
    const who = await visitor({ deps: { settings: settings({ DEMO_PASSWORD: PASSWORD }) } })
    const answer = await demo(who)
    expect(answer.status).toBe(200)
    const page = await answer.clone().json<PageData>()
    expect(page).toMatchObject({
      user: { email: DEMO_EMAIL, onboarding: 'done' },
      workspace: { role: 'owner', entitlements: { state: 'active', readOnly: null, trialEndsAt: null } },
    })
    const headers = {
      cookie: cookiesOf(answer),
      'x-csrf-token': page.csrfToken,
      'x-workspace': page.workspace?.id ?? '',
    }
    const sample = await (await who.fetch('/api/sample', { headers })).json<Sample>()
    expect(sample.state).not.toBe('none')
    // The printed password opens the same account; a second visit makes no second person, and brings nothing back.
    const input = { email: DEMO_EMAIL, password: PASSWORD }
    const byPassword = await (await visitor()).fetch('/api/session/sign-in', { method: 'POST', json: input })
    expect(byPassword.status).toBe(200)
    expect((await who.fetch('/api/sample?force=1', { method: 'DELETE', headers })).status).toBe(200)
    const again = await (await demo(await visitor())).json<PageData>()
    expect([again.user?.id, again.workspace?.id]).toEqual([page.user?.id, page.workspace?.id])
    const left = await (await who.fetch('/api/sample', { headers })).json<Sample>()
    expect(left.state).toBe('removed')
  }, 60_000)
})
