import { dayFromIso } from '../../../shared/dates'
import { balanceDaySql } from './balance-days'
import { codeSql } from './minor-units'
import { bind, int, sql, type Sql, type RowNumber } from '../sources/sql'
import { columnAt, refOf, columnOf, dayNumberOf } from '../sources/source'
import type { QuerySource, AppliedRates, MoneyConversion, SourceColumn } from '../sources/source'
import type { LiveDataset } from '../../physical-layout'
import type { StoredRateSet } from '../../rate-store'
import { amountCurrencyOf } from '../../../shared/currencies'
import type { AmountCurrency } from '../../../shared/currencies'
import type { ColumnFormat, ColumnKey } from '../../../shared/data-sources/files'
import type { CurrencyMode, Field, QueryPlan } from '../../../shared/query/plan'

/** What an amount is in: a fixed currency, or a column of its row. Null: it is no money. */
const moneyOf = (column: SourceColumn): AmountCurrency | null => amountCurrencyOf(column, column.node.dataset.columns)

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
