import { html } from 'hono/html'
import type { InvoiceShown } from './desk.ts'
import { cardChoice, day, figures, frame, money, trouble } from './frame.ts'
import type { Html } from './frame.ts'
import { pdfOf } from './pdf.ts'

export const STATES: Record<InvoiceShown['state'], string> = {
  draft: 'Draft',
  open: 'To be paid',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Given up',
}

interface Row {
  name: string
  value: string
  sum?: boolean
}
const headOf = ({ state, customer, notes, issuedAt, dueAt, paidAt }: InvoiceShown): Row[] => [
  { name: 'State', value: STATES[state] },
  { name: 'For', value: customer },
  ...notes,
  { name: 'Issued', value: day(issuedAt) },
  ...(dueAt === null ? [] : [{ name: 'Due', value: day(dueAt) }]),
  ...(paidAt === null ? [] : [{ name: 'Paid', value: day(paidAt) }]),
]
const sumsOf = ({ lines, currency, total, due }: InvoiceShown): Row[] => [
  ...lines.map(({ text, amount }) => ({ name: text, value: money(amount, currency) })),
  { name: 'Total', value: money(total, currency), sum: true },
  { name: 'Due', value: money(due, currency), sum: true },
]
const bankOf = ({ bank }: InvoiceShown): Row[] =>
  bank === null
    ? []
    : [
        { name: 'To', value: bank.holder },
        { name: 'IBAN', value: bank.iban },
        { name: 'BIC', value: bank.bic },
        { name: 'Country of the account', value: bank.country },
        { name: 'Reference', value: bank.reference },
      ]
const titleOf = ({ number }: InvoiceShown): string => (number === null ? 'Invoice' : `Invoice ${number}`)

export function invoicePage(shown: InvoiceShown, problem: string | null): Html {
  return frame(
    titleOf(shown),
    html`${trouble(problem)}
      <section aria-label="About this invoice">${figures(headOf(shown))}</section>
      <section aria-label="What it is for">
        ${figures(sumsOf(shown))}
        <p class="actions"><a class="button plain" href="/invoices/${shown.id}/pdf">Download PDF</a></p>
      </section>
      ${shown.state === 'open' ? ways(shown) : ''}`,
  )
}

const ways = (shown: InvoiceShown): Html =>
  html`${
      shown.bank === null
        ? ''
        : html`<section aria-label="Pay by bank transfer">
            <h2>Pay by bank transfer</h2>
            <p>Send exactly ${money(shown.due, shown.currency)} to this account, with the reference.</p>
            ${figures(bankOf(shown))}
            <form method="post" action="/invoices/${shown.id}/transfer" class="actions">
              <button>Let the transfer arrive</button>
            </form>
          </section>`
    }
    <section aria-label="Pay by card">
      <h2>Pay by card</h2>
      <form method="post" action="/invoices/${shown.id}/pay">
        ${cardChoice()}
        <div class="actions"><button class="plain">Pay by card</button></div>
      </form>
    </section>`

/** The same figures on paper. */
export const invoicePdf = (shown: InvoiceShown): Uint8Array<ArrayBuffer> => {
  const line = ({ name, value }: Row): string => `${name}: ${value.replaceAll('€', 'EUR ')}`
  return pdfOf([
    titleOf(shown),
    'Test billing - no money moves',
    '',
    ...headOf(shown).map(line),
    '',
    ...sumsOf(shown).map(line),
    '',
    ...bankOf(shown).map(line),
  ])
}
