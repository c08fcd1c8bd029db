import { z } from 'zod'
import { columnKeySchema } from '../data-sources/files'
import type { QueryPlan } from '../query/plan'
import type { LedgerDimension } from './ledger-tables'

/** The statements of a ledger. */
export const STATEMENTS = ['income', 'balance', 'trial', 'cashFlow', 'ratios'] as const
export type StatementKind = (typeof STATEMENTS)[number]
export const STATEMENT_LANGUAGES = ['en', 'sv'] as const
export type StatementLanguage = (typeof STATEMENT_LANGUAGES)[number]
/** A name in both languages of statements. */
export type StatementName = Record<StatementLanguage, string>
export const STATEMENT_NAMES: Record<StatementKind, StatementName> = {
  income: { en: 'Profit and loss', sv: 'Resultaträkning' },
  balance: { en: 'Balance sheet', sv: 'Balansräkning' },
  trial: { en: 'Trial balance', sv: 'Saldobalans' },
  cashFlow: { en: 'Cash flow', sv: 'Kassaflödesanalys' },
  ratios: { en: 'Key ratios', sv: 'Nyckeltal' },
}

/**
 * What columns are: months or quarters of a fiscal year, fiscal years beside each other, a fiscal year as far as
 * `through`, the twelve months up to `through`.
 */
export const STATEMENT_VIEWS = ['months', 'quarters', 'years', 'ytd', 'rolling'] as const
export type StatementView = (typeof STATEMENT_VIEWS)[number]

/** Of `object`: entries that belong to none. */
export const NO_OBJECT = '-'

const flag = z.enum(['0', '1']).default('0')
const name = z.string().min(1).max(200)
/** Query of `GET /api/statements/{source}`; what is absent is chosen: the newest year with figures, as far as it goes. */
export const statementQuerySchema = z.strictObject({
  statement: z.enum(STATEMENTS).default('income'),
  view: z.enum(STATEMENT_VIEWS).default('months'),
  /** Name of a fiscal year. */
  year: name.optional(),
  /** Last month of year to date and of rolling twelve. */
  through: z
    .string()
    .regex(/^\d{4}-(0[1-9]|1[0-2])$/)
    .optional(),
  /** Of a source that holds several companies: its organisation number. */
  company: name.optional(),
  lastYear: flag,
  budget: flag,
  variance: flag,
  /** Of profit and loss: the column of a dimension. With `object`, only its entries; else a column for each object. */
  dimension: columnKeySchema.optional(),
  object: name.optional(),
})
export type StatementQuery = z.output<typeof statementQuerySchema>
export type StatementQueryInput = z.input<typeof statementQuerySchema>
/** The same as a workbook. */
export const statementFileSchema = statementQuerySchema.extend({ language: z.enum(STATEMENT_LANGUAGES).default('en') })
export type StatementFileQuery = z.output<typeof statementFileSchema>

/** Months as text (`2026-03`), both inclusive. */
export interface MonthSpan {
  from: string
  to: string
}
export type StatementColumnKind =
  | 'actual'
  | 'lastYear'
  | 'lastYearChange'
  | 'lastYearPercent'
  | 'budget'
  | 'budgetVariance'
  | 'budgetPercent'
  | 'opening'
  | 'debit'
  | 'credit'
  | 'change'
  | 'closing'
export interface StatementColumn {
  key: string
  kind: StatementColumnKind
  /** What the column is of; columns of the same group stand under one heading. */
  group: string
  span: MonthSpan
  /** It adds up the columns before it. */
  total: boolean
  /** The object that its entries belong to; '' for entries without one. */
  object?: string
}

/** Exact decimal text; null: not known. A ratio's parts are texts, too. */
export type StatementValue = string | null
export type LineStyle = 'heading' | 'line' | 'subtotal' | 'total' | 'memo'
export type LineFormat = 'money' | 'percent' | 'days'

export interface StatementAccount {
  account: string
  name: string | null
  values: StatementValue[]
}
export interface StatementRow {
  key: string
  label: StatementName
  /** 0 = outermost. */
  level: 0 | 1 | 2
  style: LineStyle
  format: LineFormat
  values: StatementValue[]
  /** What it adds up, largest numbers of accounts last; absent where it adds up other lines. */
  accounts?: StatementAccount[]
  /** How it is worked out: accounts and the figure of them, or lines before it. */
  how: StatementFormula
}
export type StatementFormula =
  | { kind: 'heading' }
  | { kind: 'accounts'; ranges: string; of: 'change' | 'closing' | 'opening'; flipped: boolean }
  | { kind: 'lines'; terms: { key: string; sign: 1 | -1; label: StatementName }[] }
  | { kind: 'words'; text: StatementName }

/** What a reader should know before trusting a statement. */
export type StatementNotice =
  | { kind: 'noOpening'; from: string }
  | { kind: 'yearOnly'; years: string[] }
  | { kind: 'unclassified'; accounts: string[] }
  | { kind: 'unbalanced'; amount: string }
  | { kind: 'carriedResult'; amount: string }
  | { kind: 'mismatch'; year: string; accounts: string[] }
  /** Accounts whose months do not come to the year's balance: the rest is counted in `month`, the last with figures. */
  | { kind: 'completed'; year: string; month: string; accounts: string[] }
  /** Entries without a day: in the last month with figures, or, where days alone tell fiscal years, in none. */
  | { kind: 'undated' | 'uncounted'; count: number }
  | { kind: 'running'; through: string }
  /** Months of a column that no books are loaded of. */
  | { kind: 'unknown'; from: string; to: string }
  | { kind: 'objects'; shown: number; of: number }

/** A fiscal year of the books, and how finely its figures are known: by entry, by month, or as a whole. */
export interface StatementYear {
  name: string
  start: string
  end: string
  detail: 'entries' | 'months' | 'year'
}

/** What entries are looked up by, for records behind a figure. */
export interface EntryFields {
  dataset: string
  account: string
  accountIsText: boolean
  date: string
  amount: { amount: string } | { debit: string; credit: string }
  voucher: string[]
  voucherName: string[]
  text: string | null
  company: string | null
  year: string | null
}

/** `GET /api/statements/{source}`. */
export interface Statement {
  source: { id: string; name: string }
  kind: StatementKind
  view: StatementView
  company: { id: string | null; name: string | null; currency: string | null }
  companies: { id: string | null; name: string | null }[]
  year: StatementYear
  years: StatementYear[]
  /** Newest month of the chosen year with figures. */
  through: string
  /** First and last month that `through` may be. */
  months: MonthSpan
  columns: StatementColumn[]
  rows: StatementRow[]
  /** Decimals of amounts. */
  decimals: number
  notices: StatementNotice[]
  has: { budget: boolean; lastYear: boolean }
  dimensions: LedgerDimension[]
  /** Values of the chosen dimension. */
  objects: { key: string; name: string | null }[]
  /** Null where no entries are loaded. */
  entries: EntryFields | null
  /** Asks what accounts are called: one row an account, its name as the name of the key. */
  accountNames: QueryPlan | null
  dataAsOf: string | null
  /** When it was worked out. */
  madeAt: string
}
