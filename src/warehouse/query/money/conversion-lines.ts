import type { MoneyUse } from './money-columns'
import { cellOf, isExact, numberOf, type Amount } from '../aggregates/amount'
import { pow10 } from '../expressions/decimal'
import type { DayRange, AbsolutePeriod } from '../time/resolve-period'
import { compareTexts } from '../aggregates/group-order'
import type { ColumnSources } from '../../columns/column-table'
import { amountGroups } from '../../columns/money/amount-groups'
import type { AmountGroup } from '../../columns/money/amount-tally'
import type { CurrencyTotals } from '../../columns/money/currency-totals'
import type { PlanContext } from '../query-context'
import type { RateOfDay, RatesByDay, StoredRateSet } from '../../rate-store'
import type { QuerySteps } from '../../scheduling/query-scheduler'
import { compensatedSum } from '../../../lib/compensated-sum'
import { canonicalJson } from '../../../lib/hash'
import type { CurrencyTotal } from '../../../shared/currencies'
import { isoFromDay } from '../../../shared/dates'
import type { QueryPlan } from '../../../shared/query/plan'
import type { CurrencyConversion, ConversionLine } from '../../../shared/query/result'

/** What is asked of the rows, and the planContext in which amounts are as they lie. */
export interface MoneyQuery {
  planContext: PlanContext
  columns: ColumnSources
  plan: QueryPlan
  period: AbsolutePeriod | null
  /** Equal where the same rows count, and what is told of their amounts is the same. */
  identity: string
}

const rangesOf = ({ period }: MoneyQuery): DayRange[] =>
  period?.range ? [period.range, ...(period.compare ? [period.compare] : [])] : []
const textOf = (amount: Amount): string => String(cellOf(amount) ?? 0)

/** The currencies of a use's rows, each with what its own amounts come to, kept between questions. */
export function* currencyLines(use: MoneyUse, ask: MoneyQuery): QuerySteps<CurrencyTotal[]> {
  const id = `${ask.identity} ${canonicalJson(rowsOfUse(use))}`
  const { currencies } = ask.columns
  const known = currencies?.find(id) ?? (yield* countedLines(use, ask))
  currencies?.read(id, () => known)
  return known
}
/** Which rows and amounts a use is of, whatever measures it. */
const rowsOfUse = ({ fact, field, money, mode, filters }: MoneyUse): Omit<MoneyUse, 'measures'> => ({
  ...{ fact, field, money, mode, filters },
})

/** Those of the comparison are found, too; what is told of each is of the period alone. */
function* countedLines(use: MoneyUse, ask: MoneyQuery): QuerySteps<CurrencyTotal[]> {
  const [own, ...others] = rangesOf(ask)
  const found = yield* linesIn(use, ask, own ? [own, ...others] : [])
  if (!own || others.length === 0 || found.length < 2) return found
  const asked = yield* linesIn(use, ask, [own])
  return found.map(
    ({ currency }) => asked.find((line) => line.currency === currency) ?? { currency, amount: '0', rows: 0 },
  )
}

function* linesIn(use: MoneyUse, ask: MoneyQuery, ranges: readonly DayRange[]): QuerySteps<CurrencyTotal[]> {
  const found = yield* amountGroups(ask.planContext, { use, plan: ask.plan, ranges, byDay: false }, ask.columns)
  return found.toSorted(byCurrency).map(({ currency, rows, amount }) => ({
    currency: currency === '' ? null : currency,
    amount: textOf(amount),
    rows,
  }))
}
const byCurrency = (a: Pick<AmountGroup, 'currency'>, b: Pick<AmountGroup, 'currency'>): number =>
  Number(a.currency !== null) - Number(b.currency !== null) || compareTexts(a.currency ?? '', b.currency ?? '')

interface FoundLine extends Omit<ConversionLine, 'amount' | 'source' | 'from' | 'to'> {
  amount: Amount
  source: ConversionLine['source'] | null
  /** Days; null where no row has one. */
  from: number | null
  to: number | null
}

export interface ConversionTarget {
  code: string
  mode: CurrencyConversion['mode']
  rates(mode: CurrencyConversion['mode']): StoredRateSet
  /** Amounts that were added up while the figures were worked out; null: none were. */
  beside: CurrencyTotals | null
}

/** What a conversion is kept under between questions. @param sets the rates of each way in which amounts are converted */
export const conversionName = (
  uses: readonly MoneyUse[],
  { identity }: Pick<MoneyQuery, 'identity'>,
  sets: ReadonlyMap<CurrencyConversion['mode'], StoredRateSet>,
): string => {
  const rates = [...sets].map(([mode, { n }]) => ({ mode, n }))
  return `${identity} ${canonicalJson({ uses: uses.map(rowsOfUse), rates })}`
}

