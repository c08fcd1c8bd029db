import { currencyOf } from './amount-currency'
import type { LiveDataset } from '../../physical-layout'
import { currencyDecimals } from '../../../shared/currencies'
import type { AmountCurrency } from '../../../shared/currencies'
import type { Column } from '../../../shared/data-sources/data-sources'
import type { ColumnKey } from '../../../shared/data-sources/files'

/** Amounts in the smallest unit of a currency that each row names are read with as many decimals as any currency has. */
export const MINOR_SCALE = 3

/**
 * A dataset whose amounts in smallest units are decimals: 1250 öre is 12.50 kronor. Where each row names its currency,
 * the stored numbers are brought to one scale when they are read ({@link minorUnitFactor}).
 */
export function withMinorUnits(dataset: LiveDataset): LiveDataset {
  if (!dataset.columns.some(({ minorUnits }) => minorUnits)) return dataset
  const bounds = { ...dataset.bounds }
  const columns = dataset.columns.map((column): Column => {
    const money = minorOf(dataset, column)
    if (!money) return column
    if ('code' in money) return { ...column, type: 'number', scale: (column.scale ?? 0) + currencyDecimals(money.code) }
    const known = bounds[column.key] ?? { min: null, max: null }
    // A factor is from 1 up to this: the least is the farthest below zero, else the nearest above.
    const up = (value: number | null, sign: number): number | null =>
      value === null ? null : value * sign > 0 ? value * 10 ** MINOR_SCALE : value
    bounds[column.key] = { min: up(known.min, -1), max: up(known.max, 1) }
    return { ...column, type: 'number', scale: (column.scale ?? 0) + MINOR_SCALE }
  })
  return { ...dataset, columns, bounds }
}
/** Only exact numbers are kept in smallest units. */
function minorOf(dataset: Pick<LiveDataset, 'columns' | 'coveredCurrencies'>, column: Column): AmountCurrency | null {
  const isExact = column.type === 'integer' || (column.type === 'number' && column.scale !== undefined)
  return column.minorUnits && isExact && !column.computed ? currencyOf(dataset, column) : null
}

/** The column that names the smallest unit of each row's amounts; null when they lie as they are read. */
export function unitColumn(
  dataset: Pick<LiveDataset, 'columns' | 'coveredCurrencies'>,
  column: Column,
): ColumnKey | null {
  const money = minorOf(dataset, column)
  return money && 'column' in money ? money.column : null
}

/** What a stored amount of a currency (null: of none) is multiplied by. */
export const minorUnitFactor = (code: string | null): number => 10 ** (MINOR_SCALE - currencyDecimals(code ?? ''))
