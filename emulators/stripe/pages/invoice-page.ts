import { html } from 'hono/html'
import type { InvoiceView } from './page-actions.ts'
import { cardPicker, formatDay, definitionList, pageFrame, formatMoney, errorMessage, type Html } from './page-frame.ts'

/** Characters beyond Latin-1 have no glyph in the built-in font. */
const plain = (text: string): string =>
  text.replaceAll(/[^\u0020-\u007e\u00a1-\u00ff]/g, '?').replaceAll(/[\\()]/g, (sign) => `\\${sign}`)

const TOP = 790
const LEFT = 56
const LEADING = 18
const bytesOf = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff)

/** A valid PDF of one A4 page with these lines of text, the first of them large. */
export function pdfOf(lines: string[]): Uint8Array<ArrayBuffer> {
  const shown = lines.map((line, at) => `/F1 ${at === 0 ? 18 : 11} Tf (${plain(line)}) Tj T*`)
  const content = `BT ${LEADING} TL ${LEFT} ${TOP} Td ${shown.join('\n')} ET`
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
  ]
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  return bytesOf(
    `${text}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`,
  )
}

export const STATE_LABELS: Record<InvoiceView['state'], string> = {
  draft: 'Draft',
  open: 'Due',
  paid: 'Paid',
  void: 'Void',
  uncollectible: 'Uncollectible',
}

interface Row {
  name: string
  value: string
  sum?: boolean
}
const headerRows = ({ state, customer, notes, issuedAt, dueAt, paidAt }: InvoiceView): Row[] => [
  { name: 'Status', value: STATE_LABELS[state] },
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
