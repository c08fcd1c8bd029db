import { Hono } from 'hono'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { checkoutPage } from './checkout-page.ts'
import { TEST_CARDS } from './desk.ts'
import type { Desk, Outcome, TestCard } from './desk.ts'
import { frame } from './frame.ts'
import type { Html } from './frame.ts'
import { invoicePage, invoicePdf } from './invoice-page.ts'
import { portalPage } from './portal-page.ts'

const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
}
/** Shows the page; `null` when what it is about is not there. */
const show = (c: Context, page: Html | null): Response | Promise<Response> =>
  page === null
    ? c.html(frame('Nothing here', html`<p>This address leads nowhere. It may have been used up.</p>`), 404, HEADERS)
    : c.html(page, 200, HEADERS)
const back = (c: Context, url: string | null | undefined): Response | Promise<Response> =>
  url ? c.redirect(url, 303) : show(c, null)

async function cardOf(c: Context): Promise<TestCard> {
  const { card } = await c.req.parseBody()
  return TEST_CARDS.find((one) => one === card) ?? 'works'
}

/**
 * What a person sees of the stand-in: `/checkout/:id`, `/invoices/:id` with its PDF at `/invoices/:id/pdf`, and
 * `/portal/:id`. Ways back are answered as redirects, so that who serves this sees where they lead.
 */
export const pages = (desk: Desk): Hono =>
  new Hono().route('/checkout', checkout(desk)).route('/invoices', invoices(desk)).route('/portal', portal(desk))

function checkout(desk: Desk): Hono {
  const page = (id: string, problem: string | null): Html | null => {
    const shown = desk.checkout(id)
    return shown && checkoutPage(id, shown, problem)
  }
  return new Hono()
    .get('/:id', (c) => show(c, page(c.req.param('id'), null)))
    .post('/:id/pay', async (c) => {
      const id = c.req.param('id')
      const outcome = desk.payCheckout(id, await cardOf(c))
      return outcome.ok ? back(c, desk.checkout(id)?.successUrl) : show(c, page(id, outcome.problem))
    })
    .get('/:id/back', (c) => back(c, desk.checkout(c.req.param('id'))?.cancelUrl))
}

function invoices(desk: Desk): Hono {
  const after = (c: Context, id: string, outcome: Outcome): Response | Promise<Response> => {
    const shown = desk.invoice(id)
    if (outcome.ok) return back(c, `/invoices/${id}`)
    return show(c, shown && invoicePage(shown, outcome.problem))
  }
  return new Hono()
    .get('/:id', (c) => {
      const shown = desk.invoice(c.req.param('id'))
      return show(c, shown && invoicePage(shown, null))
    })
    .get('/:id/pdf', (c) => {
      const shown = desk.invoice(c.req.param('id'))
      if (shown === null) return show(c, null)
      return c.body(invoicePdf(shown), 200, {
        'content-type': 'application/pdf',
        'content-disposition': `attachment; filename="${shown.number ?? shown.id}.pdf"`,
      })
    })
    .post('/:id/transfer', (c) => after(c, c.req.param('id'), desk.transfer(c.req.param('id'))))
    .post('/:id/pay', async (c) => after(c, c.req.param('id'), desk.payInvoice(c.req.param('id'), await cardOf(c))))
}

function portal(desk: Desk): Hono {
  const after = (c: Context, id: string, outcome: Outcome): Response | Promise<Response> => {
    const shown = desk.portal(id)
    if (outcome.ok) return back(c, `/portal/${id}`)
    return show(c, shown && portalPage(id, shown, outcome.problem))
  }
  return new Hono()
    .get('/:id', (c) => {
      const shown = desk.portal(c.req.param('id'))
      return show(c, shown && portalPage(c.req.param('id'), shown, null))
    })
    .get('/:id/back', (c) => back(c, desk.portal(c.req.param('id'))?.returnUrl))
    .post('/:id/card', async (c) => after(c, c.req.param('id'), desk.changeCard(c.req.param('id'), await cardOf(c))))
    .post('/:id/subscriptions/:subscription/cancel', (c) => {
      const { id, subscription } = c.req.param()
      return after(c, id, desk.cancel(id, subscription))
    })
    .post('/:id/subscriptions/:subscription/resume', (c) => {
      const { id, subscription } = c.req.param()
      return after(c, id, desk.resume(id, subscription))
    })
}
