import { reactRenderer } from '@hono/react-renderer'
import { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { clientEntry } from '../client-entry'
import { Shell } from '../shell'
import type { AppContext, AppEnv } from './context'
import { THEMES } from '../shared/session'
import type { PageData, Theme } from '../shared/session'

/** Every path that is neither API nor file: the page, with its data. The client decides what it shows. */
export const page = new Hono<AppEnv>().get(
  '*',
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", NONCE, "'wasm-unsafe-eval'"],
      styleSrc: ["'self'", "'unsafe-inline'"],
      workerSrc: ["'self'", 'blob:'],
      connectSrc: import.meta.env.DEV ? ["'self'", 'ws:'] : ["'self'"],
      imgSrc: ["'self'", 'data:', 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
  }),
  reactRenderer(({ title, data, nonce, entry }) => <Shell title={title} data={data} nonce={nonce} entry={entry} />, {
    docType: true,
    stream: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'private, no-store' },
  }),
  async (c) => {
    const data = pageData(c)
    const entry = await clientEntry(c.get('deps').assets)
    return c.render(<></>, { title: data.config.appName, data, nonce: c.get('secureHeadersNonce'), entry })
  },
)

function pageData(c: AppContext): PageData {
  const { settings } = c.get('deps')
  const cookie = getCookie(c, 'theme')
  const theme: Theme = THEMES.find((name) => name === cookie) ?? 'system'
  return {
    session: null,
    user: null,
    workspace: null,
    workspaces: [],
    theme,
    csrfToken: '',
    config: {
      appName: settings.APP_NAME,
      environment: settings.ENVIRONMENT,
      release: settings.RELEASE,
      themeSwitcher: settings.THEME_SWITCHER,
      signIn: { password: true, google: false, microsoft: false, emailLink: false },
      monitoring: null,
    },
  }
}
