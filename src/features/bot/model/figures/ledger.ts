import { deduct, type Context } from '../plan/context'
import { isLedger, postedSum } from '../schema/ledger'
import type { Measure } from '../../../../shared/query/plan'

const EARNED = /forsalj|intakt|revenue|income|sales|^3\d{3}$/
const SAYS_AMOUNT =
  /\b(?:total\p{L}*|summan?|sammanlag\p{L}*|belopp\p{L}*|amounts?|sum|overall|kosta\p{L}*|kostnad\p{L}*|betala\p{L}*|costs?|spen[dt]|pay|paid|owes?|owed|owing|skyldiga?|invoiced|fakturera\p{L}*|ute i|come to|uppgar till|kvar att betala|left to pay)\b/u

/** What accounts come to in books: what was earned stands in credit, or below nothing. Null elsewhere. */
export function ledgerAmount({ home, ask, encoded }: Context): Measure | null {
  if (!isLedger(home)) return null
  const isEarned = ask.values.some(({ value }) =>
    EARNED.test(encoded.values[value]?.matches[0]?.value.toLowerCase() ?? ''),
  )
  return postedSum(home, isEarned)
}
/** "Rent per month": of what is no account it may be an amount, or how many there are. */
export function askWhatAmounts(context: Context): void {
  if (!isLedger(context.home) && !SAYS_AMOUNT.test(context.words)) deduct(context, 0.75, 'an amount, or how many')
}
