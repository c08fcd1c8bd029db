import { fieldOf, type Context } from '../plan/context'
import type { AggregateMeasure, Measure } from '../../../../shared/query/plan'
import type { SchemaColumn, SchemaDataset } from '../schema/schema'

const DEBIT = /^(?:debet|debit)$/
const CREDIT = /^(?:kredit|credit)$/
const EARNED = /forsalj|intakt|revenue|income|sales|^3\d{3}$/
const called = ({ columns }: SchemaDataset, name: RegExp): SchemaColumn | undefined =>
  columns.find(({ isNumeric, words }) => isNumeric && words.some((word) => name.test(word)))
const sumOf = (column: SchemaColumn): AggregateMeasure => ({ kind: 'column', agg: 'sum', field: fieldOf(column) })

/** What accounts come to in books that write debit and credit apart: what was earned stands in credit. Null elsewhere. */
export function ledgerAmount({ home, ask, encoded }: Context): Measure | null {
  const [debit, credit] = [called(home, DEBIT), called(home, CREDIT)]
  if (!debit || !credit) return null
  const isEarned = ask.values.some(({ value }) =>
    EARNED.test(encoded.values[value]?.matches[0]?.value.toLowerCase() ?? ''),
  )
  const [more, less] = isEarned ? [credit, debit] : [debit, credit]
  return { kind: 'calc', op: 'subtract', left: sumOf(more), right: sumOf(less) }
}
