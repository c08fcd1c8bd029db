import type { FindingKind, DetectedFinding } from '../../../shared/findings'

/**
 * Tests of a subject's own figure and tests of its members are held to the same bar, but share the errors that are
 * allowed: hundreds of members do not drown what the total says.
 */
export type TestFamily = 'total' | 'member'

/** What one test found, before all tests of the run are held together. */
export interface FindingCandidate extends Omit<DetectedFinding, 'q' | 'score' | 'confidence'> {
  family: TestFamily
  /** |effect| in the sense of the ranking: 0…1, half at a change of about a third or of what the subject is used to. */
  weight: number
  /** 0…1: how new it is. */
  novelty: number
}

/** The answers of all tests of one subject. Plain data. */
export interface SubjectTestResults {
  subject: string
  /** Tests that were made, those with nothing to show included, each by its {@link KIND_PRIORS}. */
  tests: Record<TestFamily, number>
  candidates: FindingCandidate[]
}
/** A test with a greater chance than this is counted, not kept: it could not stand up. */
export const CANDIDATE_P_MAX = 0.05

/**
 * How large a share of the allowed errors a test of each kind is given beside the others: what a reader most wants told
 * of today more, what is always there or long past less.
 */
export const KIND_PRIORS: Record<FindingKind, number> = {
  change: 1.4,
  levelShift: 1.5,
  trendBreak: 1.5,
  mixShift: 1.25,
  targetRisk: 1,
  lostMember: 1,
  newMember: 1,
  outlier: 0.5,
  concentration: 0.5,
  streak: 0.1,
  season: 0.1,
}
