import { currencyOf } from './amount-currency'
import type { AppliedRates, FieldColumn, MoneyConversion } from '../query-context'
import type { LiveDataset } from '../../physical-layout'
import type { StoredRateSet } from '../../rate-store'
import type { AmountCurrency } from '../../../shared/currencies'
import type { CurrencyMode } from '../../../shared/query/currency-modes'
import type { ColumnFormat, ColumnKey } from '../../../shared/data-sources/files'
import type { Field } from '../../../shared/query/field'

/** What an amount is in: a fixed currency, or a column of its row. Null: it is no money. */
const moneyOf = (column: FieldColumn): AmountCurrency | null => currencyOf(column.dataset, column)

/** Rates that amounts are brought to one currency by: those of each way, and the way of measures that name none. */
export interface CurrencyTarget {
  code: string
  mode: CurrencyMode
  rates(mode: CurrencyMode): StoredRateSet
}

/** Every amount in one currency: its own number times the rate of its row's day. */
export const moneyInto = (target: CurrencyTarget): MoneyConversion => ({
  format: (column) => (moneyOf(column) ? { style: 'currency', currency: target.code } : null),
  by: (mode) => moneyInto({ ...target, mode }),
  rates(column): AppliedRates | null {
    const money = moneyOf(column)
    if (!money || ('code' in money && money.code === target.code)) return null
    return { money, code: target.code, rates: target.rates(target.mode) }
  },
})

/** Amounts as they are. `sole` tells the one currency of a column whose rows name theirs, where it is known. */
export const moneyAsIs = (sole: (field: Pick<Field, 'dataset' | 'column'>) => string | null): MoneyConversion => ({
  format(column): ColumnFormat | null {
    const money = moneyOf(column)
    if (!money || 'code' in money) return null
    const code = sole({ dataset: column.dataset.id, column: column.key })
    return code === null ? { style: 'plain' } : { style: 'currency', currency: code }
  },
  rates: () => null,
})

/** The first time of the rows, by whose day the rate of an amount counts where the plan has no period. */
export const timeKey = ({ columns }: Pick<LiveDataset, 'columns'>): ColumnKey | null =>
  columns.find(({ role, type }) => role === 'time' && (type === 'date' || type === 'datetime'))?.key ?? null
