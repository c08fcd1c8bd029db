import { moneyIn } from '../../../src/shared/currencies'
import { calculatedFields } from '../../../src/shared/currency-modes'
import type { QueryPlan } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'

type Dataset = { id: string; columns: readonly Column[] }

/** Whether a plan has to do with money that could be brought to one currency. */
export const hasMoney = (plan: QueryPlan, datasets: readonly Dataset[]): boolean =>
  calculatedFields(plan).some(({ dataset, column }) => {
    const of = datasets.find(({ id }) => id === dataset)
    const found = of?.columns.find(({ key }) => key === column)
    return of !== undefined && found !== undefined && moneyIn(found, of.columns) !== null
  })
