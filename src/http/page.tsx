import { reactRenderer } from '@hono/react-renderer'
import { Hono } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { readClientEntry, Shell } from '../shell'
import type { AppEnv } from './context'
import type { Settings } from '../settings'
import { rememberWorkspace } from './cookies'
import { buildPageData } from './page-data'
import { APP_CHECK_ORIGIN } from '../shared/session'
import { isPagePath, isStaffPagePath } from '../shared/pages'

/** What pages may load and run. `widgets` are foreign origins whose script and frame are let in; `socket` is our own. */
const pageSecurityHeaders = (socket: string, widgets: string[]) =>
  secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", NONCE, "'wasm-unsafe-eval'", ...widgets],
      frameSrc: ["'self'", ...widgets],
      styleSrc: ["'self'", "'unsafe-inline'"],
      workerSrc: ["'self'", 'blob:'],
      connectSrc: import.meta.env.DEV ? ["'self'", 'ws:'] : ["'self'", socket],
      imgSrc: ["'self'", 'data:', 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
  })

/** Not every browser counts sockets of the page's own origin as its own. */
function securityHeadersFor({ BASE_URL, TURNSTILE_SITE_KEY }: Settings) {
  const { protocol, host } = new URL(BASE_URL)
  return pageSecurityHeaders(
    `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`,
    TURNSTILE_SITE_KEY === undefined ? [] : [APP_CHECK_ORIGIN],
  )
}

/** Every path that is neither API nor file: the page, with its data. The client decides what it shows. */
export const pageRoutes = new Hono<AppEnv>().get(
  '*',
  (c, next) => securityHeadersFor(c.get('deps').settings)(c, next),
  reactRenderer(({ title, data, nonce, entry }) => <Shell title={title} data={data} nonce={nonce} entry={entry} />, {
    docType: true,
    stream: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'private, no-store' },
  }),
  async (c) => {
    const data = await buildPageData(c)
    const named = c.req.query('w')
    if (data.workspace) rememberWorkspace(c, data.workspace.id)
    // A link into a workspace that is not one's own is told apart from nothing.
    const foreign = data.user !== null && named !== undefined && data.workspace?.id !== named
    const exists = isPagePath(c.req.path) && (!isStaffPagePath(c.req.path) || data.user?.staff === true)
    c.status(exists && !foreign ? 200 : 404)
    const entry = await readClientEntry(c.get('deps').assets)
    return c.render(<></>, { title: data.config.appName, data, nonce: c.get('secureHeadersNonce'), entry })
  },
)
