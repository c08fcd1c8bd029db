import { monthLacksRecords } from '../../../../semantic/record-gaps'
import type { FindingMember } from '../../../../shared/findings'
import type { Cell } from '../../../../shared/query/result'
import type { CandidateDraft, SeriesAnalysis } from '../candidates'
import { changeBetween } from '../contributions'
import { toFiniteNumber } from '../decimals'
import {
  toFindingPeriod,
  type AnalysisSubject,
  type BucketRange,
  type SubjectDimension,
  type SubjectMember,
} from '../subject'

/** What a figure is to its dataset: facts are told of few figures, or they would say everything twice. */
export interface FactRole {
  /** The amount that a business looks at first: who makes it up is told of it alone. */
  isMain: boolean
  /** Whether it is money, or a part of it: other figures are told after it. */
  isMoney: boolean
  /** Whether it is what is left of amounts: who is below nothing there loses, of amounts it is what was given back. */
  isResult: boolean
}

export interface FactInput {
  analysis: SeriesAnalysis
  /** The newest year, or all that there is. */
  level: BucketRange
  /** Everything that is looked at, where that is more than `level`. */
  whole: BucketRange | null
}

export interface Fact {
  draft: CandidateDraft
  member: FindingMember | null
}
/** What every fact has in common: nothing was tested, so that nothing may be wrong but the rows. */
export const CERTAIN = { p: 0, novelty: 1, statistic: { name: 'share', value: 0 } } as const

export const valueAt = (series: SubjectMember['series'], t: number): number =>
  toFiniteNumber(series.value[t] ?? null) ?? 0
export const sumOf = (series: SubjectMember['series'], { from, to }: BucketRange): number => {
  let sum = 0
  for (let t = from; t <= to; t += 1) sum += valueAt(series, t)
  return sum
}
export const rowsOf = ({ series }: SubjectMember, { from, to }: BucketRange): number =>
  series.count.slice(from, to + 1).reduce((all, count) => all + count, 0)

export const namedMember = ({ key, label }: SubjectDimension, value: Cell): FindingMember => ({
  dimension: key,
  label,
  value,
})
/** How tables say that nothing is known. */
export const NOTHING_KNOWN =
  /^(|null|n\/?a|nan|none|-+|\(?(blank|empty|unknown|not set|other|others)\)?|okänd|saknas|övrigt|övriga)$/i
export const isName = (value: Cell | undefined): boolean =>
  value !== null && value !== undefined && !(typeof value === 'string' && NOTHING_KNOWN.test(value.trim()))
export const isNamed = ({ member }: SubjectMember): boolean => isName(member)

/** The exact figure of a member in a range: a sum, or a ratio. */
export function figureOf(
  { subject }: SeriesAnalysis,
  { series, under }: SubjectMember,
  range: BucketRange,
): string | null {
  const own = { ...subject, total: series, ...(subject.under ? { under } : {}), dimensions: [] }
  return changeBetween(own, { now: range, then: range })?.value ?? null
}
export const wholeFigure = (analysis: SeriesAnalysis, range: BucketRange): string | null =>
  changeBetween(analysis.subject, { now: range, then: range })?.value ?? null

/**
 * Months of a range without a row where there are many in others: what lacks from the file is no zero. A month that is
 * empty each year is one in which nothing happens.
 * @returns neighbours as one range, oldest first
 */
export function recordGaps({ grain, total: { count } }: AnalysisSubject, { from, to }: BucketRange): BucketRange[] {
  if (grain !== 'month') return []
  const isGap = monthLacksRecords(count)
  const found: BucketRange[] = []
  for (let t = from; t <= to; t += 1) {
    if (!isGap(t)) continue
    const last = found.at(-1)
    if (last && last.to === t - 1) last.to = t
    else found.push({ from: t, to: t })
  }
  return found
}

/** A change as weight: half at one fifth. */
export const weightOf = (size: number, half = 0.2): number => size / (size + half)

export const levelDraft = (
  { subject }: SeriesAnalysis,
  of: { kind: 'loss' | 'leader' | 'rateGap' | 'peak'; level: BucketRange; value: string; share: number },
): Omit<CandidateDraft, 'change' | 'weight' | 'sentence'> => ({
  ...CERTAIN,
  kind: of.kind,
  period: toFindingPeriod(subject, of.level),
  against: 'rest',
  comparison: null,
  effect: { value: of.value, previous: null, change: of.value, percent: null },
  contributions: [],
  statistic: { name: 'share', value: of.share },
  n: of.level.to - of.level.from + 1,
})
