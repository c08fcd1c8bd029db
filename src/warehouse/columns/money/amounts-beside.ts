import { measuredRows, rowsIn } from './amount-groups'
import { AmountTally, type AmountGroup } from './amount-tally'
import type { RowSource } from '../column-vectors'
import type { ArmRows, WatchChunk } from '../arm-rows'
import { ExceedsBounds } from '../memory'
import type { MoneyUse } from '../../query/money/money-columns'
import type { QueryPlan } from '../../../shared/query/plan'

/** What a use's amounts come to in the period, and in it and what it is compared with. */
interface UseTallies {
  own: AmountTally
  all: AmountTally
}
/** The rows of one fact as they were first read. */
interface FactAmounts {
  chunks: number
  seen: Set<number>
  /** Null: they take more than there is room for beside the figures. */
  uses: Map<MoneyUse, UseTallies> | null
}

/**
 * What amounts come to by currency and day, added up while the same rows are read for the figures: each chunk once,
 * however often figures need it.
 */
export class AmountsBeside {
  readonly #uses: readonly MoneyUse[]
  readonly #plan: QueryPlan
  readonly #facts = new Map<string, FactAmounts>()

  constructor(uses: readonly MoneyUse[], plan: QueryPlan) {
    this.#uses = uses
    this.#plan = plan
  }

  /**
   * What is to see every chunk of a fact's rows, in one reading at least.
   * @param arms rows of the period, and of what it is compared with
   */
  watch(source: RowSource, arms: readonly ArmRows[]): WatchChunk {
    const { id } = source.dataset
    const known = this.#facts.get(id) ?? this.#begun(source, arms)
    this.#facts.set(id, known)
    return (place) => {
      if (!known.uses || known.seen.has(place.chunk)) return
      known.seen.add(place.chunk)
      known.uses = withinBounds(known.uses, (uses) => {
        for (const { own, all } of uses.values()) for (const tally of new Set([own, all])) tally.add(place)
      })
    }
  }
  #begun(source: RowSource, arms: readonly ArmRows[]): FactAmounts {
    const uses = this.#uses.filter(({ fact }) => fact === source.dataset.id)
    const tallies = withinBounds(new Map<MoneyUse, UseTallies>(), (made) => {
      for (const use of uses) made.set(use, talliesOf(source, { use, plan: this.#plan }, arms))
    })
    return { chunks: source.table.chunks.length, seen: new Set(), uses: tallies }
  }

  /** Null: not all rows were seen, or they took more than there is room for. */
  groups(use: MoneyUse, which: keyof UseTallies): AmountGroup[] | null {
    const known = this.#facts.get(use.fact)
    if (!known || known.seen.size < known.chunks) return null
    return known.uses?.get(use)?.[which].groups() ?? null
  }
}

function talliesOf(
  source: RowSource,
  { use, plan }: { use: MoneyUse; plan: QueryPlan },
  arms: readonly ArmRows[],
): UseTallies {
  const measured = measuredRows(source, use.filters)
  const tallyOf = (of: readonly ArmRows[]): AmountTally =>
    new AmountTally(source, { use, plan, byDay: true }, rowsIn(of, measured))
  const own = tallyOf(arms.slice(0, 1))
  return { own, all: arms.length > 1 ? tallyOf(arms) : own }
}

/** Null past what a question may hold. */
function withinBounds<T>(value: T, work: (value: T) => void): T | null {
  try {
    work(value)
    return value
  } catch (error) {
    if (error instanceof ExceedsBounds) return null
    throw error
  }
}
