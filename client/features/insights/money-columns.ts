import { amountCurrencyOf } from '../../../src/shared/currencies'
import { fieldsCalculatedWith } from '../../../src/shared/currency-modes'
import type { QueryPlan } from '../../../src/shared/query'
import type { Column } from '../../../src/shared/sources'

type DatasetColumns = { id: string; columns: readonly Column[] }

/** Whether a plan has to do with money that could be brought to one currency. */
export const hasConvertibleAmounts = (plan: QueryPlan, datasets: readonly DatasetColumns[]): boolean =>
  fieldsCalculatedWith(plan).some(({ dataset, column }) => {
    const of = datasets.find(({ id }) => id === dataset)
    const found = of?.columns.find(({ key }) => key === column)
    return of !== undefined && found !== undefined && amountCurrencyOf(found, of.columns) !== null
  })
