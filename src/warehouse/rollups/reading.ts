import { ValueDictionary, type RollupAggregator } from './folding'
import type { LiveDataset } from '../physical-layout'
import type { queryCatalogue } from '../query-catalogue'
import { firstOfMonth, monthIndexOf, DAY_MS, type Calendar } from '../../shared/dates'
import { sqlExecutor, bind, join, sql } from '../query/sources/sql'
import { relationGraph } from '../query/plan/relation-graph'
import { columnAt, dayNumberOf, refOf, sourceOf } from '../query/sources/source'
import { compileContextOf } from '../query/sources/compile-context'
import type { WarehouseContext } from '../context'
import type { ScopeWire } from '../../identity/scope'
import type { ColumnKey } from '../../shared/data-sources/files'

export interface RollupReader {
  /** What the numbers of each column stand for. */
  values: Map<ColumnKey, ValueDictionary>
  /** Reads rows once, for all who fold them. */
  slice(rows: { from: number; to: number }, foldings: readonly RollupAggregator[]): void
}

/** Reads a dataset's rows into blocks of numbers; moments among what they are told apart by stand for their month. */
export function rollupReader(
  context: WarehouseContext,
  of: {
    scope: ScopeWire
    calendar: Calendar
    catalogue: ReturnType<typeof queryCatalogue>
    dataset: LiveDataset
  },
): RollupReader {
  const { scope, calendar, catalogue, dataset } = of
  const means = { graph: relationGraph(catalogue), period: null, execute: sqlExecutor(context.sql) }
  const world = compileContextOf({ scope, calendar, catalogue }, means)
  const source = sourceOf(world, dataset.id)
  const values = new Map<ColumnKey, ValueDictionary>()
  const months = new Map<ColumnKey, Months>()
  const numbered = (key: ColumnKey): ((value: SqlStorageValue) => number) => {
    const own = values.get(key) ?? new ValueDictionary()
    values.set(key, own)
    const { type } = columnAt(source.root, key)
    if (type !== 'date' && type !== 'datetime') return (value) => own.idOf(value)
    const known = months.get(key) ?? new Months(own, type === 'datetime' ? DAY_MS : 1)
    months.set(key, known)
    return (value) => known.idOf(value)
  }
  const picked = (key: ColumnKey) => {
    const column = columnAt(source.root, key)
    return column.type === 'date' || column.type === 'datetime' ? dayNumberOf(column) : refOf(column)
  }
  return {
    values,
    slice({ from, to }, foldings) {
      const dims = [...new Set(foldings.flatMap((each) => each.dims))]
      const measures = [...new Set(foldings.flatMap((each) => each.measures))]
      const columns = join([...dims.map(picked), ...measures.map((key) => refOf(columnAt(source.root, key)))], ', ')
      const query = sql`SELECT ${columns} FROM ${world.from(source)} WHERE rid >= ${bind(from)} AND rid < ${bind(to)}`
      const { text, values: bound } = query.render()
      const ids = dims.map(() => new Int32Array(to - from))
      const amounts = measures.map(() => new Float64Array(to - from))
      const idOf = dims.map(numbered)
      let rows = 0
      for (const row of context.sql.exec(text, ...bound).raw()) {
        for (let n = 0; n < dims.length; n += 1) {
          const own = ids[n]
          if (own) own[rows] = idOf[n]?.(row[n] ?? null) ?? 0
        }
        for (let n = 0; n < measures.length; n += 1) {
          const value = row[dims.length + n]
          const own = amounts[n]
          if (own) own[rows] = typeof value === 'number' ? value : Number.NaN
        }
        rows += 1
      }
      const at = <T>(all: readonly T[], index: number): T[] => all.slice(index, index + 1)
      for (const folding of foldings)
        folding.add({
          rows,
          ids: folding.dims.flatMap((key) => at(ids, dims.indexOf(key))),
          amounts: folding.measures.flatMap((key) => at(amounts, measures.indexOf(key))),
        })
    },
  }
}

/** Numbers days by the months they are in. */
class Months {
  readonly #values: ValueDictionary
  readonly #unit: number
  readonly #ids = new Map<number, number>()

  constructor(dictionary: ValueDictionary, unit: number) {
    this.#values = dictionary
    this.#unit = unit
  }

  idOf(day: SqlStorageValue): number {
    if (typeof day !== 'number') return this.#values.idOf(day)
    const known = this.#ids.get(day)
    if (known !== undefined) return known
    const id = this.#values.idOf(firstOfMonth(monthIndexOf(day)) * this.#unit)
    this.#ids.set(day, id)
    return id
  }
}
