import { html } from 'hono/html'
import type { CheckoutView } from './page-actions.ts'
import { cardPicker, formatDay, definitionList, pageFrame, formatMoney, errorMessage, type Html } from './page-frame.ts'

const CLOSED_MESSAGES = {
  complete: 'This checkout is paid.',
  expired: 'This checkout has expired. Start again.',
}

export function checkoutPage(id: string, shown: CheckoutView, problem: string | null): Html {
  const { state, lines, later, currency, dueNow, customer, cancelUrl } = shown
  const rows = lines.map(({ text, amount }) => ({ name: text, value: formatMoney(amount, currency) }))
  const now = { name: 'Due now', value: formatMoney(dueNow, currency), sum: true }
  const rest =
    later === null ? [] : [{ name: `Due on ${formatDay(later.at)}`, value: formatMoney(later.amount, currency) }]
  const leave = state === 'open' ? 'Leave without paying' : 'Go back'
  return pageFrame(
    'Checkout',
    html`<p class="quiet">For ${customer}</p>
      <section aria-label="What you buy">${definitionList([...rows, now, ...rest])}</section>
      <section aria-label="Payment">
        ${errorMessage(problem)}
        ${state === 'open' ? paymentForm(id, dueNow === 0 ? 'Subscribe' : `Pay ${formatMoney(dueNow, currency)}`) : html`<p>${CLOSED_MESSAGES[state]}</p>`}
        ${
          cancelUrl === null
            ? ''
            : html`<p class="actions"><a class="button plain" href="/checkout/${id}/back">${leave}</a></p>`
        }
      </section>`,
  )
}

const paymentForm = (id: string, words: string): Html =>
  html`<form method="post" action="/checkout/${id}/pay">
    ${cardPicker()}
    <div class="actions"><button>${words}</button></div>
  </form>`
