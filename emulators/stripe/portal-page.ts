import { html } from 'hono/html'
import type { PortalShown } from './desk.ts'
import { cardChoice, day, frame, money, trouble } from './frame.ts'
import type { Html } from './frame.ts'
import { STATES } from './invoice-page.ts'

export function portalPage(id: string, shown: PortalShown, problem: string | null): Html {
  const { customer, returnUrl, card, subscriptions, invoices } = shown
  return frame(
    'Your billing',
    html`<p class="quiet">${customer}</p>
      ${trouble(problem)} ${subscriptions.map((one) => subscription(id, one))}
      <section aria-label="Card">
        <h2>Card</h2>
        <p>
          ${card === null ? 'No card is kept.' : `Card ending ${card.last4}${card.declines ? ', which is declined' : ''}`}
        </p>
        <form method="post" action="/portal/${id}/card">
          ${cardChoice()}
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

const invoiceLine = ({ id, number, state, currency, total, issuedAt }: PortalShown['invoices'][number]): Html =>
  html`<li>
    <a href="/invoices/${id}">${number ?? 'Draft'}</a>, ${day(issuedAt)}: ${money(total, currency)},
    ${STATES[state].toLowerCase()}
  </li>`

/** Statuses in which there is something to end or to keep. */
const STANDING: Record<string, string> = {
  active: 'Active',
  trialing: 'Free until the first payment',
  past_due: 'A payment is missing',
  unpaid: 'Unpaid',
}

function subscription(
  portal: string,
  { id, lines, state, periodEndsAt, endsAt }: PortalShown['subscriptions'][number],
) {
  const words = STANDING[state]
  if (words === undefined) return ''
  const until = endsAt === null ? `Renews on ${day(periodEndsAt)}.` : `Ends on ${day(endsAt)}.`
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
