import type { ColumnFormat, ColumnRole, ColumnType } from '../data-sources/files'
import type { PartialBucket } from './partial-bucket'
import type { Field } from './field'
import type { CurrencyMode } from './currency-modes'
import type { DatePart, Grain } from './date-range'

/** A value of an answer. Exact decimals past 2^53 travel as decimal text. Dates are ISO text. */
export type Cell = string | number | boolean | null

export interface ResultColumn {
  /** `d0`…, `m0`…, `m0.previous`, `m0.change`, `m0.changePercent`, or `c0`… for rows. */
  key: string
  label: string
  kind: 'dimension' | 'measure' | 'previous' | 'change' | 'changePercent' | 'column'
  type: ColumnType
  format: ColumnFormat
  /** Decimals worth showing for exact numbers. */
  scale?: number
  /** What the column is used as. Absent for measures. */
  role?: ColumnRole
  grain?: Grain
  /** Of a split by time: buckets that the data begin or end in the middle of. Absent where there are none. */
  partial?: PartialBucket[]
  /** Values are the numbers of this part: hours 0–23, weekdays 1 (Monday) to 7, days, months and weeks from 1. */
  part?: DatePart
  /** Values are the lower edges of bins so wide; what is at the upper edge is in the next. */
  bins?: { width: number }
  /** Of weekdays: the one that begins the week, 1 (Monday) to 7. Absent: Monday. */
  firstWeekday?: number
  /** Values are keys: what their column is called, and what each key of the answer is called; no two are called alike. */
  names?: { key: string; of: Record<string, string> }
  /** For kind `column`: what it shows, as it may be asked for again; absent for amounts brought to another currency. */
  field?: Field
  /** For kind `previous`, `change`, `changePercent`: index of the measure. */
  measure?: number
  /**
   * Of a column seen through a grouping: the groups its values name, in their order; id null: what belongs to none. A
   * value that is not among them stands for itself.
   */
  groups?: { id: string | null; name: string; color: string | null }[]
}

/** By which rates amounts were brought to one currency: one line for each currency that was met. */
export interface ConversionLine {
  currency: string
  /** Sum of the rows' own amounts, as decimal text. */
  amount: string
  rows: number
  /** Units of the target for one of the currency: least and greatest used; equal when there was one. */
  rate: { least: number; greatest: number }
  /** Days of the rates used. */
  from: string
  to: string
  source: 'ecb' | 'riksbank' | 'manual' | 'same'
  /** Where a metric is converted in a way of its own. */
  mode?: CurrencyMode
}
export interface CurrencyConversion {
  code: string
  mode: CurrencyMode
  lines: ConversionLine[]
  /** Rows left out because there is no rate for them. */
  missing: { currency: string; rows: number; amount: string; from: string; to: string }[]
}

/** A period in days, both inclusive, with its words ("Jan–Mar 2026"). */
export interface ResolvedPeriod {
  from: string
  to: string
  label: string
  /** First day of the data, where they begin after it does. */
  dataFrom?: string
}

export interface QueryResult {
  kind: 'aggregate' | 'rows'
  columns: ResultColumn[]
  rows: Cell[][]
  /** Row index of the *Other* group of a top-N, if any. */
  otherRow: number | null
  /** Every row that belongs to an *Other* group, and in which dimension: several when two dimensions share a top-N. */
  otherCells?: { row: number; dimension: number }[]
  totals: Cell[] | null
  /** Rows of the full answer; `rows` may hold fewer. */
  rowCount: number
  truncated: boolean
  period:
    | (ResolvedPeriod & {
        compare: ResolvedPeriod | null
        /** Today lies in it, on the workspace's calendar: figures may still come. */
        incomplete: boolean
        /** Of one that is incomplete: first day of the unit that is running. */
        runningFrom?: string
        /** Of one that is past: last day of the data, where they end before it does. */
        dataTo?: string
      })
    | null
  /** The plan in plain English. */
  words: string
  datasets: { id: string; name: string; dataVersion: number; rowCount: number; loadedAt: string | null }[]
  /** The oldest `loadedAt` of the datasets used. */
  dataAsOf: string | null
  /** Identity of this answer: hash of the resolved plan and the scope. */
  hash: string
  cached: boolean
  /** Present when amounts were brought to one currency. */
  conversion?: CurrencyConversion
  /** Present when the plan asks for a currency and the workspace's subscription does not convert: amounts are as they are. */
  unconverted?: { code: string }
  /** Rules of access left rows or values out: based on data that the asker may see. */
  restricted?: true
}
