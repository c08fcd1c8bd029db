import { currencySplit } from './currency-vectors'
import { rateDaySplit } from './rate-days'
import { longestChunk } from '../column-table'
import type { RowSource } from '../column-vectors'
import type { ArmRows } from '../side-rows'
import { countedSum, type CountedSum } from '../folds/sums'
import { groupKeys, type GroupKeys } from '../groups/group-keys'
import { TooManyGroups, type MemoryBounds } from '../memory'
import { storedNumber } from '../number-expressions'
import type { Split } from '../splits'
import type { ChunkPlace } from '../vectors'
import { workingArrays } from '../working-arrays'
import type { Amount } from '../../query/aggregates/amount'
import type { MoneyUse } from '../../query/money/money-columns'
import type { QueryPlan } from '../../../shared/query/plan'

/** Rows with an amount, of one currency and of one day, added up. */
export interface AmountGroup {
  /** Null: the row names none. */
  currency: string | null
  /** The day whose rate counts; null where the row has none, or where nobody asked for it. */
  day: number | null
  rows: number
  amount: Amount
}

export interface TalliedAmounts {
  /** Of which the rows are the same, and what their currencies are told by. */
  uses: readonly MoneyUse[]
  plan: Pick<QueryPlan, 'period'>
  byDay: boolean
  /** Absent: all that the question has. */
  cells?: MemoryBounds['cells']
}

/** Figures by group: a sum in up to three numbers, and how many it is of. */
const CELLS_PER_GROUP = 4

/** What amounts come to as they lie, by currency, or by currency and the day of their rate: chunk by chunk. */
export class AmountTally {
  readonly #rows: ArmRows
  /** Null: all amounts are in one. */
  readonly #currency: Split | null
  readonly #day: Split | null
  readonly #keys: GroupKeys
  readonly #groupsMax: number
  readonly #sums: CountedSum[]
  readonly #own: Int32Array

  /** Makes all that it reads chunks by. */
  constructor(source: RowSource, { uses, plan, byDay, cells = source.memory.cells }: TalliedAmounts, rows: ArmRows) {
    const { memory, table } = source
    const named = uses.flatMap(({ field, money }) => ('column' in money ? [{ field, currency: money.column }] : []))[0]
    this.#rows = rows
    this.#currency = named ? currencySplit(source, named.field, named.currency) : null
    this.#day = byDay ? rateDaySplit(source, plan) : null
    const figures = uses.length * CELLS_PER_GROUP
    this.#groupsMax = Math.max(2, Math.min(memory.groups, Math.floor(cells / figures)))
    this.#keys = groupKeys(
      [this.#day, this.#currency].filter((split) => split !== null),
      this.#groupsMax,
    )
    this.#sums = uses.map(({ field }) => countedSum(storedNumber(source.field(field)), source.dataset.rowCount))
    this.#own = workingArrays().codes(longestChunk(table))
  }

  /** @throws TooManyGroups */
  add(place: ChunkPlace): void {
    const { mask, mayHold } = this.#rows
    if (!mayHold(place.chunk)) return
    this.#keys.fill(place, { side: 0, mask }, this.#own)
    const size = this.#keys.size()
    if (size > this.#groupsMax + 1) throw new TooManyGroups()
    for (const sum of this.#sums) {
      sum.grow(size)
      sum.add(place, this.#own)
    }
  }

  /** Of the use at a place of those it was made for. */
  groups(at: number, { money }: Pick<MoneyUse, 'money'>): AmountGroup[] {
    const [sum, found]: [CountedSum | undefined, AmountGroup[]] = [this.#sums[at], []]
    for (let group = 1, size = this.#keys.size(); group < size; group += 1) {
      const rows = sum?.count(group) ?? 0
      if (rows === 0) continue
      const ordinals = this.#keys.ordinalsOf(group)
      const code = 'code' in money ? money.code : this.#currency?.valueOf(ordinals.at(-1) ?? 0)
      const day = this.#day?.valueOf(ordinals[0] ?? 0)
      found.push({
        currency: typeof code === 'string' ? code : null,
        day: typeof day === 'number' ? day : null,
        rows,
        amount: sum?.total(group) ?? null,
      })
    }
    return found
  }
}
