import type { FieldFilter, Scalar } from '../query/plan'
import type { ReportFilter } from './reports'

/** The values that a filter lets through; null where it is of another form. */
export function valuesOf(filter: FieldFilter | null): Scalar[] | null {
  if (filter === null) return []
  const values: Scalar[] = []
  for (const condition of filter.any) {
    if (condition.op === 'in') values.push(...condition.values)
    else if (condition.op === 'eq') values.push(condition.value)
    else if (condition.op === 'empty') values.push(null)
    else return null
  }
  return values
}

/** Lets the chosen values through, of which null is an empty cell; null where none is chosen: all rows pass. */
export function filterOf({ field }: ReportFilter, values: readonly Scalar[]): FieldFilter | null {
  const named = values.filter((value) => value !== null)
  if (values.length === 0) return null
  return {
    field,
    any: [
      ...(named.length > 0 ? [{ op: 'in' as const, values: named }] : []),
      ...(values.includes(null) ? [{ op: 'empty' as const }] : []),
    ],
  }
}
