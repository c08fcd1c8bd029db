import { dayFromIso } from '../../../shared/dates'
import { bind, int, sql, type ExecuteSql, type Sql, type RowNumber } from '../sources/sql'
import type { DayRange } from '../time/resolve-period'
import { columnAt, refOf, sourceOf, columnOf, dayNumberOf } from '../sources/source'
import type {
  QuerySource,
  CompileContext,
  AppliedRates,
  MoneyConversion,
  JoinNode,
  SourceColumn,
} from '../sources/source'
import type { LiveDataset } from '../../physical-layout'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { StoredRateSet } from '../../rate-store'
import { currencyDecimals, amountCurrencyOf, THREE_DECIMAL, ZERO_DECIMAL } from '../../../shared/currencies'
import type { AmountCurrency } from '../../../shared/currencies'
import type { ColumnFormat, ColumnKey } from '../../../shared/data-sources/files'
import type { CurrencyMode, Field, QueryPlan } from '../../../shared/query/plan'

/** Columns that say of when a balance of an account is: its fiscal year, and whether it opens or closes it. */
interface BalanceColumns {
  year: ColumnKey
  kind: ColumnKey
}
const KNOWN_BY = ['account', 'amount']

/** Balances of accounts as books are read: their rows have no day of their own. Null for other datasets. */
function balanceKeys({ columns }: Pick<LiveDataset, 'columns'>): BalanceColumns | null {
  const find = (label: string): ColumnKey | undefined =>
    columns.find((column) => column.type === 'text' && column.label.toLowerCase().replaceAll(' ', '_') === label)?.key
  const [year, kind] = [find('fiscal_year'), find('kind')]
  const isKnown = KNOWN_BY.every((label) => columns.some((column) => column.label.toLowerCase() === label))
  return year !== undefined && kind !== undefined && isKnown ? { year, kind } : null
}

/** Whether rows without a time have the day that a balance of the books is of. */
export const hasBalanceDays = (dataset: Pick<LiveDataset, 'columns'>): boolean => balanceKeys(dataset) !== null

/**
 * The day that a balance is of: the last of its fiscal year, of an opening balance the last before it; today for a year
 * that has not ended, and for one that is not known. Years are named as books name them: `2024`, `2024-07/2025-06`.
 */
function balanceDaySql({ root, calendar }: Pick<QuerySource, 'root' | 'calendar'>): Sql | null {
  const keys = balanceKeys(root.dataset)
  if (!keys) return null
  const [year, kind] = [refOf(columnAt(root, keys.year)), refOf(columnAt(root, keys.kind))]
  const today = int(dayFromIso(calendar.today) ?? 0)
  const start = sql`CASE length(${year}) WHEN 4 THEN ${year} || ${bind('-01-01')} WHEN 15 THEN substr(${year}, 1, 7) || ${bind('-01')} END`
  const after = sql`CASE length(${year}) WHEN 4 THEN date(${year} || ${bind('-01-01')}, '+1 year') WHEN 15 THEN date(substr(${year}, 9) || ${bind('-01')}, '+1 month') END`
  const next = sql`unixepoch(CASE ${kind} WHEN 'IB' THEN ${start} ELSE ${after} END) / 86400`
  return sql`coalesce(min(${next} - 1, ${today}), ${today})`
}

/** The first and the last day that balances of a dataset are of; empty for other datasets. */
export function balanceDays(context: CompileContext, fact: string, executeSql: ExecuteSql): DayRange[] {
  const source = sourceOf(context, fact)
  const day = balanceDaySql(source)
  if (!day) return []
  const [row] = executeSql(sql`SELECT min(d), max(d) FROM (SELECT ${day} AS d FROM ${context.from(source)})`)
  const [from, to] = [row?.[0], row?.[1]]
  return typeof from === 'number' && typeof to === 'number' ? [{ from, to }] : []
}

/** Amounts in the smallest unit of a currency that each row names are read with as many decimals as any currency has. */
const MINOR_SCALE = 3

/** What an amount is in: a fixed currency, or a column of its row. Null: it is no money. */
const moneyOf = (column: SourceColumn): AmountCurrency | null => amountCurrencyOf(column, column.node.dataset.columns)

/**
 * A dataset whose amounts in smallest units are decimals: 1250 öre is 12.50 kronor. Where each row names its currency,
 * the stored numbers are brought to one scale when they are read ({@link minorSql}).
 */
