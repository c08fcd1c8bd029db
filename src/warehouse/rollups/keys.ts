import type { ColumnKey } from '../../shared/data-sources/files'

/**
 * Names of a rollup's columns. A column it splits by, and a column that is added up, keep the key they have in the
 * dataset; what else is known of the rows that one row stands for has keys that no dataset ever comes to.
 */
const at = (base: number, key: ColumnKey): ColumnKey => `c${base + Number(key.slice(1))}`
/** How many rows have a value there. */
export const countKey = (key: ColumnKey): ColumnKey => at(10_000, key)
export const leastKey = (key: ColumnKey): ColumnKey => at(20_000, key)
export const mostKey = (key: ColumnKey): ColumnKey => at(30_000, key)
/** How many rows it stands for. */
export const ROWS_KEY: ColumnKey = 'c40000'
/** The same in every row: what a rollup without splits is unique by. */
export const ONE_KEY: ColumnKey = 'c50000'
