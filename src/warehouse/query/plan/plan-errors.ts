import { ProductError } from '../../../shared/errors'
import type { Field } from '../../../shared/query/plan'

/** A plan that says something impossible; the sentence stands beside the place in the plan. */
export const invalidPlan = (path: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [`plan.${path}`]: message } }, message)

export const unknownField = (field: Field): ProductError =>
  new ProductError('unknown_field', { field: `${field.dataset}.${field.column}` })

export const queryTooComplex = (what: string, max: number): ProductError =>
  new ProductError('query_too_complex', { what, max })

/** What would take more memory than a question may have. */
export const notFromColumns = (): ProductError => new ProductError('query_too_complex', { what: 'columns' })