export function withMinorUnits(dataset: LiveDataset): LiveDataset {
  if (!dataset.columns.some(({ minorUnits }) => minorUnits)) return dataset
  const bounds = { ...dataset.bounds }
  const columns = dataset.columns.map((column): Column => {
    const money = minorOf(dataset, column)
    if (!money) return column
    if ('code' in money) return { ...column, type: 'number', scale: (column.scale ?? 0) + currencyDecimals(money.code) }
    const known = bounds[column.key] ?? { min: null, max: null }
    const up = (value: number | null): number | null => (value === null ? null : value * 10 ** MINOR_SCALE)
    bounds[column.key] = { min: up(known.min), max: up(known.max) }
    return { ...column, type: 'number', scale: (column.scale ?? 0) + MINOR_SCALE }
  })
  return { ...dataset, columns, bounds }
}
/** Only exact numbers are kept in smallest units. */
function minorOf(dataset: Pick<LiveDataset, 'columns'>, column: Column): AmountCurrency | null {
  const isExact = column.type === 'integer' || (column.type === 'number' && column.scale !== undefined)
  return column.minorUnits && isExact && !column.computed ? amountCurrencyOf(column, dataset.columns) : null
}

/** What a stored amount in smallest units is multiplied by; null when it lies as it is read. */
export function minorSql(joinNode: JoinNode, column: Column, stored: (key: ColumnKey) => Sql): Sql | null {
  const money = minorOf(joinNode.dataset, column)
  if (!money || 'code' in money) return null
  const code = codeSql(stored(money.column))
  const among = (codes: readonly string[]): Sql => sql`(SELECT value FROM json_each(${bind(JSON.stringify(codes))}))`
  const by = (digits: number): Sql => int(10 ** (MINOR_SCALE - digits))
  return sql`(CASE WHEN ${code} IN ${among(ZERO_DECIMAL)} THEN ${by(0)} WHEN ${code} IN ${among(THREE_DECIMAL)} THEN ${by(3)} ELSE ${by(2)} END)`
}

/** A cell of a currency column as a code. */
export const codeSql = (ref: Sql): Sql => sql`upper(trim(${ref}))`

/** The currency that each row's amount is in, as SQL. */
export const currencySql = (column: SourceColumn, money: AmountCurrency): Sql =>
  'code' in money ? bind(money.code) : codeSql(refOf(columnAt(column.node, money.column)))

/** Rates that amounts are brought to one currency by: those of each way, and the way of measures that name none. */
export interface CurrencyTarget {
  code: string
  mode: CurrencyMode
  rates(mode: CurrencyMode): StoredRateSet
  plan: QueryPlan
}

/** Every amount in one currency: its own number times the rate of its row's day. */
export const moneyInto = (target: CurrencyTarget): MoneyConversion => {
  const { code, plan } = target
  const appliedTo = (column: SourceColumn): AppliedRates | null => {
    const money = moneyOf(column)
    if (!money || ('code' in money && money.code === code)) return null
    return { money, code, rates: target.rates(target.mode) }
  }
  return {
    format: (column) => (moneyOf(column) ? { style: 'currency', currency: code } : null),
    by: (mode) => moneyInto({ ...target, mode }),
    rates: appliedTo,
    factor(source, column) {
      const applied = appliedTo(column)
      if (!applied) return null
      const { money, rates } = applied
      const own = currencySql(column, money)
      const found = sql`(SELECT n FROM fx_rates WHERE fx = ${int(rates.n)} AND currency = ${own} AND day = ${rateDaySql(source, plan)})`
      const one = 10n ** BigInt(rates.scale)
      const rate = 'code' in money ? found : sql`(CASE WHEN ${own} = ${bind(code)} THEN ${int(one)} ELSE ${found} END)`
      const bound = rates.bound > one ? rates.bound : one
      return { kind: 'exact', sql: rate, scale: rates.scale, bound }
    },
  }
}

/** Amounts as they are. `sole` tells the one currency of a column whose rows name theirs, where it is known. */
export const moneyAsIs = (sole: (field: Pick<Field, 'dataset' | 'column'>) => string | null): MoneyConversion => ({
  format(column): ColumnFormat | null {
    const money = moneyOf(column)
    if (!money || 'code' in money) return null
    const code = sole({ dataset: column.node.dataset.id, column: column.key })
    return code === null ? { style: 'plain' } : { style: 'currency', currency: code }
  },
  factor: (): RowNumber | null => null,
})

/**
 * The day whose rate counts: of the plan's period, else of the first time of the rows, else the day that a balance of the
 * books is of; today where there is none.
 */
export function rateDaySql(querySource: QuerySource, plan: QueryPlan): Sql {
  const column = rateTime(querySource, plan)
  if (column) return dayNumberOf(column)
  return balanceDaySql(querySource) ?? int(dayFromIso(querySource.calendar.today) ?? 0)
}
function rateTime(querySource: QuerySource, plan: Pick<QueryPlan, 'period'>): SourceColumn | null {
  if (plan.period) return columnOf(querySource, plan.period.field)
  const key = timeKey(querySource.root.dataset)
  return key === null ? null : columnAt(querySource.root, key)
}
export const timeKey = ({ columns }: Pick<LiveDataset, 'columns'>): ColumnKey | null =>
  columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))?.key ?? null
