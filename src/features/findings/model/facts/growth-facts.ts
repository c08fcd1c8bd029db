import { isBusinessGroup } from '../../../../shared/data-sources/key-columns'
import type { ContributionTable, DetectedFinding } from '../../../../shared/findings'
import {
  effectOfValues,
  effectOfWindows,
  type CandidateDraft,
  type SentenceInput,
  type SeriesAnalysis,
} from '../candidates'
import type { WindowComparison } from '../contributions'
import { CERTAIN, isName, recordGaps, valueAt, weightOf, type Fact, type FactInput, type FactRole } from './fact-parts'
import { growthSentence, type MemberFigure } from './fact-sentences'
import { toFindingPeriod, type AnalysisSubject, type BucketRange } from '../subject'

export const YEAR_MONTHS = 12
type Effect = DetectedFinding['effect']
/** Buckets that are held against as many before, where there is no year before: at most, and at least. */
const HALVES: Partial<Record<AnalysisSubject['grain'], { most: number; least: number }>> = {
  month: { most: 6, least: 3 },
  week: { most: 13, least: 4 },
  day: { most: 28, least: 7 },
}
const SAME_MONTHS_MIN = 3

export interface ComparedRange extends WindowComparison {
  against: 'year' | 'previous'
}

/** The newest buckets and the same ones a year before, else the newest half and the one before; null for too few. */
export function growthWindows({ grain }: Pick<AnalysisSubject, 'grain'>, span: BucketRange): ComparedRange | null {
  const length = span.to - span.from + 1
  const same = grain === 'month' ? Math.min(YEAR_MONTHS, length - YEAR_MONTHS) : 0
  const last = (n: number): BucketRange => ({ from: span.to - n + 1, to: span.to })
  const before = ({ from, to }: BucketRange, by: number): BucketRange => ({ from: from - by, to: to - by })
  if (same >= SAME_MONTHS_MIN) return { now: last(same), then: before(last(same), YEAR_MONTHS), against: 'year' }
  const { most, least } = HALVES[grain] ?? { most: 0, least: 1 }
  const half = Math.min(most, Math.floor(length / 2))
  return half >= least ? { now: last(half), then: before(last(half), half), against: 'previous' } : null
}

const LITTLE_CHANGE = 0.02
/** Least part of the figure before by which a member goes against the whole, to be told. */
const AGAINST_MIN = 0.02

/** Who moved it, by what a business is organised by first; a table led by rows without a value says least. */
const namedFirst = (tables: readonly ContributionTable[]): ContributionTable[] => {
  const rank = ({ label, lines: [first] }: ContributionTable): number =>
    first?.others !== undefined || !isName(first?.member) || typeof first?.member === 'boolean'
      ? 2
      : isBusinessGroup(label)
        ? 0
        : 1
  return tables.toSorted((a, b) => rank(a) - rank(b))
}

export function growthFacts({ analysis }: FactInput, role: FactRole): Fact[] {
  const { subject, span } = analysis
  // What one row comes to is told by what it differs by.
  if (subject.under && !subject.percent) return []
  const windows = growthWindows(subject, span)
  const whole = windows && effectOfWindows(analysis, windows)
  if (!windows || !whole) return []
  const alike = likeForLike(analysis, windows)
  const effect = alike ?? whole.effect
  // What accounts for a change over some of the months is another table.
  const contributions = alike ? [] : namedFirst(whole.contributions)
  const [change, previous] = [Number(effect.change), Math.abs(Number(effect.previous))]
  // That a figure stays as it was is worth telling of what a business looks at first.
  if (!role.isMain && Math.abs(effect.percent ?? 1) < LITTLE_CHANGE) return []
  const size = growthSize(subject, effect)
  const [table] = contributions
  const against = table?.lines
    .filter(({ others, member, change: part }) => others === undefined && isName(member) && Number(part) * change < 0)
    .toSorted((a, b) => Math.abs(Number(b.change)) - Math.abs(Number(a.change)))[0]
  const isTold = against !== undefined && Math.abs(Number(against.change)) >= AGAINST_MIN * previous
  const other: MemberFigure | null =
    table && against && isTold && !subject.under
      ? {
          member: { dimension: table.dimension, label: table.label, value: against.member ?? null },
          value: against.change,
        }
      : null
  const draft: CandidateDraft = {
    ...CERTAIN,
    kind: 'growth',
    period: toFindingPeriod(subject, windows.now),
    against: windows.against,
    comparison: toFindingPeriod(subject, windows.then),
    ...{ effect, contributions },
    n: windows.now.to - windows.then.from + 1,
    change,
    weight: ((subject.percent ? 0.4 : 0.3) + 0.4 * weightOf(size)) * (role.isMoney ? 1 : 0.7),
    sentence: (told) =>
      growthSentence(told, {
        ...{ against: other, calendar: alike ? null : calendarYear(analysis, windows), isAlike: alike !== null },
        newest: role.isMain ? newestBucket(analysis, windows) : null,
        gaps: recordGaps(subject, { from: windows.then.from, to: windows.now.to }).map((gap) =>
          toFindingPeriod(subject, gap),
        ),
      }),
  }
  return [{ draft, member: null }]
}

