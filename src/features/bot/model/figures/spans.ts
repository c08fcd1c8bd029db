import { columnOfRef, deduct, fieldOf, meaningsOf, type Context } from '../plan/context'
import { beginsElapsed, endsElapsed, endsSpan } from './durations'
import { isDue } from '../conditions/overdue'
import { VERBS } from '../language/verbs'
import type { SpanCondition } from '../parse/ask'
import type { Expr } from '../../../../shared/query/expression'
import type { SchemaColumn } from '../schema/schema'

/** "Paid more than 30 days after the invoice date" as a condition of a row; null where nothing of the kind is asked. */
export function spanCondition(context: Context): Expr | null {
  const [asked, second] = context.ask.spans
  if (!asked) return null
  const [from, to] = endsOf(context, asked)
  if (!from || !to || second) {
    deduct(context, 0.4, 'which two days lie so far apart is not known')
    return null
  }
  context.assumptions.push(`From ${from.source.label} to ${to.source.label}.`)
  return {
    kind: 'compare',
    op: asked.op,
    left: { kind: 'dateDiff', unit: asked.unit, from: fieldOf(from), to: fieldOf(to) },
    right: { kind: 'number', value: asked.value },
  }
}
function endsOf(context: Context, { until, from, isLate }: SpanCondition): (SchemaColumn | undefined)[] {
  const days = context.home.columns.filter(({ isDate }) => isDate)
  const noun = until === null ? null : (VERBS[until] ?? until)
  const end = only(
    days.filter((day) => (noun === null ? endsSpan(day) : endsElapsed([day], noun) || isCalled(day, noun))),
  )
  const others = days.filter((day) => day !== end)
  const begun = others.filter(beginsElapsed)
  const begin =
    from === null
      ? isLate
        ? only(others.filter(isDue))
        : only(begun.length > 0 ? begun : others)
      : others.find((day) => day === dayAt(context, from))
  // Two days and nothing that says which is which: as they stand in the row.
  if (until === null && from === null && !isLate && days.length === 2 && (!begin || !end)) {
    deduct(context, 0.9, 'which day is the first')
    return days
  }
  return [begin, end]
}
const only = ([one, other]: readonly SchemaColumn[]): SchemaColumn | undefined => (other ? undefined : one)
const isCalled = ({ words }: SchemaColumn, noun: string): boolean =>
  noun.length >= 4 &&
  words.some((word) => word.length >= 4 && (noun.startsWith(word) || word.startsWith(noun.slice(0, 5))))
function dayAt(context: Context, at: number): SchemaColumn | undefined {
  const [best] = meaningsOf(context, at, (ref) => (columnOfRef(context, ref)?.isDate === true ? 1 : 0))
  return best && columnOfRef(context, best.ref)
}
