import { Hono, type Context } from 'hono'
import { html } from 'hono/html'
import { checkoutPage } from './checkout-page.ts'
import { TEST_CARDS, type PageActions, type Outcome, type TestCard } from './page-actions.ts'
import { pageFrame, type Html } from './page-frame.ts'
import { invoicePage, invoicePdf } from './invoice-page.ts'
import { portalPage } from './portal-page.ts'

const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
/** Shows the page; `null` when what it is about is not there. */
const renderPage = (c: Context, page: Html | null): Response | Promise<Response> =>
  page === null
    ? c.html(pageFrame('Page not found', html`<p>Link expired or already used.</p>`), 404, HEADERS)
    : c.html(page, 200, HEADERS)
const redirectBack = (c: Context, url: string | null | undefined): Response | Promise<Response> =>
  url ? c.redirect(url, 303) : renderPage(c, null)

async function cardOf(c: Context): Promise<TestCard> {
  const { card } = await c.req.parseBody()
  return TEST_CARDS.find((one) => one === card) ?? 'works'
}

/**
 * What a person sees of the stand-in: `/checkout/:id`, `/invoices/:id` with its PDF at `/invoices/:id/pdf`, and
 * `/portal/:id`. Ways back are answered as redirects, so that who serves this sees where they lead.
 */
export const pages = (pageActions: PageActions): Hono =>
  new Hono()
    .route('/checkout', checkout(pageActions))
    .route('/invoices', invoices(pageActions))
    .route('/portal', portal(pageActions))

function checkout(pageActions: PageActions): Hono {
  const page = (id: string, problem: string | null): Html | null => {
    const shown = pageActions.checkout(id)
    return shown && checkoutPage(id, shown, problem)
  }
  return new Hono()
    .get('/:id', (c) => renderPage(c, page(c.req.param('id'), null)))
    .post('/:id/pay', async (c) => {
      const id = c.req.param('id')
      const outcome = pageActions.payCheckout(id, await cardOf(c))
      return outcome.ok
        ? redirectBack(c, pageActions.checkout(id)?.successUrl)
        : renderPage(c, page(id, outcome.problem))
    })
    .get('/:id/back', (c) => redirectBack(c, pageActions.checkout(c.req.param('id'))?.cancelUrl))
}

function invoices(pageActions: PageActions): Hono {
  const after = (c: Context, id: string, outcome: Outcome): Response | Promise<Response> => {
    const shown = pageActions.invoice(id)
    if (outcome.ok) return redirectBack(c, `/invoices/${id}`)
    return renderPage(c, shown && invoicePage(shown, outcome.problem))
  }
  return new Hono()
    .get('/:id', (c) => {
      const shown = pageActions.invoice(c.req.param('id'))
      return renderPage(c, shown && invoicePage(shown, null))
    })
    .get('/:id/pdf', (c) => {
      const shown = pageActions.invoice(c.req.param('id'))
      if (shown === null) return renderPage(c, null)
      return c.body(invoicePdf(shown), 200, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${shown.number ?? shown.id}.pdf"`,
      })
    })
    .post('/:id/transfer', (c) => after(c, c.req.param('id'), pageActions.transfer(c.req.param('id'))))
    .post('/:id/pay', async (c) =>
      after(c, c.req.param('id'), pageActions.payInvoice(c.req.param('id'), await cardOf(c))),
    )
}

function portal(pageActions: PageActions): Hono {
  const after = (c: Context, id: string, outcome: Outcome): Response | Promise<Response> => {
    const shown = pageActions.portal(id)
    if (outcome.ok) return redirectBack(c, `/portal/${id}`)
    return renderPage(c, shown && portalPage(id, shown, outcome.problem))
  }
  return new Hono()
    .get('/:id', (c) => {
      const shown = pageActions.portal(c.req.param('id'))
      return renderPage(c, shown && portalPage(c.req.param('id'), shown, null))
    })
    .get('/:id/back', (c) => redirectBack(c, pageActions.portal(c.req.param('id'))?.returnUrl))
    .post('/:id/card', async (c) =>
      after(c, c.req.param('id'), pageActions.changeCard(c.req.param('id'), await cardOf(c))),
    )
    .post('/:id/subscriptions/:subscription/cancel', (c) => {
      const { id, subscription } = c.req.param()
      return after(c, id, pageActions.cancel(id, subscription))
    })
    .post('/:id/subscriptions/:subscription/resume', (c) => {
      const { id, subscription } = c.req.param()
      return after(c, id, pageActions.resume(id, subscription))
    })
}
