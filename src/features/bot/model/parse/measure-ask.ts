import type { Aggregate } from '../../../../shared/query/functions'
import type { DateDifferenceUnit } from '../../../../shared/query/functions'
import type { CalendarUnit } from '../../../../shared/dates'
import type { Measure } from '../../../../shared/query/plan'

/** A figure as it was asked for, before it is known whose rows are meant. Numbers are places among mentions. */
export type MeasureAsk = (
  | { kind: 'count'; of: number | null; distinct: boolean }
  | { kind: 'aggregate'; agg: Aggregate; of: number; money?: boolean }
  /** A metric, a term, or a column whose aggregate follows from what it is. */
  | { kind: 'named'; of: number }
  /** `agg`: how it is put together where it is worked out row by row. */
  | {
      kind: 'calc'
      op: 'add' | 'subtract' | 'multiply' | 'divide'
      left: MeasureAsk
      right: MeasureAsk
      agg?: Aggregate
      percent?: true
    }
  | { kind: 'number'; value: number }
  | { kind: 'perGroup'; agg: 'avg' | 'max' | 'min' | 'sum' | 'median'; of: MeasureAsk; by: number }
  /** The average of what each unit of time has. */
  | { kind: 'perUnit'; of: MeasureAsk; unit: CalendarUnit }
  /** The change since the unit of time before, in per cent. */
  | { kind: 'growth'; of: MeasureAsk }
  /** Part of the rows among all of them, in per cent. `values` and `dates` say which part. */
  | { kind: 'share'; of: MeasureAsk; percent: boolean; values: number[]; flags?: { of: number; isEmpty: boolean }[] }
  /** What the `n` largest groups make up of all: the part of sales that the five largest customers stand for. */
  | { kind: 'topShare'; of: MeasureAsk; by: number; n: number }
  | { kind: 'duration'; agg: Aggregate; unit: DateDifferenceUnit; from: number; to: number }
  /** "Total amount", of whatever is meant. */
  | { kind: 'amount' }
  /** "When was the last trade": the first or last day of what is asked about. */
  | { kind: 'moment'; agg: 'min' | 'max' }
  /** From the day that begins a thing to the day that ends it. */
  | { kind: 'span'; agg: Aggregate; unit: DateDifferenceUnit; of: number | null }
  /** Until the day that a word calls, from the day that began it. */
  /** `of`: whose length it is, where no day is called after what ends it. */
  | { kind: 'elapsed'; agg: Aggregate; unit: DateDifferenceUnit; until: string; of?: number }
  /** What the rows say how long something took, in a unit, or in that of its heading. */
  | { kind: 'lasting'; agg: Aggregate; unit: DateDifferenceUnit | null }
  /** How old those asked about are, by the day of their birth. */
  | { kind: 'age'; agg: Aggregate }
  /** How many pieces were sold or bought, by the number that rows say. */
  | { kind: 'pieces'; verb: string }
  /** `elsewhere`: the same figure as rows of other tables tell it. `isStanding`: it is that of the newest day. */
  | { kind: 'plan'; measure: Measure; elsewhere?: Measure[]; isStanding?: true }
) & {
  /** What it was called, for headings. */
  label?: string
  /** Values, dates and columns of yes and no that hold for this figure only. */
  only?: { values: number[]; dates: number[]; flags?: { of: number; isEmpty: boolean }[] }
}
