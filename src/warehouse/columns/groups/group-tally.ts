import { divide, isExact, realFrom, type Amount } from '../../query/aggregates/amount'
import { RATIO_TRAITS, type MeasureTraits } from '../../query/aggregates/calculations'
import { exactBetween, percentileDecimals, rankOf, realBetween } from '../../query/aggregates/percentile'
import { magnitude, pow10, SAFE_MAX, subtract, toNumber, type ExactDecimal } from '../../query/expressions/decimal'
import { compareNullable, matchesHaving } from '../../query/aggregates/group-order'
import type { GroupedMeasure } from '../../../shared/query/plan'

/** A figure of a group that is there: exact, or floating point. */
export type GroupFigure = ExactDecimal | number

/** A sum: exact as long as its figures are, else with what each addition loses kept beside (A. Neumaier, 1974). */
class FigureSum {
  #exact: ExactDecimal = { n: 0n, scale: 0 }
  #real = 0
  #lost = 0
  #isReal = false

  add(figure: GroupFigure): void {
    if (typeof figure !== 'number') {
      this.#exact = subtract(figure, { n: -this.#exact.n, scale: this.#exact.scale })
      return
    }
    this.#isReal = true
    const after = this.#real + figure
    const isLess = Math.abs(this.#real) >= Math.abs(figure)
    this.#lost += isLess ? this.#real - after + figure : figure - after + this.#real
    this.#real = after
  }
  total(): GroupFigure | null {
    if (!this.#isReal) return this.#exact
    const sum = this.#real + toNumber(this.#exact)
    return realFrom(Number.isFinite(this.#lost) ? sum + this.#lost : sum)
  }
}

interface SortedFigures {
  count: number
  at: (place: number) => GroupFigure
}

/** Figures held together: whole numbers of one scale in eight bytes each while they fit 53 bits, or floating point. */
class HeldFigures {
  #numbers: number[] = []
  #wide: bigint[] | null = null
  #scale = 0
  #isReal = false

  add(figure: GroupFigure): void {
    if (typeof figure === 'number') this.#becomeReal()
    if (typeof figure === 'number' || this.#isReal) {
      this.#numbers.push(typeof figure === 'number' ? figure : toNumber(figure))
      return
    }
    if (figure.scale > this.#scale) this.#rescale(figure.scale)
    this.#push(figure.n * pow10(this.#scale - figure.scale))
  }
  #push(n: bigint): void {
    if (!this.#wide && magnitude(n) > SAFE_MAX) this.#wide = this.#numbers.map(BigInt)
    if (this.#wide) this.#wide.push(n)
    else this.#numbers.push(Number(n))
  }
  #rescale(scale: number): void {
    const factor = pow10(scale - this.#scale)
    const all = this.#wide ?? this.#numbers.map(BigInt)
    this.#scale = scale
    this.#numbers = []
    this.#wide = null
    for (const n of all) this.#push(n * factor)
  }
  #becomeReal(): void {
    if (this.#isReal) return
    const all = this.#wide ?? this.#numbers.map(BigInt)
    this.#numbers = all.map((n) => toNumber({ n, scale: this.#scale }))
    this.#wide = null
    this.#isReal = true
  }

  /** All of them from the least on, each read by its place. */
  sorted(): SortedFigures {
    const scale = this.#scale
    if (this.#wide) {
      const wide = this.#wide.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0))
      return { count: wide.length, at: (place) => ({ n: wide[place] ?? 0n, scale }) }
    }
    const numbers = Float64Array.from(this.#numbers).sort()
    const numberAt = (place: number): number => numbers[place] ?? 0
    const isReal = this.#isReal
    return {
      count: numbers.length,
      at: (place) => (isReal ? numberAt(place) : { n: BigInt(numberAt(place)), scale }),
    }
  }
}

/** The figures of the groups within one group of an answer, put together. */
export interface GroupTally {
  add(figure: GroupFigure): void
  value(): Amount
}

export function groupTally(measure: GroupedMeasure): GroupTally {
  const { having, largest } = measure
  const all = new FigureSum()
  const held = largest !== undefined || measure.agg === 'median' ? new HeldFigures() : null
  const counted = plainTally(measure, all)
  return {
    add(figure) {
      if (measure.agg === 'share') all.add(figure)
      if (having && !matchesHaving(figure, having.op, having.value)) return
      if (held) held.add(figure)
      else counted.add(figure)
    },
    value() {
      if (!held) return counted.value()
      const { count, at } = held.sorted()
      const kept = Math.min(count, largest ?? count)
      if (measure.agg === 'median') return percentileOf({ count: kept, at: (i) => at(count - kept + i) }, measure)
      const of = plainTally(measure, all)
      for (let i = count - kept; i < count; i += 1) of.add(at(i))
      return of.value()
    },
  }
}

function percentileOf({ count, at }: SortedFigures, { percent = 50 }: GroupedMeasure): Amount {
  if (count === 0) return null
  const { below, share } = rankOf(count, percent)
  const [low, high] = [at(below), at(share === 0 ? below : below + 1)]
  if (isExact(low) && isExact(high)) return exactBetween(low, high, share)
  return realFrom(realBetween(Number(low), Number(high), share))
}

/** @param all the sum that a share is of */
function plainTally({ agg }: GroupedMeasure, all: FigureSum): GroupTally {
  let count = 0
  let edge: GroupFigure | null = null
  const sum = new FigureSum()
  return {
    add(figure) {
      count += 1
      if (agg === 'min' || agg === 'max') {
        const order = edge === null ? -1 : compareNullable(figure, edge, agg === 'min' ? 'asc' : 'desc')
        if (order < 0) edge = figure
      } else if (agg !== 'count') sum.add(figure)
    },
    value() {
      if (agg === 'count') return { n: BigInt(count), scale: 0 }
      if (agg === 'min' || agg === 'max') return edge
      if (agg === 'share') return divide(sum.total(), all.total())
      if (count === 0) return null
      return agg === 'avg' ? divide(sum.total(), { n: BigInt(count), scale: 0 }) : sum.total()
    },
  }
}

/** How a figure over groups is shown. @param of how that of each group is */
export function groupedTraits({ agg, percent }: GroupedMeasure, of: MeasureTraits): MeasureTraits {
  const { type, format, scale } = of
  switch (agg) {
    case 'count':
      return { type: 'integer', format: { style: 'plain' }, scale: 0, numeric: true }
    case 'share':
      return { ...RATIO_TRAITS, format: { style: 'percent' } }
    case 'avg':
      return { type: 'number', format, scale: scale === undefined ? undefined : scale + 2, numeric: true }
    case 'median': {
      const decimals = percentileDecimals(percent ?? 50)
      return { type: 'number', format, scale: scale === undefined ? undefined : scale + decimals, numeric: true }
    }
    case 'sum':
    case 'min':
    case 'max':
      return { type, format, scale, numeric: true }
  }
}
