import type { NaiveTable } from './values'
import { DAYS, OWN } from '../money'
import { createRateLookup } from '../../../src/semantic/currency/exchange-rates'
import { currencyDecimals, RATE_DECIMALS } from '../../../src/shared/currencies'
import { CURRENCY_MODES } from '../../../src/shared/query/currency-modes'
import type { Column } from '../../../src/shared/data-sources/data-sources'
import type { ColumnKey } from '../../../src/shared/data-sources/files'
import type { Measure, QueryPlan } from '../../../src/shared/query/plan'
import type { Expr } from '../../../src/shared/query/expression'
import type { CurrencyMode } from '../../../src/shared/query/currency-modes'
import type { StorageValue } from '../../../src/lib/storage-value'

/*
 * Amounts in one currency, said a second time as plainly as possible: each row gets the rate of its day as a column of its
 * own, and an amount becomes the product of two columns, which the naive evaluator works out as exact fractions.
 */

/** Amounts, the column that names their currencies, and the first time of the rows. */
export interface MoneyColumns {
  amounts: readonly ColumnKey[]
  currency: ColumnKey
  time: ColumnKey
}
/** The text by which rows of one currency are told from those of another. */
export const CODE_KEY: ColumnKey = 'c90'
const UNIT_KEY: ColumnKey = 'c91'
const RAW_KEY = (key: ColumnKey): ColumnKey => `c${200 + Number(key.slice(1))}`
const RATE_KEY = (key: ColumnKey, mode: CurrencyMode): ColumnKey =>
  `c${300 + 10 * Number(key.slice(1)) + CURRENCY_MODES.indexOf(mode)}`
const MADE_KEY = (key: ColumnKey, mode: CurrencyMode): ColumnKey =>
  `c${500 + 10 * Number(key.slice(1)) + CURRENCY_MODES.indexOf(mode)}`

const codeOf = (cell: StorageValue): string | null =>
  typeof cell === 'string' && cell.trim() !== '' ? cell.trim().toUpperCase() : null
const plain = (key: ColumnKey, more: Pick<Column, 'type'> & Partial<Column>): Column => ({
  ...{ key, label: key, role: 'measure', format: { style: 'plain' }, hidden: false, fileIndex: -1 },
  ...more,
})
const dayOf = (cell: StorageValue, { type }: Column): number | null =>
  typeof cell === 'number' ? (type === 'date' ? cell : Math.floor(cell / 86_400_000)) : null

/** What an amount of a row is in; null: nobody knows. */
const currencyAt = (column: Column, code: string | null): string | null =>
  column.format.style === 'currency' ? column.format.currency : code

function rateCell(
  { from, to, day }: { from: string | null; to: string; day: number | null },
  mode: CurrencyMode,
): StorageValue {
  if (from === to) return 10 ** RATE_DECIMALS
  if (from === null || day === null) return null
  const rate = createRateLookup({ days: DAYS, own: OWN }, { from, to }, mode).at(day)
  return rate ? Number(rate.n) : null
}

/** The rows with everything beside them that a plan about money is made of. */
export function naiveMoneyTable(table: NaiveTable, money: MoneyColumns, plan: QueryPlan): NaiveTable {
  const { id, columns, rows } = table
  const at = (row: readonly StorageValue[], key: ColumnKey): StorageValue =>
    row[columns.findIndex((column) => column.key === key)] ?? null
  const product = (left: ColumnKey, right: ColumnKey): Expr => ({
    ...{ kind: 'binary', op: 'multiply' },
    left: { kind: 'field', field: { dataset: id, column: left } },
    right: { kind: 'field', field: { dataset: id, column: right } },
  })
  const timeKey = plan.period?.field.column ?? money.time
  const time = columns.find(({ key }) => key === timeKey)
  const code = (row: readonly StorageValue[]) => codeOf(at(row, money.currency))
  const stored = columns.map((column): Column => {
    if (!column.minorUnits) return column
    if (column.format.style === 'currency')
      return { ...column, type: 'number', scale: currencyDecimals(column.format.currency) }
    return plain(column.key, { type: 'number', computed: product(RAW_KEY(column.key), UNIT_KEY) })
  })
  const added: [Column, (row: readonly StorageValue[]) => StorageValue][] = [
    [plain(CODE_KEY, { type: 'text' }), code],
    [plain(UNIT_KEY, { type: 'number', scale: 3 }), (row) => 10 ** (3 - currencyDecimals(code(row) ?? ''))],
    ...money.amounts.flatMap((key) => {
      const column = columns.find((each) => each.key === key)
      if (!column) throw new Error(`no ${key}`)
      const raw: [Column, (row: readonly StorageValue[]) => StorageValue] = [
        plain(RAW_KEY(key), { type: 'integer' }),
        (row) => at(row, key),
      ]
      const to = plan.currency?.code
      if (to === undefined) return [raw]
      return [raw, ...CURRENCY_MODES.flatMap((mode) => convertedBy(column, mode))]
      function convertedBy(own: Column, mode: CurrencyMode) {
        const rate = (row: readonly StorageValue[]): StorageValue => {
          const day = time ? dayOf(at(row, timeKey), time) : null
          return rateCell({ from: currencyAt(own, code(row)), to: to ?? '', day }, mode)
        }
        const made = plain(MADE_KEY(key, mode), { type: 'number', computed: product(key, RATE_KEY(key, mode)) })
        const pair: [Column, (row: readonly StorageValue[]) => StorageValue][] = [
          [plain(RATE_KEY(key, mode), { type: 'number', scale: RATE_DECIMALS }), rate],
          [made, () => null],
        ]
        return pair
      }
    }),
  ]
  return {
    id,
    columns: [...stored, ...added.map(([column]) => column)],
    rows: rows.map((row) => [...row, ...added.map(([, cell]) => cell(row))]),
  }
}

/** The plan over such rows: what is calculated with amounts is calculated with what they come to; counts are of what lies there. */
export function naiveMoneyPlan({ currency, ...plan }: QueryPlan, { amounts }: MoneyColumns): QueryPlan {
  if (!currency) return plan
  const measures = plan.measures.map((measure): Measure => {
    if (measure.kind !== 'column' || !measure.field || measure.agg === 'count' || measure.agg === 'countDistinct')
      return measure
    const { mode, ...rest } = measure
    if (!amounts.includes(measure.field.column)) return rest
    return { ...rest, field: { ...measure.field, column: MADE_KEY(measure.field.column, mode ?? currency.mode) } }
  })
  return { ...plan, measures }
}
