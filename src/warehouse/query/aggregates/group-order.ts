import { isExact, numberOf, type Amount } from './amount'
import { isNaturallyOrdered, type PlanSplit } from './plan-splits'
import { exactOf, subtract } from '../expressions/decimal'
import type { ComparisonOperator } from '../../../shared/query/functions'
import type { QueryPlan } from '../../../shared/query/plan'

/** What limits on figures and the order of an answer look at. */
interface SortableGroup {
  keys: SqlStorageValue[]
  other: boolean[]
  figures: Amount[]
}

const signOf = (n: bigint | number): number => (n < 0 ? -1 : n > 0 ? 1 : 0)

/** Texts in the order of their code points, which is that of their bytes in UTF-8. */
export function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i += 1) {
    const [one, two] = [a.charCodeAt(i), b.charCodeAt(i)]
    if (one === two) continue
    const [high, low] = [isSurrogate(one), isSurrogate(two)]
    return high === low ? one - two : high ? 1 : -1
  }
  return a.length - b.length
}
const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff

/** Two values that are there. */
function compareValues(a: Amount | SqlStorageValue, b: Amount | SqlStorageValue): number {
  if (a instanceof ArrayBuffer || b instanceof ArrayBuffer) return 0
  if (isExact(a) && isExact(b)) return signOf(subtract(a, b).n)
  if (typeof a === 'string' && typeof b === 'string') return compareTexts(a, b)
  // Groups of a grouping are numbers, values that stand for themselves texts: numbers come first.
  if (typeof a === 'string' || typeof b === 'string') return typeof a === 'string' ? 1 : -1
  if (typeof a === 'boolean' || typeof b === 'boolean') return Number(a) - Number(b)
  return signOf((numberOf(a) ?? 0) - (numberOf(b) ?? 0))
}

type SortValue = Amount | SqlStorageValue | undefined
/** Empty values last, whichever way. */
export function compareNullable(a: SortValue, b: SortValue, dir: 'asc' | 'desc'): number {
  if (a === null || a === undefined || b === null || b === undefined)
    return Number((a ?? null) === null) - Number((b ?? null) === null)
  return dir === 'asc' ? compareValues(a, b) : compareValues(b, a)
}

export type GroupComparator = (a: SortableGroup, b: SortableGroup) => number

/** As asked; else time ascending, other splits by the first measure. Empty values last, *Other* after all values. */
export function groupComparator(plan: QueryPlan, dimensions: readonly PlanSplit[]): GroupComparator {
  const others =
    (i: number): GroupComparator =>
    (a, b) =>
      Number(a.other[i]) - Number(b.other[i])
  const byKey = (i: number, dir: 'asc' | 'desc'): GroupComparator => {
    const other = others(i)
    const names = dimensions[i]?.names
    const valueOf = ({ keys }: SortableGroup): SortValue => {
      const key = keys[i]
      return typeof key === 'string' || typeof key === 'number' ? (names?.get(key) ?? key) : key
    }
    return (a, b) => other(a, b) || compareNullable(valueOf(a), valueOf(b), dir)
  }
  const byTime = isNaturallyOrdered(dimensions[0])
  const asked = plan.sort?.length ? plan.sort : byTime ? [] : [{ by: { measure: 0 }, dir: 'desc' as const }]
  const steps = asked.flatMap(({ by, dir }): GroupComparator[] => {
    if ('dimension' in by) return [byKey(by.dimension, dir)]
    if (!('measure' in by)) return []
    return [
      ...dimensions.map((_, i) => others(i)),
      (a, b) => compareNullable(a.figures[by.measure], b.figures[by.measure], dir),
    ]
  })
  const all = [...steps, ...dimensions.map((_, i) => byKey(i, 'asc'))]
  return (a, b) => {
    for (const step of all) {
      const found = step(a, b)
      if (found !== 0) return found
    }
    return 0
  }
}

const COMPARISONS: Record<ComparisonOperator, (order: number) => boolean> = {
  eq: (at) => at === 0,
  ne: (at) => at !== 0,
  lt: (at) => at < 0,
  le: (at) => at <= 0,
  gt: (at) => at > 0,
  ge: (at) => at >= 0,
}

/** Whether a figure is within its limits; one that is not there only differs. */
export function satisfiesHaving(
  plan: QueryPlan,
  figures: readonly Amount[],
  isNumeric: (measure: number) => boolean,
): boolean {
  return (plan.having ?? []).every(({ measure, op, value }) => {
    const figure = figures[measure] ?? null
    if (!isNumeric(measure)) return false
    return figure === null ? op === 'ne' : matchesHaving(figure, op, value)
  })
}

/** Whether a figure that is there is less than a number of the plan, or more. */
export const matchesHaving = (figure: Exclude<Amount, null>, op: ComparisonOperator, value: number): boolean =>
  COMPARISONS[op](compareValues(figure, isExact(figure) ? (exactOf(value) ?? value) : value))
