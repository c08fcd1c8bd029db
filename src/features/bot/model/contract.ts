import type { Calendar } from '../../../shared/dates'
import type { BotInterpretation } from '../../../shared/bot/interpretation'
import type { ColumnFormat, ColumnKey, ColumnRole, ColumnType } from '../../../shared/data-sources/files'
import type { Field } from '../../../shared/query/field'
import type { Filter, Measure, QueryPlan, Scalar } from '../../../shared/query/plan'
import type { FollowedRelation } from '../../../shared/query/relation-paths'
import type { Viz } from '../../../shared/insights'

/**
 * What the rules engine knows of a workspace: plain data, made for the rights of one person. What they may not see is
 * left out, so that it does not exist for the engine.
 */
export interface Vocabulary {
  datasets: VocabularyDataset[]
  /** The confirmed ones, as plans follow them. */
  relations: FollowedRelation[]
  metrics: VocabularyMetric[]
  groupings: VocabularyGrouping[]
  /** What questions may lead to by name. */
  things: VocabularyThing[]
  glossary: GlossaryEntry[]
  /** The figures of ledgers: words for which nothing else has a meaning. */
  books?: GlossaryEntry[]
  verified: VerifiedQuestion[]
}
export interface VocabularyDataset {
  id: string
  name: string
  /** Other names: that of its source, what people call it. */
  synonyms?: string[]
  /** Without hidden and masked ones. */
  columns: VocabularyColumn[]
  rowCount: number
}
export interface VocabularyColumn {
  key: ColumnKey
  label: string
  synonyms?: string[]
  type: ColumnType
  role: ColumnRole
  format: ColumnFormat
  /** How many different values there are, where it is known. Equal to the row count: each names one row. */
  distinct?: number
  /** All values, of columns that have few of them (up to 50), most frequent first. */
  values?: Scalar[]
  /** Of dates: first and last day of the data. */
  from?: string | null
  to?: string | null
}
export interface VocabularyMetric {
  id: string
  name: string
  synonyms: string[]
  description: string
  dataset: string
  measure: Measure
  /** The column that says when. */
  time: Field | null
  direction: 'up' | 'down' | 'none'
  format: ColumnFormat | null
}
export interface VocabularyGrouping {
  id: string
  name: string
  /** Columns that are seen through it. */
  fields: Field[]
  /** Names of its levels, outermost first; empty: one level that is called like the grouping. */
  levels: string[]
  groups: { id: string; name: string; level: number }[]
}
export interface VocabularyThing {
  kind: 'forecast' | 'alert' | 'target'
  id: string
  name: string
}
/**
 * A word of the workspace. `means` says it in words that the engine reads like a question's own definition ("total
 * amount / number of orders", "status is Delivered", "Revenue"); `measure` and `filters` say it as parts of a plan.
 */
export interface GlossaryEntry {
  term: string
  synonyms: string[]
  /** For people. */
  definition: string
  means?: string
  measure?: Measure
  /** The same figure as rows of other tables tell it. */
  elsewhere?: Measure[]
  /** How something stands at the newest day, of which no other time and no part is told. */
  isStanding?: true
  filters?: Filter[]
}
/** A wording that an analyst bound to a plan. */
export interface VerifiedQuestion {
  id: string
  question: string
  plan: QueryPlan
  viz: Viz | null
  shown?: string[]
  /** A column or metric that it names changed since. */
  stale: boolean
}

/** A value of the data that a phrase may mean. */
export interface ValueMatch {
  dataset: string
  column: ColumnKey
  value: string
  /** Rows that hold it. */
  count: number
  /** `word`: the phrase is one or several whole words of the value. */
  how: 'exact' | 'prefix' | 'word' | 'typo'
  /** Letters that differ; 0 but for typos. */
  distance: number
}
export interface ValueQuery {
  /** Folded by `foldText`. */
  phrases: string[]
  /** Matches answered for each phrase at most. */
  limit: number
}
/**
 * The values of text columns, millions of them. Asked once or twice a question, with all phrases at once; a phrase
 * without a match may be absent. Typos: up to 1 in five letters, up to 2 in nine, none in fewer than five. Prefixes and
 * words of a value only for phrases of three letters or more.
 */
export interface ValueIndex {
  find(query: ValueQuery): Promise<ReadonlyMap<string, ValueMatch[]>>
}

/** What a follow-up question changes. */
export interface PreviousQuestion {
  question: string
  plan: QueryPlan
  viz: Viz
  shown?: string[]
}
export interface InterpretInput {
  question: string
  vocabulary: Vocabulary
  values: ValueIndex
  /** `today` is the day that "last month" counts back from: the last day of the data, or what the caller takes as today. */
  calendar: Calendar
  /** Count periods back from this day although the data end on another: they become absolute. Equals `today`. */
  asOf?: string
  /** How a day is written for whoever asks; absent: as ISO. */
  day?: (day: string) => string
  /** Definitions given beside the question: "AOV = average order value." */
  definitions?: string
  previous?: PreviousQuestion
}
export type Interpret = (input: InterpretInput) => Promise<BotInterpretation>
