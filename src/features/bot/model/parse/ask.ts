import type { CalendarUnit } from '../../../../shared/dates'
import type { ComparisonOperator, DateDifferenceUnit } from '../../../../shared/query/functions'

/** Something that stands in a list, is sorted or compared by: a name, a figure or a date by their places. */
export type Item = { kind: 'name'; at: number } | { kind: 'figure'; at: number } | { kind: 'date'; at: number }

export interface Rank {
  dir: 'asc' | 'desc'
  /** How many; null when it is not said. */
  n: number | null
  /** What is ranked; null when it follows from the rest. */
  entity: number | null
  by: Item | null
  /** The adjective that says by what: "most expensive". */
  adjective: string | null
  /** How many of the first are passed over: one for "the second largest". */
  skip: number
}
export interface SortAsk {
  /** Null: what is listed, by its name; or what the adjective says. */
  by: Item | null
  dir: 'asc' | 'desc' | null
  /** "Ranked by": the largest comes first where no direction is said. */
  isRanking?: true
  /** "Newest first": the column that it fits. */
  adjective?: string
}
export interface NumberCondition {
  /** The name or figure that is compared; null when it follows from the rest. */
  of: Item | null
  op: ComparisonOperator | 'between'
  value: number
  to?: number
  /** The adjective that says which column is compared: "higher than 1500 meters". */
  adjective?: string
  /** What it is counted in, which the column has to say. */
  unit?: string
}
/** "Above the average": a figure of each beside the same figure of all. */
export interface AverageCondition {
  /** What is compared; null where the adjective says it. */
  of: Item | null
  adjective?: string
  op: 'gt' | 'lt'
  agg: 'avg' | 'median'
}
/** "Placed their first order in 2024": none before, and at least one then. */
export interface FirstCondition {
  of: number
  date: number
}
export interface ValueCondition {
  value: number
  /** The name that stands beside it. */
  column: number | null
  /** Names it may belong to, that stand near. */
  near: number[]
  mode: 'is' | 'contains' | 'startsWith' | 'endsWith'
  isNegated: boolean
  /** Joined to the one before by "or". */
  or: boolean
}
export interface EmptyCondition {
  of: number
  isEmpty: boolean
}
/** How far two days of a row lie apart. */
export interface SpanCondition {
  op: 'gt' | 'ge' | 'lt' | 'le'
  value: number
  unit: DateDifferenceUnit
  /** What ends it: the word for it; null: what ends such rows. */
  until: string | null
  /** The day it is counted from, where one is named. */
  from: number | null
  /** Counted from the day it was due. */
  isLate: boolean
}
/** A question taken apart; what names mean is not decided yet. */
export interface QuestionParts {
  /** What is listed, in the order of the question. */
  outputs: Item[]
  /** That a sentence says what is to be returned. */
  isExplicit: boolean
  splits: Item[]
  rank: Rank | null
  sorts: SortAsk[]
  conditions: NumberCondition[]
  values: ValueCondition[]
  empties: EmptyCondition[]
  averages: AverageCondition[]
  firsts: FirstCondition[]
  /** Values that hold side by side, of different rows: "both a car and a home policy". */
  both: ReadonlySet<number>
  /** A day of a row beside another of it: "paid after the due date". `verb`: what stands before, that may call the first. */
  beside: { verb: string; op: 'gt' | 'lt'; of: number }[]
  /** What was due before today: by which day, where it is said. */
  overdue: { of: number | null; isDenied: boolean }[]
  /** Periods in which things were to be in force: "valid on the first of May". */
  inForce: number[]
  /** What happened after the day it was due; `verb`: what happened, where it is said. */
  late: { verb: string | null; isDenied: boolean }[]
  spans: SpanCondition[]
  /** "Out of stock", or too little of it. */
  stock: 'none' | 'low' | null
  /** Units of time in which a figure comes to nothing. */
  idle: { of: number; grain: CalendarUnit } | null
  /** Two figures of a row beside each other: "a price below their cost". */
  compared: { one: number; op: ComparisonOperator; two: number }[]
  /** Of these no rows may be there: "without orders". `of` is what is missing. */
  without: { of: number; entity: number | null }[]
  /** The day since which nothing was bought by what is listed; or how many months before the newest day. */
  silent: { since: number } | { months: number } | null
  /** Of these rows must be there: "that have made a purchase". */
  hints: number[]
  /** What stands outside of what is listed. */
  elsewhere: Item[]
  dates: number[]
  /** Dates with the name of the column that stands beside them. */
  dated: Map<number, number>
  /** Units of time without any rows are wanted, too. */
  wantsEmpty: boolean
  isDistinct: boolean
  isYesNo: boolean
  /** Words that question rules did not read. */
  rest: string
}
