/** What the pages show and do; the same records and functions stand behind the API. Instants are as told: epoch seconds. */
export interface PageActions {
  checkout: (id: string) => CheckoutView | null
  /** Pays, or has the card refused: then nothing changed. */
  payCheckout: (id: string, card: TestCard) => Outcome
  invoice: (id: string) => InvoiceView | null
  /** A transfer of all that is due arrives at the account named on the invoice. */
  transfer: (invoiceId: string) => Outcome
  payInvoice: (invoiceId: string, card: TestCard) => Outcome
  portal: (id: string) => PortalView | null
  /** At the end of the period that is paid. */
  cancel: (portalId: string, subscriptionId: string) => Outcome
  resume: (portalId: string, subscriptionId: string) => Outcome
  changeCard: (portalId: string, card: TestCard) => Outcome
}

/** A card that always works, or one that is always refused. */
export const TEST_CARDS = ['works', 'declined'] as const
export type TestCard = (typeof TEST_CARDS)[number]
export type Outcome = { ok: true } | { ok: false; problem: string }

export interface LineView {
  text: string
  /** Smallest units of the currency. */
  amount: number
}
export interface CheckoutView {
  state: 'open' | 'complete' | 'expired'
  customer: string
  currency: string
  lines: LineView[]
  dueNow: number
  /** Charged later, when what is left of a trial has passed; null = all is due now. */
  later: { amount: number; at: number } | null
  successUrl: string
  cancelUrl: string | null
}
export interface InvoiceView {
  id: string
  number: string | null
  state: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible'
  customer: string
  /** Stated on the invoice, such as a reference of the customer's. */
  notes: { name: string; value: string }[]
  currency: string
  lines: LineView[]
  total: number
  due: number
  issuedAt: number
  dueAt: number | null
  paidAt: number | null
  /** Where a transfer goes; null = it is not paid by transfer. */
  bank: { country: string; holder: string; iban: string; bic: string; reference: string } | null
}
export interface PortalView {
  customer: string
  returnUrl: string | null
  card: { last4: string; declines: boolean } | null
  subscriptions: {
    id: string
    lines: string[]
    state: string
    periodEndsAt: number
    /** Ends then; null = it renews. */
    endsAt: number | null
  }[]
  invoices: Pick<InvoiceView, 'id' | 'number' | 'state' | 'currency' | 'total' | 'issuedAt'>[]
}
