import { ProductError } from '../../../shared/errors'
import type { Field } from '../../../shared/query/field'

/** A plan that says something impossible; the sentence stands beside the place in the plan. */
export const invalidPlan = (path: string, message: string): ProductError =>
  new ProductError('invalid_input', { fields: { [`plan.${path}`]: message } }, message)

export const unknownField = (field: Field): ProductError =>
  new ProductError('unknown_field', { field: `${field.dataset}.${field.column}` })

export const queryTooComplex = (what: string, max: number): ProductError =>
  new ProductError('query_too_complex', { what, max })

/** What takes more than columns are read with: vectors and tables of keys, or exact numbers past 53 bits. */
export const notFromColumns = (max?: number): ProductError =>
  new ProductError('query_too_complex', { what: 'columns', ...(max === undefined ? {} : { max }) })
