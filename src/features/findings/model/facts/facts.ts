import type { DetectedFinding, FindingMember, SentencePart } from '../../../../shared/findings'
import { toCandidate, typicalSize, type SentenceInput, type SeriesAnalysis } from '../candidates'
import type { Fact, FactInput, FactRole } from './fact-parts'
import { rangePhrase } from './fact-sentences'
import { YEAR_MONTHS, growthFacts, newestBucket } from './growth-facts'
import { leaderFacts, lossFacts, peakFacts, rateFacts } from './level-facts'
import { memberGapFacts } from './member-gap-facts'
import { memberGrowthFacts } from './member-growth-facts'
import { DesignCache, dataSpan } from '../regression-design'
import type { AnalysisSubject } from '../subject'

/**
 * What an analyst says first of any figure, read off the rows: how the newest year stands beside the one before, who makes
 * it up, who loses, whose ratio is lowest. These are sums, not tests: they are told because they are large, and after
 * what is unusual where both say the same.
 */

/** @returns what the rows of one figure say, in no order; none where too little is there */
export function factsOf(subject: AnalysisSubject, role: FactRole): DetectedFinding[] {
  const span = dataSpan(subject)
  if (!span || (!subject.additive && !subject.under)) return []
  const own = typicalSize(subject)
  const analysis = {
    ...{ subject, member: null, span, designs: new DesignCache(subject) },
    usual: { whole: own, own },
  }
  const isLong = subject.grain === 'month' && span.to - span.from + 1 > YEAR_MONTHS
  const level = isLong ? { from: span.to - YEAR_MONTHS + 1, to: span.to } : span
  const input: FactInput = { analysis, level, whole: isLong ? span : null }
  const drafts = [
    ...growthFacts(input, role),
    ...(subject.under ? rateFacts(input) : role.isResult ? lossFacts(input) : []),
    ...(role.isMain && !subject.under
      ? [...leaderFacts(input), ...memberGrowthFacts(input), ...memberGapFacts(input), ...peakFacts(input)]
      : []),
  ]
  return drafts.map((draft) => toFact(analysis, draft))
}

/** Fewer months have no highest one. */
const MONTHS_MIN = 3

/**
 * In which month a figure was highest and lowest, and how the newest stands beside the one before: of one that is looked at by
 * weeks or days.
 * @param within the same by weeks or days
 */
export function monthFacts(subject: AnalysisSubject, within: AnalysisSubject | null = null): DetectedFinding[] {
  const own = typicalSize(subject)
  const span = { from: 0, to: subject.buckets.length - 1 }
  const analysis = {
    ...{ subject, member: null, span, designs: new DesignCache(subject) },
    usual: { whole: own, own },
  }
  const [peak] = subject.buckets.length < MONTHS_MIN ? [] : peakFacts({ analysis, level: span, whole: null }, within)
  if (!peak) return []
  const { draft } = peak
  const newest = newestBucket(analysis, { now: span, then: span, against: 'previous' })
  const sentence = (told: SentenceInput): SentencePart[] => [
    ...draft.sentence(told),
    ...(newest ? rangePhrase(newest) : []),
  ]
  const member: FindingMember = { dimension: 'month', label: 'month', value: draft.period.from }
  return [toFact(analysis, { draft: { ...draft, sentence }, member })]
}

function toFact(analysis: SeriesAnalysis, { draft, member }: Fact): DetectedFinding {
  const { family: _family, weight, novelty, isFact: _isFact, ...effect } = toCandidate(analysis, draft)
  return { ...effect, member, q: 0, confidence: 1, score: weight * novelty }
}
