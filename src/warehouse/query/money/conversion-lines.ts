import { inDays, markPeriod, sourceRows } from '../aggregates/compile-aggregate'
import { cellOf, isExact, numberOf, type Amount } from '../aggregates/amount'
import { isoFromDay } from '../../../shared/dates'
import { pow10 } from '../expressions/decimal'
import { any, int, join, name, sql, type ExecuteSql, type Sql } from '../sources/sql'
import { columnNumber } from '../expressions/expr'
import { filtersSql } from '../sources/filters'
import { numbersOf, sum, type AggregationSql } from '../aggregates/aggregation'
import { currencySql, rateDaySql } from './conversion-sql'
import type { MoneyUse } from './money-columns'
import type { DayRange, AbsolutePeriod } from '../time/resolve-period'
import { columnOf, sourceOf, type QuerySource, type CompileContext } from '../sources/source'
import type { StoredRateSet } from '../../rate-store'
import { RATE_SOURCES, type MixedCurrencyLine } from '../../../shared/currencies'
import type { QueryPlan } from '../../../shared/query/plan'
import type { CurrencyConversion, ConversionLine } from '../../../shared/query/result'

/** What is asked of the rows, and the world in which amounts are as they lie. */
export interface MoneyQuery {
  world: CompileContext
  plan: QueryPlan
  period: AbsolutePeriod | null
  execute: ExecuteSql
}
interface AmountRows {
  /** A line per row with an amount: its currency `c`, the amount `v0`, the day `d` of its rate. */
  rows: Sql
  total: AggregationSql
}

function innerOf(use: MoneyUse, { world, plan, period }: MoneyQuery, ranges: readonly DayRange[]): AmountRows {
  const source = sourceOf(world, use.fact)
  if (plan.period) markPeriod(source, plan.period.field)
  const column = columnOf(source, use.field)
  const number = columnNumber(source, column)
  const columns = [
    sql`${currencySql(column, use.money)} AS c`,
    sql`${number.sql} AS v0`,
    sql`${rateDaySql(source, plan)} AS d`,
  ]
  const dated = plan.period && period?.range ? columnOf(source, plan.period.field) : null
  const days = dated ? [any(ranges.map((range) => inDays(dated, range)))] : []
  const conditions = join(
    [...days, ...passing(source, use)].map((each) => sql` AND ${each}`),
    ' ',
  )
  // Rows are read of columns that were named: they come last.
  const rows = sql`(SELECT ${join(columns, ', ')} FROM ${sourceRows(source, plan)}${conditions})`
  const base = { column: (piece: Sql): Sql => piece, window: (): Sql => name('w0'), time: null }
  const total = sum({ source, base, when: [], format: { style: 'plain' } }, numbersOf(number, name('v0')))
  return { rows, total }
}

/** Rows that any measure counts. */
function passing(querySource: QuerySource, { filters }: MoneyUse): Sql[] {
  if (filters.some((each) => each.length === 0)) return []
  return [any(filters.map((each) => filtersSql(querySource, each, 'measures')))]
}

const rangesOf = ({ period }: MoneyQuery): DayRange[] =>
  period?.range ? [period.range, ...(period.compare ? [period.compare] : [])] : []
const textOf = (amount: Amount): string => String(cellOf(amount) ?? 0)
const outputs = (total: AggregationSql): Sql[] => total.read(total.pieces([])).outputs

type OwnLine = Omit<MixedCurrencyLine, 'measure'>

/**
 * The currencies of a use's rows, each with what its own amounts come to. Those of the comparison are found, too; what
 * is told of each is of the period alone.
 */
export function currencyLines(use: MoneyUse, ask: MoneyQuery): OwnLine[] {
  const [own, ...others] = rangesOf(ask)
  const found = linesIn(use, ask, own ? [own, ...others] : [])
  if (!own || others.length === 0 || found.length < 2) return found
  const asked = linesIn(use, ask, [own])
  return found.map(
    ({ currency }) => asked.find((line) => line.currency === currency) ?? { currency, amount: '0', rows: 0 },
  )
}

function linesIn(use: MoneyUse, ask: MoneyQuery, ranges: readonly DayRange[]): OwnLine[] {
  const { rows, total } = innerOf(use, ask, ranges)
  const selected = join([sql`c`, sql`count(*)`, ...outputs(total)], ', ')
  const found = ask.execute(sql`SELECT ${selected} FROM ${rows} WHERE v0 IS NOT NULL GROUP BY c ORDER BY c`)
  return found.map(([currency, count, ...cells]) => ({
    currency: typeof currency === 'string' && currency !== '' ? currency : null,
    amount: textOf(total.decode(cells)),
    rows: Number(count),
  }))
}

