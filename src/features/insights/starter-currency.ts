import { reportingCurrency } from '../../semantic/currency/reporting-currency'
import type { QueryContext } from '../../semantic/query-service'
import { amountCurrencyOf, fieldsCalculatedWith } from '../../shared/currencies'
import type { Column } from '../../shared/data-sources/data-sources'
import { ProductError } from '../../shared/errors'
import type { QueryPlan } from '../../shared/query/plan'
import type { CatalogueDataset } from '../../warehouse/contract'

/** How amounts of a dataset are added up whose rows name their currencies. */
export interface StarterCurrency {
  /** Columns of such amounts. */
  paired: ReadonlySet<string>
  /** What they are brought to; absent where all rows are in one; null where the subscription does not convert. */
  to: QueryPlan['currency'] | null
}

/** Decided over all rows, as for every figure that is followed. */
export async function starterCurrency(
  context: QueryContext,
  { id, columns }: CatalogueDataset,
  sums: readonly Column[],
): Promise<StarterCurrency> {
  const amounts = sums.filter((column) => {
    const money = amountCurrencyOf(column, columns)
    return money !== null && 'column' in money
  })
  const paired = new Set<string>(amounts.map(({ key }) => key))
  try {
    for (const { key } of amounts) {
      const measure = { kind: 'column' as const, agg: 'sum' as const, field: { dataset: id, column: key } }
      const to = await reportingCurrency(context, { measure, filters: [], dataset: id })
      if (to) return { paired, to }
    }
    return { paired, to: undefined }
  } catch (error) {
    if (error instanceof ProductError && error.code === 'mixed_currency') return { paired, to: null }
    throw error
  }
}

/** The question in the currency that its amounts are brought to; null: it would add amounts of several. */
export function inStarterCurrency<Plan extends QueryPlan>(plan: Plan, { paired, to }: StarterCurrency): Plan | null {
  const isOfAmounts = fieldsCalculatedWith(plan).some(({ column }) => paired.has(column))
  if (!isOfAmounts || to === undefined) return plan
  return to && { ...plan, v: plan.v === 1 ? 2 : plan.v, currency: to }
}
