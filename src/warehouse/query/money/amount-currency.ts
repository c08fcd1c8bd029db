import type { LiveDataset } from '../../physical-layout'
import { amountCurrencyOf, type AmountCurrency } from '../../../shared/currencies'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { Field } from '../../../shared/query/field'

type MoneyDataset = Pick<LiveDataset, 'columns' | 'coveredCurrencies'>

/** What amounts of a column are in, also where the asker may not see the column that says so. Null: it is no money. */
export function currencyOf({ columns, coveredCurrencies }: MoneyDataset, column: Column): AmountCurrency | null {
  const covered = coveredCurrencies?.[column.key]
  if (covered === undefined || column.mask) return amountCurrencyOf(column, columns)
  return amountCurrencyOf({ ...column, currencyColumn: covered }, [{ key: covered }])
}

/** Whether rules of access cover the column that says what amounts are in: nothing may tell of it. */
export const hasCoveredCurrency = (dataset: MoneyDataset | null, { column }: Pick<Field, 'column'>): boolean =>
  dataset?.coveredCurrencies?.[column] !== undefined
