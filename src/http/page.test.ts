import { env } from 'cloudflare:test'
import { describe, expect, it } from 'vitest'
import { createApp } from '../app'
import { aWorkspace, callApp, cookiesOf, signedIn } from '../../test/worker/factories'
import { isStaffPagePath, PAGE_PATHS } from '../shared/pages'
import type { PageData } from '../shared/session'

const app = createApp()
async function dataOf(response: Response): Promise<PageData> {
  const html = await response.text()
  return JSON.parse(/<script type="application\/json" id="page-data">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null')
}

/** The addresses that the product was given. */
const GIVEN_ROUTES = `/login /register /auth/link /onboarding/workspace /onboarding/profile /onboarding/source
  /data-sources /clients /reports /reports/interactive /reports/legacy /data-grouping /file-analyzer /insights /insights/new
  /insights/some-id /insight-bot /pilot /forecasts /forecasts/new /forecasts/some-id /bi /bi-tools
  /settings/profile /settings/profile/authentication /settings/workspace /settings/workspace/members
  /settings/workspace/members/invite /settings/workspace/data-access /settings/workspace/subscription
  /settings/workspace/subscription/checkout`.split(/\s+/)
const STAFF_ROUTES = `/admin/workspaces /admin/users /admin/data-sources /admin/accounts /admin/reports /admin/metrics
  /admin/insights /admin/insights/categories /admin/insights/new /admin/insights/some-id /admin/data-grouping`.split(
  /\s+/,
)

describe('the page', () => {
  it('answers a member at every address of the product, built or planned, and hides those of staff', async () => {
    const me = await signedIn({ app })
    for (const path of GIVEN_ROUTES) expect([path, (await me.fetch(path)).status]).toEqual([path, 200])
    for (const path of STAFF_ROUTES) expect([path, (await me.fetch(path)).status]).toEqual([path, 404])
  })

  it.each(PAGE_PATHS.filter((path) => !isStaffPagePath(path)))('%s is served, signed in or not', async (path) => {
    const me = await signedIn({ app })
    const real = path.replace('$id', 'some-id')
    expect((await callApp(app, real)).status).toBe(200)
    expect((await me.fetch(real)).status).toBe(200)
    expect((await me.fetch(`${real}/`.replace('//', '/'))).status).toBe(200)
  })

  it.each(['/nothing', '/insights/a/b', '/admin', '/.env', '/wp-login.php', '//evil.example', '/%00', '/login.html'])(
    '%s answers 404 with the page, which says so',
    async (path) => {
      const answer = await callApp(app, path)
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('id="page-data"')])
    },
  )

  it('shows header, navigation and main content of a member before any script is here, and a visitor no navigation', async () => {
    const landmarks = (html: string) =>
      ['header', 'nav', 'main'].filter((name) => new RegExp(`<${name}[ >]`).test(html.slice(html.indexOf('id="root"'))))
    const me = await signedIn({ app })
    expect(landmarks(await (await me.fetch('/insights')).text())).toEqual(['header', 'nav', 'main'])
    expect(landmarks(await (await callApp(app, '/login')).text())).toEqual(['main'])
  })

  it('gives a first visit a token and its cookie, and the next page the same token', async () => {
    const first = await callApp(app, '/login')
    const { csrfToken, session, user } = await dataOf(first)
    expect([session, user]).toEqual([null, null])
    expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
    const next = await callApp(app, '/login', { headers: { cookie: cookiesOf(first) } })
    expect((await dataOf(next)).csrfToken).toBe(csrfToken)
    expect(next.headers.getSetCookie()).toEqual([])
  })

  it('carries person, workspace, rights and plan, but no token of the session', async () => {
    const me = await signedIn({ app, role: 'analyst' })
    const answer = await me.fetch('/insights')
    const html = await answer.clone().text()
    const data = await dataOf(answer)
    expect(data).toMatchObject({
      user: { id: me.userId, onboarding: 'done' },
      workspace: { id: me.workspaceId, role: 'analyst', entitlements: { state: 'trialing' } },
      workspaces: [{ id: me.workspaceId }],
      csrfToken: me.csrf,
    })
    expect(data.workspace?.permissions).toContain('create:insight')
    expect(data.workspace?.permissions).not.toContain('edit:workspace')
    expect(html).not.toContain(me.cookie.split('=')[1] ?? '')
    expect(html).not.toContain(me.sessionHash)
  })

  it('answers 404 to a link into a workspace that is foreign, and shows the own one around it', async () => {
    const me = await signedIn({ app })
    const foreign = await aWorkspace()
    const answer = await callApp(app, `/insights?w=${foreign.id}`, { headers: { cookie: me.cookie } })
    expect([answer.status, (await dataOf(answer)).workspace?.id]).toEqual([404, me.workspaceId])
  })

  it('writes a name that is markup as text', async () => {
    const me = await signedIn({ app })
    const name = '</script><script>alert(1)</script><!--'
    await env.DB.prepare('UPDATE users SET name = ? WHERE id = ?').bind(name, me.userId).run()
    const answer = await me.fetch('/insights')
    expect(await answer.clone().text()).not.toContain('<script>alert')
    expect((await dataOf(answer)).user?.name).toBe(name)
  })

  it('takes the theme from its cookie, and nothing else that stands there', async () => {
    for (const [cookie, theme] of [
      ['dark', 'dark'],
      ['"><script>', 'system'],
    ]) {
      const answer = await callApp(app, '/login', { headers: { cookie: `theme=${cookie}` } })
      expect((await dataOf(answer)).theme).toBe(theme)
    }
  })
})
