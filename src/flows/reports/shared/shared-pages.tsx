import { reactRenderer } from '@hono/react-renderer'
import { Hono, type MiddlewareHandler } from 'hono'
import { openLink } from '../../../features/reports/links/open-link'
import type { AppContext, AppEnv } from '../../../http/context'
import { pageSecurityHeadersFor } from '../../../http/page'
import { publicConfigOf } from '../../../http/page-data'
import { enforceRateLimits } from '../../../http/rate-limit'
import { readClientEntry, Shell } from '../../../shell'
import { ProductError } from '../../../shared/errors'
import type { PageData } from '../../../shared/session'

/** The page of a report for who has a link to it: a client of its own, which knows of nobody and nothing else. */
const rendering = reactRenderer(
  ({ title, data, nonce, entry }) => <Shell title={title} data={data} nonce={nonce} entry={entry} />,
  {
    docType: true,
    stream: { 'Content-Type': 'text/html; charset=UTF-8', 'Cache-Control': 'private, no-store' },
  },
)

/** The same for everybody: a cookie of ours changes nothing. */
function outsideData(c: AppContext): PageData {
  const config = { ...publicConfigOf(c.get('deps').settings), monitoring: null }
  return { session: null, user: null, workspace: null, workspaces: [], theme: 'system', csrfToken: '', config }
}

/** Sites that may show what a token opens; none for one that opens nothing. */
async function originsOf(c: AppContext): Promise<string[]> {
  try {
    const giveBack = await enforceRateLimits(c, [{ rate: 'unknownLinkFromAddress' }])
    const link = await openLink(c.get('deps'), c.req.param('token') ?? '')
    if (!link) return []
    await giveBack()
    return link.terms.origins
  } catch (error) {
    if (error instanceof ProductError) return []
    throw error
  }
}
const framedBy =
  (origins: (c: AppContext) => Promise<string[]>): MiddlewareHandler<AppEnv> =>
  async (c, next) => {
    const found = await origins(c)
    await pageSecurityHeadersFor(c.get('deps').settings, found)(c, next)
  }
const page = async (c: AppContext) => {
  const entry = await readClientEntry(c.get('deps').assets, 'shared')
  return c.render(<></>, { title: 'Shared report', data: outsideData(c), nonce: c.get('secureHeadersNonce'), entry })
}

/** `/shared/:token`, and `/embed/:token` for pages of the sites that the link names. */
export const sharedPageRoutes = new Hono<AppEnv>()
  .get(
    '/shared/:token',
    framedBy(() => Promise.resolve([])),
    rendering,
    page,
  )
  .get('/embed/:token', framedBy(originsOf), rendering, page)
