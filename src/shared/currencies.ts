import { z } from 'zod'
import { NAME_MAX_CHARS } from './limits'
import { CURRENCY_MODES, type CurrencyMode } from './query/currency-modes'
import { versionSchema } from './field-schemas'
import { isExistsFilter } from './query/plan'
import type { Condition, Filter, QueryPlan } from './query/plan'
import type { Field } from './query/field'
import type { Column } from './data-sources/data-sources'
import { calculatedFieldsOf, leafMeasuresOf } from './query/plan-fields'
import type { ColumnKey } from './data-sources/files'

/** Money of several currencies: columns that hold it, and the rates that bring it to one. */

const currencyCodeSchema = z.string().regex(/^[A-Z]{3}$/, { message: 'Choose a currency.' })
const NO_DECIMALS = ['BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI', 'VND', 'VUV']
export const ZERO_DECIMAL: readonly string[] = [...NO_DECIMALS, 'XAF', 'XOF', 'XPF']
export const THREE_DECIMAL: readonly string[] = ['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']
/** Digits behind the mark of a currency (ISO 4217): how many of its smallest unit make one is ten to this. */
export const currencyDecimals = (code: string): number =>
  ZERO_DECIMAL.includes(code) ? 0 : THREE_DECIMAL.includes(code) ? 3 : 2

/** Which currency a column's amounts are in: one for all, or as another column of the same row says. */
export type AmountCurrency = { code: string } | { column: ColumnKey }
type MoneyColumn = Pick<Column, 'type' | 'format' | 'currencyColumn'>
const NUMERIC: readonly Column['type'][] = ['integer', 'number']

/** Null when a column holds no money, or the column that would say which is gone. */
export function amountCurrencyOf(column: MoneyColumn, columns: readonly Pick<Column, 'key'>[]): AmountCurrency | null {
  if (!NUMERIC.includes(column.type)) return null
  const { currencyColumn, format } = column
  if (currencyColumn !== undefined && columns.some(({ key }) => key === currencyColumn))
    return { column: currencyColumn }
  return format.style === 'currency' ? { code: format.currency } : null
}

const NO_AMOUNT =
  /(?<!\p{L})(kurs|växelkurs|valutakurs|rate|fx|exchange|antal|st|styck|count|qty|quantity|kvantitet|mängd|units|pcs|pieces|vikt|weight|kg|number|share|andel|percent|procent)(?!\p{L})|[%/]/iu
/** What is counted rather than paid, as the last word of a heading of letters alone: `Days`, `Antal gäster`; not `1–30 days`, which owes. */
const COUNTED =
  /^[\p{L} ]*(?<!\p{L})(days|nights|hours|minutes|weeks|months|years|people|persons|guests|passengers|seats|rooms|boxes|km|age|dagar|nätter|timmar|minuter|veckor|månader|personer|gäster|passagerare|platser|rum|ålder)$/iu
/** Whether a heading names figures that are no amounts of money, whatever currency stands beside them. */
export const isNonAmountName = (label: string): boolean => NO_AMOUNT.test(label) || COUNTED.test(label.trim())

/** The currency column that may say what an amount is in; null where none does, or one is named already. */
export function suggestCurrencyColumn(
  column: Pick<Column, 'key' | 'label' | 'type' | 'role' | 'format' | 'currencyColumn'>,
  columns: readonly Pick<Column, 'key' | 'role' | 'type' | 'hidden'>[],
): ColumnKey | null {
  if (column.role !== 'measure' || !NUMERIC.includes(column.type) || column.currencyColumn !== undefined) return null
  if (column.format.style !== 'plain' || isNonAmountName(column.label)) return null
  const beside = columns.filter((each) => each.role === 'currency' && each.type === 'text' && !each.hidden)
  const at = (key: string): number => columns.findIndex((each) => each.key === key)
  const near = beside.toSorted((a, b) => Math.abs(at(a.key) - at(column.key)) - Math.abs(at(b.key) - at(column.key)))
  return near[0]?.key ?? null
}

export const RATE_SOURCES = ['ecb', 'riksbank', 'manual'] as const
export type RateSource = (typeof RATE_SOURCES)[number]
/** Who must be named beside published rates. */
export const ATTRIBUTION = 'Source: European Central Bank'
/** Days that a rate stands in for those that follow without one. */
export const RATE_GAP_DAYS = 7
/** Decimals of a rate in use; cross rates are rounded to them, half to even. */
export const RATE_DECIMALS = 10

