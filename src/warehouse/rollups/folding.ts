import { Pairs } from './pairs'
import type { ColumnKey } from '../../shared/sources'

/** Numbers the values of one column in the order in which they come first. */
export class Values {
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
export interface Block {
  rows: number
  ids: readonly Int32Array[]
  amounts: readonly Float64Array[]
}

interface Added {
  sums: Float64Array
  counts: Float64Array
  least: Float64Array
  most: Float64Array
}

const GROUPS_FIRST = 256

/** Rows folded into groups while they are read: how many, and of each measure its sum, count, least and most. */
export class Folding {
  readonly dims: readonly ColumnKey[]
  readonly measures: readonly ColumnKey[]
  /** Too many groups to be worth it: nothing is folded any more. */
  given = false
  /** Numbers of the first column, in the order in which they came, and groups of them with the columns after it. */
  readonly #first = new Pairs()
  readonly #pairs: Pairs[]
  readonly #max: number
  #rows = new Float64Array(GROUPS_FIRST)
  #added: Added[]
  #groups = new Int32Array(0)

  constructor(of: { dims: readonly ColumnKey[]; measures: readonly ColumnKey[]; max: number }) {
    this.dims = of.dims
    this.measures = of.measures
    this.#max = of.max
    this.#pairs = of.dims.slice(1).map(() => new Pairs())
    this.#added = of.measures.map(() => emptyAdded(GROUPS_FIRST))
  }

  get size(): number {
    return this.given ? 0 : (this.#pairs.at(-1) ?? this.#first).size
  }
  /** Numbers that are held for it. */
  get cells(): number {
    return this.size * (1 + 4 * this.measures.length)
  }

  /** Takes in some rows. Columns are in the order of its own. */
  add({ rows, ids, amounts }: Block): void {
    if (this.given) return
    if (this.#groups.length < rows) this.#groups = new Int32Array(rows)
    const groups = this.#groups
    const [first] = ids
    if (!first) return
    this.#first.number(null, first, groups.subarray(0, rows))
    for (const [at, pairs] of this.#pairs.entries()) {
      const own = ids[at + 1]
      if (own) pairs.number(groups, own, groups.subarray(0, rows))
      if (pairs.size > this.#max) return this.giveUp()
    }
    if (this.size > this.#max) return this.giveUp()
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

  giveUp(): void {
    this.given = true
    this.#rows = new Float64Array(0)
    this.#added = []
    this.#groups = new Int32Array(0)
    for (const pairs of [this.#first, ...this.#pairs]) pairs.clear()
  }

  /** A line for each group: its values, its rows, then four figures of each measure. */
  *lines(values: readonly Values[]): Iterable<SqlStorageValue[]> {
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

const emptyAdded = (room: number): Added => ({
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
  { sums, counts, least, most }: Added,
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
