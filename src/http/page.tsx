import { reactRenderer } from '@hono/react-renderer'
import { Hono } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'
import { readClientEntry, Shell } from '../shell'
import type { AppEnv } from './context'
import type { Settings } from '../settings'
import { buildPageData } from './page-data'
import { APP_CHECK_ORIGIN } from '../shared/app-check'
import { isPagePath, isStaffPagePath, partsOfPage } from '../shared/pages'

/** Strings become markup or an address of a script only through the client's one policy (`client/lib/trusted-types.ts`). */
const TRUSTED_TYPES = { requireTrustedTypesFor: ["'script'"], trustedTypes: ['default'] }

/**
 * What pages may load and run. `socket` is our own; `widget` the foreign origin whose script and frame are let in, if
 * any (`framedBy`: sites that may show the page within theirs): its script knows nothing of our types and frames nothing that lets itself be embedded, so both are only watched there.
 */
const pageSecurityHeaders = (socket: string, widget: string | undefined, framedBy: readonly string[]) => {
  const widgets = widget === undefined ? [] : [widget]
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'", NONCE, ...widgets],
      frameSrc: widgets.length > 0 ? widgets : ["'none'"],
      styleSrc: ["'self'", NONCE],
      // Charts write the looks of their tooltips into attributes.
      styleSrcAttr: ["'unsafe-inline'"],
      fontSrc: ["'self'"],
      workerSrc: ["'self'"],
      connectSrc: import.meta.env.DEV ? ["'self'", 'ws:'] : ["'self'", socket],
      imgSrc: ["'self'", 'data:', 'blob:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: framedBy.length > 0 ? [...framedBy] : ["'none'"],
      formAction: ["'self'"],
      ...(widget === undefined ? TRUSTED_TYPES : {}),
    },
    ...(widget === undefined
      ? { crossOriginEmbedderPolicy: 'require-corp' }
      : { contentSecurityPolicyReportOnly: TRUSTED_TYPES }),
  })
}

/**
 * What the pages of this installation may load. Not every browser counts sockets of the page's own origin as its own.
 * @param framedBy sites that may show the page within theirs
 */
export function pageSecurityHeadersFor({ BASE_URL, TURNSTILE_SITE_KEY }: Settings, framedBy: readonly string[] = []) {
  const { protocol, host } = new URL(BASE_URL)
  return pageSecurityHeaders(
    `${protocol === 'https:' ? 'wss' : 'ws'}://${host}`,
    TURNSTILE_SITE_KEY === undefined ? undefined : APP_CHECK_ORIGIN,
    framedBy,
  )
}

/** Every path that is neither API nor file: the page, with its data. The client decides what it shows. */
export const pageRoutes = new Hono<AppEnv>().get(
  '*',
  (c, next) => pageSecurityHeadersFor(c.get('deps').settings)(c, next),
  reactRenderer(({ title, data, nonce, entry }) => <Shell title={title} data={data} nonce={nonce} entry={entry} />, {
    docType: true,
    stream: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'private, no-store' },
  }),
  async (c) => {
    const data = await buildPageData(c)
    const named = c.req.query('w')
    // A link into a workspace that is not one's own is told apart from nothing; whoever is in none is told why.
    const foreign = data.workspace !== null && named !== undefined && data.workspace.id !== named
    const exists = isPagePath(c.req.path) && (!isStaffPagePath(c.req.path) || data.user?.staff === true)
    c.status(exists && !foreign ? 200 : 404)
    const isMember = data.user !== null && data.workspace !== null
    const entry = await readClientEntry(c.get('deps').assets, 'app', isMember ? partsOfPage(c.req.path) : [])
    return c.render(<></>, { title: data.config.appName, data, nonce: c.get('secureHeadersNonce'), entry })
  },
)
