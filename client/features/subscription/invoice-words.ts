import type { BadgeTone } from './standing'
import type { InvoiceView } from '../../../src/shared/subscription'

const STATE_LABELS: Record<InvoiceView['state'], { word: string; tone: BadgeTone }> = {
  draft: { word: 'Being made', tone: 'gray' },
  open: { word: 'To be paid', tone: 'yellow' },
  paid: { word: 'Paid', tone: 'green' },
  void: { word: 'Cancelled', tone: 'gray' },
  uncollectible: { word: 'Not paid', tone: 'red' },
}
export const invoiceStateLabel = ({ state, overdue }: Pick<InvoiceView, 'state' | 'overdue'>) =>
  overdue ? { word: 'Overdue', tone: 'red' as const } : STATE_LABELS[state]

/** The invoice to pay first: overdue ones, then the one due first; undefined when none waits. */
export const firstPayableInvoice = (invoices: readonly InvoiceView[]): (InvoiceView & { url: string }) | undefined =>
  invoices
    .filter((invoice): invoice is InvoiceView & { url: string } => isPayable(invoice))
    .toSorted((a, b) => Number(b.overdue) - Number(a.overdue) || dueTime(a) - dueTime(b))[0]

const isPayable = ({ state, due, url }: InvoiceView): boolean => state === 'open' && due.minor > 0 && url !== null
const dueTime = ({ dueAt, issuedAt }: InvoiceView): number => Date.parse(dueAt ?? issuedAt)
