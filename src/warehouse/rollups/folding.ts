import type { ColumnKey } from '../../shared/sources'

/** Numbers pairs of numbers in the order in which they come first. */
class Pairs {
  readonly #of: (Map<number, number> | undefined)[] = []
  readonly #ends: [number, number][] = []

  idOf(a: number, b: number): number {
    const known = (this.#of[a] ??= new Map())
    const id = known.get(b)
    if (id !== undefined) return id
    known.set(b, this.#ends.length)
    return this.#ends.push([a, b]) - 1
  }
  endsOf(id: number): [number, number] {
    return this.#ends[id] ?? [0, 0]
  }
}

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

interface Added {
  sums: number[]
  counts: number[]
  least: (number | null)[]
  most: (number | null)[]
}

/** Rows folded into groups while they are read: how many, and of each measure its sum, count, least and most. */
export class Folding {
  readonly dims: readonly ColumnKey[]
  readonly measures: readonly ColumnKey[]
  /** Too many groups to be worth it: nothing is folded any more. */
  given = false
  readonly #pairs: Pairs[]
  readonly #rows: number[] = []
  readonly #added: Added[]
  readonly #max: number

  constructor(of: { dims: readonly ColumnKey[]; measures: readonly ColumnKey[]; max: number }) {
    this.dims = of.dims
    this.measures = of.measures
    this.#max = of.max
    this.#pairs = of.dims.slice(1).map(() => new Pairs())
    this.#added = of.measures.map(() => ({ sums: [], counts: [], least: [], most: [] }))
  }

  get size(): number {
    return this.given ? 0 : this.#rows.length
  }

  /** One row: the numbers of its values, and what is added up. */
  add(ids: readonly number[], values: readonly SqlStorageValue[]): void {
    if (this.given) return
    let group = ids[0] ?? 0
    for (const [at, pairs] of this.#pairs.entries()) group = pairs.idOf(group, ids[at + 1] ?? 0)
    if (group >= this.#max) return this.giveUp()
    this.#rows[group] = (this.#rows[group] ?? 0) + 1
    for (const [at, added] of this.#added.entries()) fold(added, group, values[at] ?? null)
  }

  giveUp(): void {
    this.given = true
    this.#rows.length = 0
    this.#added.length = 0
  }

  /** A line for each group: its values, its rows, then four figures of each measure. */
  *lines(values: readonly Values[]): Iterable<SqlStorageValue[]> {
    for (const [group, rows] of this.#rows.entries()) {
      const own = this.#added.flatMap(({ sums, counts, least, most }) => [
        (counts[group] ?? 0) === 0 ? null : (sums[group] ?? 0),
        ...[counts[group] ?? 0, least[group] ?? null, most[group] ?? null],
      ])
      yield [...this.#idsOf(group).map((id, at) => values[at]?.valueOf(id) ?? null), rows, ...own]
    }
  }

  /** Measures that every row has. */
  whole(): ColumnKey[] {
    return this.measures.filter((_, at) =>
      this.#rows.every((rows, group) => (this.#added[at]?.counts[group] ?? 0) === rows),
    )
  }

  #idsOf(group: number): number[] {
    const ids: number[] = []
    let at = group
    for (const pairs of this.#pairs.toReversed()) {
      const [before, own] = pairs.endsOf(at)
      ids.unshift(own)
      at = before
    }
    return [at, ...ids]
  }
}

function fold({ sums, counts, least, most }: Added, group: number, value: SqlStorageValue): void {
  const known = sums[group]
  if (known === undefined) {
    sums[group] = 0
    counts[group] = 0
    least[group] = null
    most[group] = null
  }
  if (typeof value !== 'number') return
  sums[group] = (known ?? 0) + value
  counts[group] = (counts[group] ?? 0) + 1
  const [low, high] = [least[group] ?? null, most[group] ?? null]
  if (low === null || value < low) least[group] = value
  if (high === null || value > high) most[group] = value
}