export const CURRENCY_MODE_LABELS: Record<CurrencyMode, string> = {
  transaction: 'Daily rate',
  average: 'Monthly average rate',
  closing: 'Month-end rate',
  budget: 'Budget rate',
}
/** What is chosen where a person does not: by what the figures are. */
export const CURRENCY_MODE_SETTINGS = ['automatic', ...CURRENCY_MODES] as const
export type CurrencyModeSetting = (typeof CURRENCY_MODE_SETTINGS)[number]

/** Up to ten decimals, above zero. */
const RATE_TEXT = /^\d{1,9}(?:\.\d{1,10})?$/
const rateTextSchema = z
  .string()
  .transform((text) => text.trim().replace(',', '.'))
  .refine((text) => RATE_TEXT.test(text) && Number(text) > 0, {
    message: 'Enter a rate above 0, e.g. 11.25, at most 10 decimals.',
  })

const OWN_RATE_KINDS = ['override', 'budget'] as const
export type OwnRateKind = (typeof OWN_RATE_KINDS)[number]
export const OWN_RATES_MAX = 1000
const YEARS_MAX = 10

const ownRateFields = {
  kind: z.enum(OWN_RATE_KINDS),
  base: currencyCodeSchema,
  quote: currencyCodeSchema,
  /** First and last day that it holds for, both inclusive. */
  from: z.iso.date({ message: 'Choose a date.' }),
  to: z.iso.date({ message: 'Choose a date.' }),
  /** Units of `quote` for one of `base`. */
  rate: rateTextSchema,
  reason: z
    .string()
    .trim()
    .min(1, { message: 'Enter a reason.' })
    .max(NAME_MAX_CHARS * 3),
}
interface DatedPair {
  base: string
  quote: string
  from: string
  to: string
}
const withRateChecks = <T extends z.ZodType<DatedPair>>(schema: T) =>
  schema
    .refine(({ base, quote }) => base !== quote, { path: ['quote'], message: 'Choose another currency.' })
    .refine(({ from, to }) => from <= to, { path: ['to'], message: 'Choose an end date after the start date.' })
    .refine(({ from, to }) => Number(to.slice(0, 4)) - Number(from.slice(0, 4)) <= YEARS_MAX, {
      path: ['to'],
      message: `Choose at most ${YEARS_MAX} years.`,
    })
export const createOwnRateSchema = withRateChecks(z.strictObject(ownRateFields))
export type CreateOwnRateInput = z.input<typeof createOwnRateSchema>
export const updateOwnRateSchema = withRateChecks(z.strictObject({ ...ownRateFields, version: versionSchema }))
export const removeOwnRateSchema = z.strictObject({ version: z.coerce.number().int().min(1) })

/** A rate that the workspace set itself: in place of published ones, or for budgets. */
export interface OwnRate {
  id: string
  kind: OwnRateKind
  base: string
  quote: string
  from: string
  to: string
  rate: string
  reason: string
  byName: string | null
  updatedAt: string
  version: number
}

/** `PUT /api/currencies/settings`. */
export const currencySettingsSchema = z.strictObject({
  /** What converted figures are shown in unless the insight says otherwise. */
  code: currencyCodeSchema,
  mode: z.enum(CURRENCY_MODE_SETTINGS),
  version: z.int().min(0),
})
export type CurrencySettings = z.infer<typeof currencySettingsSchema>

/** `GET /api/currencies`: what the screen of rates begins with. */
export interface RatesOverview {
  settings: CurrencySettings
  /** Currencies with a published rate on the newest day. */
  currencies: string[]
  /** First and newest day with published rates; null while there are none. */
  first: string | null
  last: string | null
  source: RateSource
  /** When rates were last fetched; null: never, those of the installation count. */
  fetchedAt: string | null
  /** Since when fetching fails. */
  failingSince: string | null
  fetching: boolean
  /** Stretches of more than seven days without rates within the last two years, today included. */
  gaps: { from: string; to: string; days: number }[]
  own: OwnRate[]
}

/** `GET /api/currencies/days`: one line per day, newest first. */
export const listRateDaysSchema = z.strictObject({
  quote: currencyCodeSchema,
  base: currencyCodeSchema,
  from: z.iso.date().optional(),
  to: z.iso.date().optional(),
  before: z.iso.date().optional(),
})
interface RateDay {
  day: string
  /** Units of `quote` for one of `base`, as decimal text. */
  rate: string
  source: RateSource
  /** Why it is not the published one. */
  reason: string | null
}
export interface RateDays {
  days: RateDay[]
  /** Ask again with `before` for what follows; null at the end. */
  next: string | null
}

