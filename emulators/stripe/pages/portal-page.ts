import { html } from 'hono/html'
import type { PortalView } from './page-actions.ts'
import { cardPicker, formatDay, pageFrame, formatMoney, errorMessage, type Html } from './page-frame.ts'
import { STATE_LABELS } from './invoice-page.ts'

export function portalPage(id: string, shown: PortalView, problem: string | null): Html {
  const { customer, returnUrl, card, subscriptions, invoices } = shown
  return pageFrame(
    'Your billing',
    html`<p class="quiet">${customer}</p>
      ${errorMessage(problem)} ${subscriptions.map((one) => subscription(id, one))}
      <section aria-label="Card">
        <h2>Card</h2>
        <p>${card === null ? 'No card saved.' : `Card ending ${card.last4}${card.declines ? ', declined' : ''}`}</p>
        <form method="post" action="/portal/${id}/card">
          ${cardPicker()}
          <div class="actions"><button class="plain">Use this card</button></div>
        </form>
      </section>
      <section aria-label="Invoices">
        <h2>Invoices</h2>
        ${
          invoices.length === 0
            ? html`<p>None yet.</p>`
            : html`<ul>
                ${invoices.map(invoiceLine)}
              </ul>`
        }
      </section>
      ${returnUrl === null ? '' : html`<p><a class="button" href="/portal/${id}/back">Go back</a></p>`}`,
  )
}

const invoiceLine = ({ id, number, state, currency, total, issuedAt }: PortalView['invoices'][number]): Html =>
  html`<li>
    <a href="/invoices/${id}">${number ?? 'Draft'}</a>, ${formatDay(issuedAt)}: ${formatMoney(total, currency)},
    ${STATE_LABELS[state].toLowerCase()}
  </li>`

/** Statuses in which there is something to end or to keep. */
const STATUS_LABELS: Record<string, string> = {
  active: 'Active',
  trialing: 'Free trial',
  past_due: 'Payment overdue',
  unpaid: 'Unpaid',
}

function subscription(portal: string, { id, lines, state, periodEndsAt, endsAt }: PortalView['subscriptions'][number]) {
  const words = STATUS_LABELS[state]
  if (words === undefined) return ''
  const until = endsAt === null ? `Renews on ${formatDay(periodEndsAt)}.` : `Ends on ${formatDay(endsAt)}.`
  const [step, button] =
    endsAt === null
      ? ['cancel', html`<button class="plain">Cancel subscription</button>`]
      : ['resume', html`<button>Keep subscription</button>`]
  return html`<section aria-label="Subscription">
    <h2>Subscription</h2>
    <ul>
      ${lines.map((line) => html`<li>${line}</li>`)}
    </ul>
    <p class="quiet">${words}. ${until}</p>
    <form method="post" action="/portal/${portal}/subscriptions/${id}/${step}" class="actions">${button}</form>
  </section>`
}
