import { fieldsOfExpr, leavesOf } from '../../../src/shared/plan-fields'
import { modeFor, moneyIn } from '../../../src/shared/currencies'
import type { DefaultMode } from '../../../src/shared/currencies'
import type { CurrencyMode, Field, QueryPlan } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'

type Dataset = { id: string; columns: readonly Column[] }

/** Fields whose amounts a plan calculates with; what is only counted is none. */
const calculated = (plan: QueryPlan): Field[] =>
  plan.measures.flatMap(leavesOf).flatMap((leaf) => {
    if (leaf.agg === 'count' || leaf.agg === 'countDistinct') return []
    return leaf.kind === 'expression' ? fieldsOfExpr(leaf.row) : leaf.field ? [leaf.field] : []
  })

/** Whether a plan has to do with money that could be brought to one currency. */
export const hasMoney = (plan: QueryPlan, datasets: readonly Dataset[]): boolean =>
  calculated(plan).some(({ dataset, column }) => {
    const of = datasets.find(({ id }) => id === dataset)
    const found = of?.columns.find(({ key }) => key === column)
    return of !== undefined && found !== undefined && moneyIn(found, of.columns) !== null
  })

/** How figures of a plan are converted unless a person says otherwise. */
export function usualMode(plan: QueryPlan, datasets: readonly Dataset[], preferred: DefaultMode): CurrencyMode {
  const [first] = calculated(plan)
  return modeFor(datasets.find(({ id }) => id === first?.dataset)?.columns ?? [], preferred)
}
