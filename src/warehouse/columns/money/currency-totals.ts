import { measuredRows, rowsIn } from './amount-groups'
import { AmountTally, type AmountGroup, type TalliedAmounts } from './amount-tally'
import type { RowSource } from '../column-vectors'
import type { ArmRows, WatchChunk } from '../side-rows'
import { ExceedsBounds } from '../memory'
import type { MoneyUse } from '../../query/money/money-columns'
import type { QueryPlan } from '../../../shared/query/plan'

/** What amounts of uses with the same rows come to in the period, and in it and what it is compared with. */
interface UseTallies {
  uses: readonly MoneyUse[]
  own: AmountTally
  all: AmountTally
}
/** Of the cells that a question has, what amounts beside its figures take, all together. */
const CELLS_SHARE = 1 / 4

/** The rows of one fact as they were first read. */
interface FactAmounts {
  chunks: number
  seen: Set<number>
  /** Null: they take more than there is room for beside the figures. */
  tallies: readonly UseTallies[] | null
}

/**
 * What amounts come to by currency and day, added up while the same rows are read for the figures: each chunk once,
 * however often figures need it.
 */
export class CurrencyTotals {
  readonly #uses: readonly MoneyUse[]
  readonly #plan: QueryPlan
  readonly #facts = new Map<string, FactAmounts>()

  constructor(uses: readonly MoneyUse[], plan: QueryPlan) {
    this.#uses = uses
    this.#plan = plan
  }

  /**
   * What is to see every chunk of a fact's rows, in one reading at least.
   * @param sides rows of the period, and of what it is compared with
   */
  watch(source: RowSource, sides: readonly ArmRows[]): WatchChunk {
    const { id } = source.dataset
    const known = this.#facts.get(id) ?? this.#begun(source, sides)
    this.#facts.set(id, known)
    return (place) => {
      if (!known.tallies || known.seen.has(place.chunk)) return
      known.seen.add(place.chunk)
      const { tallies } = known
      known.tallies = withinBounds(() => {
        for (const { own, all } of tallies) for (const tally of new Set([own, all])) tally.add(place)
        return tallies
      })
    }
  }
  #begun(source: RowSource, sides: readonly ArmRows[]): FactAmounts {
    const uses = this.#uses.filter(({ fact }) => fact === source.dataset.id)
    const alike = [...Map.groupBy(uses, rowsAndCurrency).values()]
    const holders =
      Map.groupBy(this.#uses, (use) => `${use.fact} ${rowsAndCurrency(use)}`).size * Math.min(2, sides.length)
    const cells = Math.floor((source.memory.cells * CELLS_SHARE) / holders)
    const asked = { plan: this.#plan, byDay: true, cells }
    const tallies = withinBounds(() => alike.map((each) => talliesOf(source, { ...asked, uses: each }, sides)))
    return { chunks: source.table.chunks.length, seen: new Set(), tallies }
  }

  /** Null: not all rows were seen, or they took more than there is room for. */
  groups(use: MoneyUse, which: 'own' | 'all'): AmountGroup[] | null {
    const known = this.#facts.get(use.fact)
    if (!known || known.seen.size < known.chunks) return null
    const found = known.tallies?.find(({ uses }) => uses.includes(use))
    return found?.[which].groups(found.uses.indexOf(use), use) ?? null
  }
}

/** Uses of which the same rows count, and whose currencies are told by the same: day by day they are added up alike. */
const rowsAndCurrency = ({ field: { dataset, via }, money, filters }: MoneyUse): string => {
  const isAll = filters.some((each) => each.length === 0)
  return JSON.stringify([isAll || filters, 'code' in money || [dataset, via, money.column]])
}

function talliesOf(source: RowSource, asked: TalliedAmounts, sides: readonly ArmRows[]): UseTallies {
  const { uses } = asked
  const measured = measuredRows(source, uses[0]?.filters ?? [])
  const tallyOf = (of: readonly ArmRows[]): AmountTally => new AmountTally(source, asked, rowsIn(of, measured))
  const own = tallyOf(sides.slice(0, 1))
  return { uses, own, all: sides.length > 1 ? tallyOf(sides) : own }
}

/** Null past what a question may hold. */
function withinBounds<T>(work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (error instanceof ExceedsBounds) return null
    throw error
  }
}
