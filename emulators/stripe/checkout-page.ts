import { html } from 'hono/html'
import type { CheckoutShown } from './desk.ts'
import { cardChoice, day, figures, frame, money, trouble } from './frame.ts'
import type { Html } from './frame.ts'

const CLOSED = {
  complete: 'This checkout has been paid. There is nothing more to do here.',
  expired: 'This checkout has expired. Go back and start again.',
}

export function checkoutPage(id: string, shown: CheckoutShown, problem: string | null): Html {
  const { state, lines, later, currency, dueNow, customer, cancelUrl } = shown
  const rows = lines.map(({ text, amount }) => ({ name: text, value: money(amount, currency) }))
  const now = { name: 'Due now', value: money(dueNow, currency), sum: true }
  const rest = later === null ? [] : [{ name: `Due on ${day(later.at)}`, value: money(later.amount, currency) }]
  const leave = state === 'open' ? 'Leave without paying' : 'Go back'
  return frame(
    'Checkout',
    html`<p class="quiet">For ${customer}</p>
      <section aria-label="What you buy">${figures([...rows, now, ...rest])}</section>
      <section aria-label="Payment">
        ${trouble(problem)}
        ${state === 'open' ? payment(id, dueNow === 0 ? 'Subscribe' : `Pay ${money(dueNow, currency)}`) : html`<p>${CLOSED[state]}</p>`}
        ${
          cancelUrl === null
            ? ''
            : html`<p class="actions"><a class="button plain" href="/checkout/${id}/back">${leave}</a></p>`
        }
      </section>`,
  )
}

const payment = (id: string, words: string): Html =>
  html`<form method="post" action="/checkout/${id}/pay">
    ${cardChoice()}
    <div class="actions"><button>${words}</button></div>
  </form>`
