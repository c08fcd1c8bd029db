import type { PriceLine } from '../../../shared/subscription'

/** An invoice as it will be charged; amounts are integers of the currency's smallest unit. */
export interface InvoiceTotals {
  total: number
  /** After what the customer has in credit; never less than nothing. */
  amount_due: number
  currency: string
}

/** The lines of an invoice, complete: their sum is what is charged. */
export function toPriceLines(
  lines: readonly { text: string; minor: number }[],
  { total, amount_due: due, currency }: InvoiceTotals,
): PriceLine[] {
  const listed = lines.reduce((sum, { minor }) => sum + minor, 0)
  const rest = [
    { text: 'Other lines', minor: total - listed },
    { text: due > total ? 'Kept as credit' : 'Credit from before', minor: due - total },
  ].filter(({ minor }) => minor !== 0)
  return [...lines, ...rest].map(({ text, minor }) => ({ text, amount: { minor, currency } }))
}
