import type { ChosenBreakdown } from './breakdowns'
import { isReturn } from './model/given-back'
import { isMoneyFigure } from '../../shared/data-sources/key-columns'
import type { AnalyzedMetric, DetectedFinding } from '../../shared/findings'

/** Facts kept of one dataset. */
const FACTS_MAX = 24
/** How an amount went that is less than this of the largest one of its dataset is not worth telling. */
const GROWTH_SHARE_MIN = 0.005

const sizeOf = ({ effect }: DetectedFinding): number =>
  Math.max(Math.abs(Number(effect.value)), Math.abs(Number(effect.previous)))

/**
 * What is told of the facts of a dataset, what weighs most first. Who gives back what was sold loses nothing by it, nor does an
 * account that costs by its nature.
 */
export function toldFacts(
  facts: readonly DetectedFinding[],
  of: {
    givenBack: ReadonlySet<string>
    abouts: ReadonlyMap<string, AnalyzedMetric>
    splits: readonly ChosenBreakdown[]
  },
): DetectedFinding[] {
  const charts = new Set(of.splits.flatMap(({ key, isChart }) => (isChart ? [key] : [])))
  const isAmountGrowth = ({ kind, subject }: DetectedFinding): boolean => {
    const about = of.abouts.get(subject)
    return kind === 'growth' && about !== undefined && about.format.style !== 'percent' && isMoneyFigure(about)
  }
  const largest = Math.max(0, ...facts.filter(isAmountGrowth).map(sizeOf))
  return facts
    .filter((fact) => !isReturn(fact, of.givenBack))
    .filter(({ kind, member }) => kind !== 'loss' || !charts.has(member?.dimension ?? ''))
    .filter((fact) => !isAmountGrowth(fact) || sizeOf(fact) >= GROWTH_SHARE_MIN * largest)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, FACTS_MAX)
}