/** What was converted by which rates. Rows of the period itself; those left out are also of the comparison. */
export function* conversionOf(
  uses: readonly MoneyUse[],
  ask: MoneyQuery,
  target: ConversionTarget,
): QuerySteps<CurrencyConversion> {
  const found = yield* linesOf(uses, ask, { ...target, which: 'own' })
  const all = ask.period?.compare ? yield* linesOf(uses, ask, { ...target, which: 'all' }) : found
  const lines = mergeByKey(found.filter(({ source }) => source !== null))
  return {
    code: target.code,
    mode: target.mode,
    lines: lines.map(({ source, ...line }) => ({ ...line, ...toldOf(line), source: source ?? 'same' })),
    missing: mergeByKey(all.filter(({ source }) => source === null)).map(({ currency, rows, ...line }) => ({
      ...{ currency, rows },
      ...toldOf(line),
    })),
  }
}
const dayText = (day: number | null): string => (day === null ? '' : isoFromDay(day))
const toldOf = ({ amount, from, to }: Pick<FoundLine, 'amount' | 'from' | 'to'>) => ({
  amount: textOf(amount),
  from: dayText(from),
  to: dayText(to),
})

/** A line for each currency and day of each use, those of one currency and source next to each other. */
function* linesOf(
  uses: readonly MoneyUse[],
  ask: MoneyQuery,
  { code, which, beside, ...by }: ConversionTarget & { which: 'own' | 'all' },
): QuerySteps<FoundLine[]> {
  const lines: FoundLine[] = []
  const ranges = rangesOf(ask).slice(0, which === 'own' ? 1 : 2)
  for (const use of uses) {
    const mode = use.mode ?? by.mode
    const alone = { use, plan: ask.plan, ranges, byDay: true }
    const added = beside?.groups(use, which) ?? (yield* amountGroups(ask.planContext, alone, ask.columns))
    const set = by.rates(mode)
    const rateOf = rateFinder(ask.columns.rates(set.n), set)
    const found = added.map((group) => lineOf(group, code, rateOf))
    const sorted = found.toSorted(
      (a, b) => compareTexts(a.currency, b.currency) || compareTexts(a.source ?? '', b.source ?? ''),
    )
    lines.push(...sorted.map((line) => ({ ...line, ...(mode === by.mode || line.source === 'same' ? {} : { mode }) })))
  }
  return lines
}

type FindRate = (group: AmountGroup) => { rate: RateOfDay; value: number } | null

function rateFinder(rates: RatesByDay, { scale }: StoredRateSet): FindRate {
  const one = Number(pow10(scale))
  return ({ currency, day }) => {
    const rate = currency === null || day === null ? undefined : rates.get(currency)?.get(day)
    return rate ? { rate, value: rate.n / one } : null
  }
}

function lineOf(group: AmountGroup, code: string, rateOf: FindRate): FoundLine {
  const { day, rows, amount } = group
  const currency = group.currency ?? ''
  const found = rateOf(group)
  const isSame = currency === code
  const value = isSame ? 1 : (found?.value ?? 0)
  return {
    ...{ currency, rows, amount },
    rate: { least: value, greatest: value },
    from: found?.rate.from ?? day,
    to: found?.rate.to ?? day,
    source: isSame ? 'same' : (found?.rate.source ?? null),
  }
}

/** Lines of the same currency, source and way, as one. */
function mergeByKey(lines: readonly FoundLine[]): FoundLine[] {
  const alike = Map.groupBy(lines, (line) => `${line.currency} ${line.source ?? ''} ${line.mode ?? ''}`)
  return [...alike.values()].flatMap(([first, ...others]) => (first ? [mergeLines(first, others)] : []))
}
function mergeLines(first: FoundLine, others: readonly FoundLine[]): FoundLine {
  const merged = { ...first, rate: { ...first.rate } }
  for (const { rows, rate, from, to } of others) {
    merged.rows += rows
    merged.rate.least = Math.min(merged.rate.least, rate.least)
    merged.rate.greatest = Math.max(merged.rate.greatest, rate.greatest)
    if (from !== null) merged.from = Math.min(merged.from ?? from, from)
    if (to !== null) merged.to = Math.max(merged.to ?? to, to)
  }
  return { ...merged, amount: totalOf([first, ...others].map(({ amount }) => amount)) }
}

function totalOf(amounts: readonly Amount[]): Amount {
  const exact = amounts.filter(isExact)
  if (exact.length < amounts.length) return compensatedSum(amounts.map((amount) => numberOf(amount) ?? 0))
  const scale = exact.reduce((most, each) => Math.max(most, each.scale), 0)
  return { n: exact.reduce((sum, each) => sum + each.n * pow10(scale - each.scale), 0n), scale }
}
