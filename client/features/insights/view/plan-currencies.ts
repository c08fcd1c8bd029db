import { isExistsFilter, type QueryPlan } from '../../../../src/shared/query/plan'
import { type Field } from '../../../../src/shared/query/field'
import type { Column, Dataset } from '../../../../src/shared/data-sources/data-sources'
import { amountCurrencyOf, fieldsCalculatedWith } from '../../../../src/shared/currencies'

export interface MixedCurrency {
  dataset: Dataset
  /** Names the currency of each row. */
  column: Column
}

/** Whether a plan looks at one currency at a time: it splits by the column, or keeps a single value of it. */
const isSingleCurrency = (plan: QueryPlan, { dataset, column }: MixedCurrency): boolean => {
  const same = (field: Field): boolean => field.dataset === dataset.id && field.column === column.key
  const single = plan.filters.some((filter) => {
    if (isExistsFilter(filter) || !same(filter.field) || filter.any.length !== 1) return false
    const [condition] = filter.any
    return condition?.op === 'eq' || (condition?.op === 'in' && condition.values.length === 1)
  })
  return single || plan.dimensions.some((dimension) => same(dimension.field))
}

/** A dataset of a plan whose plain numbers are put together over rows of several currencies; null when none is. */
export function findMixedCurrency(plan: QueryPlan, datasets: readonly Dataset[]): MixedCurrency | null {
  const amounts = fieldsCalculatedWith(plan)
  for (const dataset of datasets) {
    const column = dataset.columns.find((one) => one.role === 'currency' && !one.hidden)
    const plain = amounts.some((field) => {
      const used = dataset.columns.find((one) => one.key === field.column)
      const plainly = used?.format.style === 'plain' && used.currencyColumn === undefined
      return field.dataset === dataset.id && used?.type === 'number' && plainly
    })
    if (column && plain && !isSingleCurrency(plan, { dataset, column })) return { dataset, column }
  }
  return null
}

export const currencyCountPlan = (plan: QueryPlan, mixed: MixedCurrency | null): QueryPlan | null =>
  mixed && {
    v: 1,
    kind: 'aggregate',
    dataset: mixed.dataset.id,
    measures: [
      { kind: 'column', agg: 'countDistinct', field: { dataset: mixed.dataset.id, column: mixed.column.key } },
    ],
    dimensions: [],
    filters: plan.filters,
    ...(plan.period ? { period: { ...plan.period, compare: 'none' as const } } : {}),
  }

type DatasetColumns = { id: string; columns: readonly Column[] }

/** Whether a plan has to do with money that could be brought to one currency. */
export const hasConvertibleAmounts = (plan: QueryPlan, datasets: readonly DatasetColumns[]): boolean =>
  fieldsCalculatedWith(plan).some(({ dataset, column }) => {
    const of = datasets.find(({ id }) => id === dataset)
    const found = of?.columns.find(({ key }) => key === column)
    return of !== undefined && found !== undefined && amountCurrencyOf(found, of.columns) !== null
  })
