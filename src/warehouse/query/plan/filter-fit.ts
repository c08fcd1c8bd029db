import { invalidPlan } from './plan-errors'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { Condition } from '../../../shared/query/plan'
import type { DatePart } from '../../../shared/query/date-range'

/** What a filter may ask of columns: said of plans before they run, and of rules of access, which nobody checks before, as they are read. */
export const NUMERIC: ReadonlySet<Column['type']> = new Set(['integer', 'number'])
export const TEMPORAL: ReadonlySet<Column['type']> = new Set(['date', 'datetime'])

/** @throws ProductError `invalid_input` for a column that has no such part */
export function checkPart(part: DatePart, type: Column['type'], path: string): void {
  if (!TEMPORAL.has(type)) throw invalidPlan(path, 'Parts of dates need a date.')
  if (part === 'hourOfDay' && type !== 'datetime') throw invalidPlan(path, 'Hours need a date and time.')
}

/** Two columns can be compared when both hold texts, numbers, dates, or answers. @throws ProductError `invalid_input` */
export function checkAlike(type: Column['type'], other: Column['type'], path: string): void {
  const isAlike = type === other || [NUMERIC, TEMPORAL].some((kind) => kind.has(type) && kind.has(other))
  if (!isAlike) throw invalidPlan(path, 'Only columns of the same kind can be compared.')
}
/** @throws ProductError `invalid_input` */
export function checkNoPart(part: DatePart | undefined, path: string): void {
  if (part !== undefined) throw invalidPlan(path, 'Parts of dates can’t be compared with a column.')
}

/** Whether a condition looks into texts. */
export const isSearch = (op: Condition['op']): boolean =>
  op === 'contains' || op === 'startsWith' || op === 'notContains' || op === 'notStartsWith'
