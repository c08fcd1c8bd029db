import { html } from 'hono/html'
import type { InvoiceView } from './desk.ts'
import { cardPicker, formatDay, definitionList, pageFrame, formatMoney, errorMessage } from './frame.ts'
import type { Html } from './frame.ts'
import { pdfOf } from './pdf.ts'

export const STATE_LABELS: Record<InvoiceView['state'], string> = {
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
const headerRows = ({ state, customer, notes, issuedAt, dueAt, paidAt }: InvoiceView): Row[] => [
  { name: 'State', value: STATE_LABELS[state] },
  { name: 'For', value: customer },
  ...notes,
  { name: 'Issued', value: formatDay(issuedAt) },
  ...(dueAt === null ? [] : [{ name: 'Due', value: formatDay(dueAt) }]),
  ...(paidAt === null ? [] : [{ name: 'Paid', value: formatDay(paidAt) }]),
]
const totalRows = ({ lines, currency, total, due }: InvoiceView): Row[] => [
  ...lines.map(({ text, amount }) => ({ name: text, value: formatMoney(amount, currency) })),
  { name: 'Total', value: formatMoney(total, currency), sum: true },
  { name: 'Due', value: formatMoney(due, currency), sum: true },
]
const bankRows = ({ bank }: InvoiceView): Row[] =>
  bank === null
    ? []
    : [
        { name: 'To', value: bank.holder },
        { name: 'IBAN', value: bank.iban },
        { name: 'BIC', value: bank.bic },
        { name: 'Country of the account', value: bank.country },
        { name: 'Reference', value: bank.reference },
      ]
const titleOf = ({ number }: InvoiceView): string => (number === null ? 'Invoice' : `Invoice ${number}`)

export function invoicePage(shown: InvoiceView, problem: string | null): Html {
  return pageFrame(
    titleOf(shown),
    html`${errorMessage(problem)}
      <section aria-label="About this invoice">${definitionList(headerRows(shown))}</section>
      <section aria-label="What it is for">
        ${definitionList(totalRows(shown))}
        <p class="actions"><a class="button plain" href="/invoices/${shown.id}/pdf">Download PDF</a></p>
      </section>
      ${shown.state === 'open' ? paymentOptions(shown) : ''}`,
  )
}

const paymentOptions = (shown: InvoiceView): Html =>
  html`${
      shown.bank === null
        ? ''
        : html`<section aria-label="Pay by bank transfer">
            <h2>Pay by bank transfer</h2>
            <p>Send exactly ${formatMoney(shown.due, shown.currency)} to this account, with the reference.</p>
            ${definitionList(bankRows(shown))}
            <form method="post" action="/invoices/${shown.id}/transfer" class="actions">
              <button>Let the transfer arrive</button>
            </form>
          </section>`
    }
    <section aria-label="Pay by card">
      <h2>Pay by card</h2>
      <form method="post" action="/invoices/${shown.id}/pay">
        ${cardPicker()}
        <div class="actions"><button class="plain">Pay by card</button></div>
      </form>
    </section>`

/** The same figures on paper. */
export const invoicePdf = (shown: InvoiceView): Uint8Array<ArrayBuffer> => {
  const line = ({ name, value }: Row): string => `${name}: ${value.replaceAll('€', 'EUR ')}`
  return pdfOf([
    titleOf(shown),
    'Test billing - no money moves',
    '',
    ...headerRows(shown).map(line),
    '',
    ...totalRows(shown).map(line),
    '',
    ...bankRows(shown).map(line),
  ])
}
