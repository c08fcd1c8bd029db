import { PairIndex } from './pairs'
import type { ColumnKey } from '../../shared/data-sources/files'

/** Numbers the values of one column in the order in which they come first. */
export class ValueDictionary {
  readonly #ids = new Map<SqlStorageValue, number>()
  readonly #values: SqlStorageValue[] = []

  idOf(value: SqlStorageValue): number {
    const id = this.#ids.get(value)
    if (id !== undefined) return id
    this.#ids.set(value, this.#values.length)
    return this.#values.push(value) - 1
  }
  valueOf(id: number): SqlStorageValue {
    return this.#values[id] ?? null
  }
}

/** Some rows, column by column: the numbers of their values, and what is added up; no number where a cell is empty. */
export interface RowBlock {
  rows: number
  ids: readonly Int32Array[]
  amounts: readonly Float64Array[]
}

interface MeasureAccumulator {
  sums: Float64Array
  counts: Float64Array
  least: Float64Array
  most: Float64Array
}

const GROUPS_FIRST = 256

/** Rows folded into groups while they are read: how many, and of each measure its sum, count, least and most. */
export class RollupAggregator {
  readonly dims: readonly ColumnKey[]
  readonly measures: readonly ColumnKey[]
  /** Too many groups to be worth it: nothing is folded any more. */
  isAbandoned = false
  /** Numbers of the first column, in the order in which they came, and groups of them with the columns after it. */
  readonly #first = new PairIndex()
  readonly #pairs: PairIndex[]
  readonly #max: number
  #rows = new Float64Array(GROUPS_FIRST)
  #added: MeasureAccumulator[]
  #groups = new Int32Array(0)

  constructor(of: { dims: readonly ColumnKey[]; measures: readonly ColumnKey[]; max: number }) {
    this.dims = of.dims
    this.measures = of.measures
    this.#max = of.max
    this.#pairs = of.dims.slice(1).map(() => new PairIndex())
    this.#added = of.measures.map(() => emptyAdded(GROUPS_FIRST))
  }

  get size(): number {
    return this.isAbandoned ? 0 : (this.#pairs.at(-1) ?? this.#first).size
  }
  /** Numbers that are held for it. */
  get cells(): number {
    return this.size * (1 + 4 * this.measures.length)
  }

  /** Takes in some rows. Columns are in the order of its own. */
  add({ rows, ids, amounts }: RowBlock): void {
    if (this.isAbandoned) return
    if (this.#groups.length < rows) this.#groups = new Int32Array(rows)
    const groups = this.#groups
    const [first] = ids
    if (!first) return
    this.#first.number(null, first, groups.subarray(0, rows))
    for (const [at, pairs] of this.#pairs.entries()) {
      const own = ids[at + 1]
      if (own) pairs.number(groups, own, groups.subarray(0, rows))
      if (pairs.size > this.#max) return this.abandon()
    }
    if (this.size > this.#max) return this.abandon()
    this.#grow(this.size)
    const counted = this.#rows
    for (let at = 0; at < rows; at += 1) {
      const group = groups[at] ?? 0
      counted[group] = (counted[group] ?? 0) + 1
    }
    for (const [at, added] of this.#added.entries()) {
      const own = amounts[at]
      if (own) fold(added, { rows, groups, own })
    }
  }

  abandon(): void {
    this.isAbandoned = true
    this.#rows = new Float64Array(0)
    this.#added = []
    this.#groups = new Int32Array(0)
    for (const pairs of [this.#first, ...this.#pairs]) pairs.clear()
  }

  /** A line for each group: its values, its rows, then four figures of each measure. */
  *lines(values: readonly ValueDictionary[]): Iterable<SqlStorageValue[]> {
    for (let group = 0; group < this.size; group += 1) {
      const own = this.#added.flatMap(({ sums, counts, least, most }) =>
        (counts[group] ?? 0) === 0
          ? [null, 0, null, null]
          : [sums, counts, least, most].map((figures) => figures[group] ?? 0),
      )
      yield [...this.#idsOf(group).map((id, at) => values[at]?.valueOf(id) ?? null), this.#rows[group] ?? 0, ...own]
    }
  }

  /** Measures that every row has. */
  whole(): ColumnKey[] {
    const groups = this.#rows.subarray(0, this.size)
    return this.measures.filter((_, at) => groups.every((rows, group) => this.#added[at]?.counts[group] === rows))
  }

  #idsOf(group: number): number[] {
    const ids: number[] = []
    let at = group
    for (const pairs of this.#pairs.toReversed()) {
      const [before, own] = pairs.endsOf(at)
      ids.unshift(own)
      at = before
    }
    return [this.#first.endsOf(at)[1], ...ids]
  }

  #grow(size: number): void {
    if (size <= this.#rows.length) return
    const room = 2 ** Math.ceil(Math.log2(size))
    this.#rows = grown(this.#rows, room, 0)
    this.#added = this.#added.map(({ sums, counts, least, most }) => ({
      sums: grown(sums, room, 0),
      counts: grown(counts, room, 0),
      least: grown(least, room, Infinity),
      most: grown(most, room, -Infinity),
    }))
  }
}

const emptyAdded = (room: number): MeasureAccumulator => ({
  sums: new Float64Array(room),
  counts: new Float64Array(room),
  least: new Float64Array(room).fill(Infinity),
  most: new Float64Array(room).fill(-Infinity),
})

function grown(before: Float64Array, room: number, fill: number): Float64Array<ArrayBuffer> {
  const after = new Float64Array(room).fill(fill, before.length)
  after.set(before)
  return after
}

function fold(
  { sums, counts, least, most }: MeasureAccumulator,
  { rows, groups, own }: { rows: number; groups: Int32Array; own: Float64Array },
): void {
  for (let at = 0; at < rows; at += 1) {
    const value = own[at] ?? Number.NaN
    // Empty.
    if (value !== value) continue
    const group = groups[at] ?? 0
    sums[group] = (sums[group] ?? 0) + value
    counts[group] = (counts[group] ?? 0) + 1
    if (value < (least[group] ?? Infinity)) least[group] = value
    if (value > (most[group] ?? -Infinity)) most[group] = value
  }
}
