import type { FindingMember } from '../../../shared/findings'
import { SHAPES } from './frame'
import type { Shape } from './frame'
import { usualOf } from './look'
import type { Look } from './look'
import { kinOf } from './kin'
import { membershipOf } from './membership'
import { splitsOf } from './parts'
import { Frames, HISTORY_LEAST, prepared, spanOf } from './prepared'
import { seasonOfSeries, streakOf } from './runs'
import { scan } from './scan'
import { tellShapes, testsOfShapes } from './shapes'
import { concentrationOf, mixOf } from './shares'
import type { Subject, SubjectDimension, SubjectMember } from './subject'
import { targetRiskOf } from './target'
import type { Candidate, Family, Tested } from './tested'

/** Members of one dimension that are looked at on their own, the largest first. */
const MEMBERS_MOST = 40
/** Members below this share of the whole are not: whatever they do, it is small. */
const SHARE_LEAST = 0.005

/** Earlier buckets of single members that stand apart are not told: among so many some always do. */
const OF_MEMBERS: readonly Shape[] = ['newest', 'step', 'bend']

interface Result {
  tests: number
  candidates: Candidate[]
}
/** With what the parts of a figure say of tails, as logarithms. */
type Whole = Result & { tails?: readonly number[] | undefined }
const together = (results: readonly Result[]): Result => ({
  tests: results.reduce((sum, { tests }) => sum + tests, 0),
  candidates: results.flatMap(({ candidates }) => candidates),
})

function shapesOf(look: Look): Whole {
  const series = prepared(look.subject, look.span)
  if (!series) return { tests: 0, candidates: [] }
  const shapes = look.member ? OF_MEMBERS : SHAPES
  const frame = look.frames.of(series)
  const kin = look.member ? undefined : kinOf(frame, splitsOf(look, series))
  const scanned = scan(frame, { ...series, shapes, kin, tails: look.tails })
  const candidates = tellShapes({ look, series, scanned })
  return { tests: testsOfShapes(scanned), candidates, tails: scanned.tails() }
}

/** Tests of the figure itself, and those of the weights of each dimension, one step each. */
function* totalOf(look: Look): Generator<undefined, Whole> {
  const series = prepared(look.subject, look.span)
  if (!series) return { tests: 0, candidates: [] }
  const shapes = shapesOf(look)
  yield
  const each = [shapes, streakOf(look, series), seasonOfSeries(look, series), targetRiskOf(look, series)]
  for (const dimension of look.subject.dimensions) {
    if (look.subject.under) yield
    each.push(mixOf(look, dimension))
  }
  return { ...together(each), tails: shapes.tails }
}

/** A member as a subject of its own, within its subject. */
function memberLook(
  whole: Look,
  { key, label }: SubjectDimension,
  { member, series, under, target }: SubjectMember,
): Look {
  const { under: _under, ...rest } = whole.subject
  const subject: Subject = { ...rest, total: series, ...(under ? { under } : {}), dimensions: [], target }
  const named: FindingMember = { dimension: key, label, value: member }
  return { ...whole, subject, member: named, usual: { whole: whole.usual.whole, own: usualOf(subject) } }
}

function riskOf(look: Look): Result {
  const series = look.subject.target ? prepared(look.subject, look.span) : null
  return series ? targetRiskOf(look, series) : { tests: 0, candidates: [] }
}

/** How large a member is beside the whole; of a ratio, by what it is divided by. */
function shareOf({ subject, usual }: Look, { series, under }: SubjectMember): number {
  if (!subject.additive) return 1
  if (subject.under && under) {
    const whole = usualOf({ total: subject.under, under: undefined })
    return whole > 0 ? usualOf({ total: under, under: undefined }) / whole : 0
  }
  return usual.whole > 0 ? usualOf({ total: series, under: undefined }) / usual.whole : 0
}

function dimensionOf(look: Look, dimension: SubjectDimension): Result {
  const largest = dimension.members
    .map((one) => ({ one, share: shareOf(look, one), name: JSON.stringify(one.member) }))
    .filter(({ share }) => share >= SHARE_LEAST)
    .toSorted((a, b) => b.share - a.share || (a.name < b.name ? -1 : 1))
    .slice(0, MEMBERS_MOST)
  const isSum = look.subject.additive && !look.subject.under
  const each = largest.map(({ one }) => {
    const own = memberLook(look, dimension, one)
    const membership = isSum ? membershipOf(own) : { tests: 0, candidates: [] }
    return together([membership, shapesOf(own), riskOf(own)])
  })
  return together([concentrationOf(look, dimension), ...each])
}

/**
 * Every test of one subject. Plain data, so that a run may keep the answers of its subjects until all were looked at
 * (one subject a slice), then {@link judge} them together.
 */
export function examine(subject: Subject): Tested {
  const steps = examination(subject)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** The same in steps, the whole first and then its dimensions one by one: whoever takes them lets others go between. */
export function* examination(subject: Subject): Generator<undefined, Tested> {
  const tests: Record<Family, number> = { total: 0, member: 0 }
  const span = spanOf(subject)
  if (!span || span.to - span.from + 1 < HISTORY_LEAST) return { subject: subject.key, tests, candidates: [] }
  const own = usualOf(subject)
  const look: Look = { subject, member: null, span, frames: new Frames(subject), usual: { whole: own, own } }
  const total = yield* totalOf(look)
  const each: Result[] = []
  for (const dimension of subject.dimensions) {
    yield
    each.push(dimensionOf({ ...look, tails: total.tails }, dimension))
  }
  const members = together(each)
  return {
    subject: subject.key,
    tests: { total: total.tests, member: members.tests },
    candidates: [...total.candidates, ...members.candidates.map((one): Candidate => ({ ...one, family: 'member' }))],
  }
}

export { judge } from './judge'
