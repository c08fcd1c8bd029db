import { balanceDaySql } from './balance-day'
import { dayFromIso } from './days'
import type { RowNumber } from './expr'
import type { MoneyConversion, JoinNode, QuerySource, SourceColumn } from './source'
import { columnAt, columnOf, dayNumberOf, refOf } from './source'
import { bind, int, sql } from './sql'
import type { Sql } from './sql'
import type { StoredRateSet } from '../rates'
import { currencyDecimals, amountCurrencyOf, THREE_DECIMAL, ZERO_DECIMAL } from '../../shared/currencies'
import type { AmountCurrency } from '../../shared/currencies'
import type { ColumnFormat } from '../../shared/files'
import type { CurrencyMode, Field, QueryPlan } from '../../shared/query'
import type { Column, ColumnKey } from '../../shared/sources'
import type { LiveDataset } from '../physical'

/** Amounts in the smallest unit of a currency that each row names are read with as many decimals as any currency has. */
const MINOR_SCALE = 3

/** What an amount is in: a fixed currency, or a column of its row. Null: it is no money. */
export const moneyOf = (column: SourceColumn): AmountCurrency | null =>
  amountCurrencyOf(column, column.node.dataset.columns)

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
export const moneyInto = (currencyTarget: CurrencyTarget): MoneyConversion => {
  const { code, plan } = currencyTarget
  return {
    format: (column) => (moneyOf(column) ? { style: 'currency', currency: code } : null),
    by: (mode) => moneyInto({ ...currencyTarget, mode }),
    factor(source, column) {
      const money = moneyOf(column)
      if (!money || ('code' in money && money.code === code)) return null
      const rates = currencyTarget.rates(currencyTarget.mode)
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
export function rateTime(querySource: QuerySource, plan: Pick<QueryPlan, 'period'>): SourceColumn | null {
  if (plan.period) return columnOf(querySource, plan.period.field)
  const key = timeKey(querySource.root.dataset)
  return key === null ? null : columnAt(querySource.root, key)
}
export const timeKey = ({ columns }: Pick<LiveDataset, 'columns'>): ColumnKey | null =>
  columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))?.key ?? null
