import { ProductError } from '../../shared/errors'
import { datasetsOf, fieldsOf } from '../../shared/query'
import type { QueryPlan } from '../../shared/query'
import type { CatalogueDataset } from '../contract'

/** @throws ProductError when the plan cannot be answered from these datasets */
export function checkPlan(plan: QueryPlan, find: (datasetId: string) => CatalogueDataset | null): void {
  for (const id of datasetsOf(plan)) if (!find(id)) throw new ProductError('not_found')
  for (const field of fieldsOf(plan))
    if (!find(field.dataset)?.columns.some((column) => column.key === field.column))
      throw new ProductError('unknown_field', { field: `${field.dataset}.${field.column}` })
}