/** How much a figure moved: as a part of what it was, of one in per cent its points. */
function growthSize({ percent }: AnalysisSubject, effect: Effect): number {
  const [change, previous] = [Math.abs(Number(effect.change)), Math.abs(Number(effect.previous))]
  return percent ? change * 5 : previous > 0 ? change / previous : 1
}

/**
 * The same over the months that have records in both years, where some lack in one of them: a year without its October is
 * no year that fell. Null where none lacks, or too few are left.
 */
function likeForLike(analysis: SeriesAnalysis, { now, then, against }: ComparedRange): Effect | null {
  const { subject, span } = analysis
  if (against !== 'year') return null
  const apart = now.from - then.from
  const gaps = recordGaps(subject, { from: Math.min(then.from, span.from), to: now.to })
  const isGap = (at: number): boolean => gaps.some(({ from, to }) => from <= at && at <= to)
  const all = Array.from({ length: now.to - now.from + 1 }, (_, n) => now.from + n)
  const both = all.filter((at) => !isGap(at) && !isGap(at - apart))
  if (both.length === all.length || both.length < SAME_MONTHS_MIN) return null
  const of = (by: number): number => {
    const sum = (series: AnalysisSubject['total']): number =>
      both.reduce((total, at) => total + valueAt(series, at - by), 0)
    return subject.under ? sum(subject.total) / sum(subject.under) : sum(subject.total)
  }
  const [value, previous] = [of(0), of(apart)]
  return Number.isFinite(value) && Number.isFinite(previous) ? effectOfValues(analysis, { value, previous }) : null
}

/** The newest month beside the same one a year before, else the one just before it. */
export function newestBucket(analysis: SeriesAnalysis, { now, then, against }: ComparedRange): SentenceInput | null {
  const { subject, span } = analysis
  if (now.from === now.to || subject.grain !== 'month') return null
  const by = against === 'year' ? now.from - then.from : 1
  const [newest, before] = [span.to, span.to - by].map((at) => ({ from: at, to: at }))
  if (before && recordGaps(subject, before).length > 0) return null
  const made = newest && before && effectOfWindows(analysis, { now: newest, then: before })
  return made && Number(made.effect.change) !== 0
    ? {
        ...{ look: analysis, ...made },
        period: toFindingPeriod(subject, newest),
        comparison: toFindingPeriod(subject, before),
      }
    : null
}

/** The newest calendar year that is there whole, with the one before, where the newest twelve months are no calendar year. */
function calendarYear(analysis: SeriesAnalysis, { now, against }: ComparedRange): SentenceInput | null {
  const { subject, span } = analysis
  if (against !== 'year' || subject.grain !== 'month') return null
  const monthOf = (at: number): number => Number((subject.buckets[at] ?? '').slice(5, 7))
  const to = span.to - (monthOf(span.to) % YEAR_MONTHS)
  const year = { from: to - YEAR_MONTHS + 1, to }
  const then = { from: year.from - YEAR_MONTHS, to: year.from - 1 }
  if (to === now.to || then.from < span.from) return null
  const made = effectOfWindows(analysis, { now: year, then })
  return (
    made && {
      ...{ look: analysis, ...made },
      period: toFindingPeriod(subject, year),
      comparison: toFindingPeriod(subject, then),
    }
  )
}