/** Rates as one answer needs them: lines of equal rates, each for some days of one currency. */
export interface RateSet {
  key: string
  lines: RateSetLine[]
}
export interface RateSetLine {
  currency: string
  /** Days since 1970-01-01 of the rows that it is for. */
  from: number
  to: number
  /** Rate × 10^{@link RATE_DECIMALS}, as integer text. */
  n: string
  /** Days of the published rates it was made of. */
  rateFrom: number
  rateTo: number
  source: RateSource
}
/** What an answer lacks, in the details of `no_rate` between the warehouse and who asks it. */
export const missingRatesSchema = z.strictObject({
  key: z.string(),
  code: currencyCodeSchema,
  mode: z.enum(CURRENCY_MODES),
  currencies: z.array(z.string()),
  from: z.int(),
  to: z.int(),
})
export type MissingRates = z.infer<typeof missingRatesSchema>

/** One currency's part of amounts that are not added because they are in several; details of `mixed_currency`. */
const mixedCurrencyLineSchema = z.object({
  /** Index of the measure. */
  measure: z.int(),
  /** Null: rows that name none. */
  currency: z.string().nullable(),
  /** Decimal text. */
  amount: z.string(),
  rows: z.int(),
})
export type MixedCurrencyLine = z.infer<typeof mixedCurrencyLineSchema>
/** What amounts of one currency come to, as they lie. */
export type CurrencyTotal = Omit<MixedCurrencyLine, 'measure'>
export const mixedCurrencyDetailsSchema = z.object({
  currencies: z.array(z.string()),
  lines: z.array(mixedCurrencyLineSchema).optional(),
})

type LabelledDataset = { id: string; columns: readonly Pick<Column, 'key' | 'label'>[] }

/** Fields that a plan calculates with; those that are only counted are none. */
export const fieldsCalculatedWith = (plan: Pick<QueryPlan, 'measures'>): Field[] =>
  plan.measures.flatMap(leafMeasuresOf).flatMap(calculatedFieldsOf)

/** Columns by which tables of a ledger are known: what accounts stand at, and what was posted to them. */
const BALANCE_COLUMNS = ['account', 'kind', 'amount', 'fiscal_year']
const POSTING_COLUMNS = [
  ['account', 'amount', 'voucher_key'],
  ['account', 'amount', 'period', 'fiscal_year'],
]

/**
 * How amounts are brought to another currency unless a person says otherwise. Of a ledger, what accounts stand at by the
 * last rate of the month, and so postings to accounts of the balance sheet (BAS classes 1 and 2) when only those are asked
 * for; other postings by the month's average. Everything else by the rate of each row's day.
 */
export function defaultCurrencyMode(
  plan: QueryPlan,
  datasets: readonly LabelledDataset[],
  preferred: CurrencyModeSetting,
): CurrencyMode {
  if (preferred !== 'automatic') return preferred
  const [first] = fieldsCalculatedWith(plan)
  const dataset = datasets.find(({ id }) => id === first?.dataset)
  const labels = (dataset?.columns ?? []).map(({ label }) => label.toLowerCase().replaceAll(' ', '_'))
  const has = (words: readonly string[]): boolean => words.every((word) => labels.includes(word))
  if (has(BALANCE_COLUMNS)) return 'closing'
  if (!dataset || !POSTING_COLUMNS.some(has)) return 'transaction'
  return asksForBalance(plan, dataset) ? 'closing' : 'average'
}

function asksForBalance(plan: QueryPlan, { id, columns }: LabelledDataset): boolean {
  const account = columns.find(({ label }) => label.toLowerCase() === 'account')
  const isOf = (filter: Filter): boolean =>
    !isExistsFilter(filter) &&
    filter.field.dataset === id &&
    filter.field.column === account?.key &&
    filter.any.every(isBalanceSheetCondition)
  const inAll = plan.measures.flatMap(leafMeasuresOf).every(({ filter }) => filter?.some(isOf) ?? false)
  return plan.filters.some(isOf) || inAll
}

const BALANCE_SHEET_ACCOUNT = /^[12]\d*$/
function isBalanceSheetCondition(condition: Condition): boolean {
  switch (condition.op) {
    case 'eq':
    case 'startsWith':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.value))
    case 'in':
      return condition.values.every((value) => BALANCE_SHEET_ACCOUNT.test(String(value)))
    case 'between':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.from)) && BALANCE_SHEET_ACCOUNT.test(String(condition.to))
    case 'lt':
      return String(condition.value) <= '3' || String(condition.value) === '3000'
    case 'le':
      return BALANCE_SHEET_ACCOUNT.test(String(condition.value))
    case 'ne':
    case 'gt':
    case 'ge':
    case 'notIn':
    case 'contains':
    case 'notContains':
    case 'notStartsWith':
    case 'column':
    case 'empty':
    case 'notEmpty':
      return false
  }
}