interface FoundLine extends Omit<ConversionLine, 'amount' | 'source'> {
  amount: Amount
  source: ConversionLine['source'] | null
}

interface ConversionTarget {
  code: string
  mode: CurrencyConversion['mode']
  rates(mode: CurrencyConversion['mode']): StoredRateSet
}

/** What was converted by which rates. Rows of the period itself; those left out are also of the comparison. */
export function conversionOf(uses: readonly MoneyUse[], ask: MoneyQuery, target: ConversionTarget): CurrencyConversion {
  const [own] = rangesOf(ask)
  const found = uses.flatMap((use) => linesBy(use, ask, { ...target, ranges: own ? [own] : [] }))
  const all =
    own && ask.period?.compare ? uses.flatMap((use) => linesBy(use, ask, { ...target, ranges: rangesOf(ask) })) : found
  const lines = mergeByKey(found.filter(({ source }) => source !== null))
  return {
    code: target.code,
    mode: target.mode,
    lines: lines.map(({ source, amount, ...line }) => ({ ...line, amount: textOf(amount), source: source ?? 'same' })),
    missing: mergeByKey(all.filter(({ source }) => source === null)).map(({ currency, rows, amount, from, to }) => ({
      ...{ currency, rows, from, to },
      amount: textOf(amount),
    })),
  }
}

function linesBy(
  use: MoneyUse,
  ask: MoneyQuery,
  { code, ranges, ...by }: ConversionTarget & { ranges: readonly DayRange[] },
): FoundLine[] {
  const mode = use.mode ?? by.mode
  const rates = by.rates(mode)
  const { rows, total } = innerOf(use, ask, ranges)
  // Added up by day first: a rate is then looked up for each day, not for each row.
  const parts = total.pieces([]).map((piece, i) => ({ piece, as: name(`a${i}`) }))
  const daily = sql`SELECT ${join([sql`c, d, count(*) AS v1`, ...parts.map(({ piece, as }) => sql`${piece} AS ${as}`)], ', ')} FROM ${rows} WHERE v0 IS NOT NULL GROUP BY c, d`
  const sums = total.read(parts.map(({ as }) => sql`sum(${as})`)).outputs
  const days = [sql`min(coalesce(rate_from, d))`, sql`max(coalesce(rate_to, d))`]
  const selected = join([sql`c, source, sum(v1), min(n), max(n)`, ...days, ...sums], ', ')
  const joined = sql`(${daily}) LEFT JOIN fx_rates ON fx = ${int(rates.n)} AND currency = c AND day = d`
  const found = ask.execute(sql`SELECT ${selected} FROM ${joined} GROUP BY c, source ORDER BY c, source`)
  const one = Number(pow10(rates.scale))
  return found.map(([c, source, count, least, greatest, from, to, ...cells]): FoundLine => {
    const currency = typeof c === 'string' ? c : ''
    const isSame = currency === code
    const rate = isSame ? { least: 1, greatest: 1 } : { least: Number(least) / one, greatest: Number(greatest) / one }
    const dayText = (day: SqlStorageValue | undefined): string => (typeof day === 'number' ? isoFromDay(day) : '')
    const known = RATE_SOURCES.find((each) => each === source) ?? null
    return {
      ...{ currency, rate, rows: Number(count), from: dayText(from), to: dayText(to) },
      amount: total.decode(cells),
      source: isSame ? 'same' : known,
      ...(mode === by.mode || isSame ? {} : { mode }),
    }
  })
}

/** Lines of the same currency, source and way of several columns, as one. */
function mergeByKey(lines: readonly FoundLine[]): FoundLine[] {
  const kept = new Map<string, FoundLine>()
  for (const line of lines) {
    const key = `${line.currency} ${line.source ?? ''} ${line.mode ?? ''}`
    const known = kept.get(key)
    kept.set(key, known ? mergeLines(known, line) : line)
  }
  return [...kept.values()]
}
const mergeLines = (a: FoundLine, b: FoundLine): FoundLine => ({
  ...a,
  rows: a.rows + b.rows,
  amount: addAmounts(a.amount, b.amount),
  rate: { least: Math.min(a.rate.least, b.rate.least), greatest: Math.max(a.rate.greatest, b.rate.greatest) },
  from: a.from !== '' && (b.from === '' || a.from < b.from) ? a.from : b.from,
  to: a.to > b.to ? a.to : b.to,
})
function addAmounts(a: Amount, b: Amount): Amount {
  if (!isExact(a) || !isExact(b)) return (numberOf(a) ?? 0) + (numberOf(b) ?? 0)
  const scale = Math.max(a.scale, b.scale)
  return { n: a.n * pow10(scale - a.scale) + b.n * pow10(scale - b.scale), scale }
}
