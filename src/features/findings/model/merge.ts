import type { DetectedFinding, FindingKind } from '../../../shared/findings'

/** Kinds that say of a member what a change of the total says of the whole. */
const MOVE_KINDS: readonly FindingKind[] = ['change', 'levelShift', 'trendBreak', 'newMember', 'lostMember', 'streak']
/** Those of them that go on. */
const LASTING_MOVE_KINDS: readonly FindingKind[] = ['levelShift', 'trendBreak']

const isMove = ({ kind }: DetectedFinding): boolean => MOVE_KINDS.includes(kind)
const changeSign = ({ effect }: DetectedFinding): number => Math.sign(Number(effect.change))

/** Whether a line of the total's tables names the member, going the same way. */
const namesMember = (total: DetectedFinding, { member, effect }: DetectedFinding): boolean =>
  total.contributions.some(
    ({ dimension, lines }) =>
      dimension === member?.dimension &&
      lines.some(
        (line) =>
          line.others === undefined &&
          (line.member ?? null) === member.value &&
          Math.sign(Number(line.change)) === Math.sign(Number(effect.change)),
      ),
  )

/** Whether two say the same of the same rows: a customer, and the city that only this customer is in. */
const isDuplicate = (told: DetectedFinding, one: DetectedFinding): boolean =>
  told.kind === one.kind && periodAndEffectKey(told) === periodAndEffectKey(one)
const periodAndEffectKey = ({ period, effect }: DetectedFinding): string => JSON.stringify([period, effect])

/** Whether `told` already says what `one` would say. */
function covers(told: DetectedFinding, one: DetectedFinding): boolean {
  if (told.subject !== one.subject) return false
  if (told.member && one.member) {
    const isSame = told.member.dimension === one.member.dimension && told.member.value === one.member.value
    return (isSame && isMove(told) && isMove(one)) || isDuplicate(told, one)
  }
  if (told.member) return false
  if (one.member) {
    // The figures of a bend are slopes: one of nearly nothing does not mean that nothing was there.
    if (isMembershipChange(one))
      return isMove(told) && told.kind !== 'trendBreak' && changeSign(told) === changeSign(one) && isAllGone(told)
    // What has gone on for long in a member, and surely, is more than a doubtful newest bucket of the whole.
    if (told.kind === 'change' && LASTING_MOVE_KINDS.includes(one.kind) && one.p < told.p) return false
    return isMove(told) && isMove(one) && changeSign(told) === changeSign(one) && namesMember(told, one)
  }
  if (told.kind === 'mixShift') return one.kind === 'change' || one.kind === 'mixShift' || one.kind === 'concentration'
  if (told.kind === 'change' || told.kind === 'levelShift') return one.kind === 'streak' || one.kind === 'concentration'
  if (told.kind === 'trendBreak') return one.kind === 'streak'
  return told.kind === 'concentration' && one.kind === 'concentration'
}

/** Whether hardly anything is left of the total, or there was hardly anything before. */
const isAllGone = ({ kind, effect }: DetectedFinding): boolean =>
  kind !== 'trendBreak' &&
  Math.min(Math.abs(Number(effect.value)), Math.abs(Number(effect.previous))) < 0.05 * Math.abs(Number(effect.change))

/** Stronger first among those that could tell the same: totals before members, then by chance. */
const byStrength = (a: DetectedFinding, b: DetectedFinding): number =>
  Number(a.member !== null) - Number(b.member !== null) ||
  Number(b.kind === 'mixShift') - Number(a.kind === 'mixShift') ||
  Number(isMembershipChange(b)) - Number(isMembershipChange(a)) ||
  a.p - b.p ||
  Math.abs(b.statistic.value) - Math.abs(a.statistic.value) ||
  (findingIdentity(a) < findingIdentity(b) ? -1 : 1)
const findingIdentity = ({ subject, member, kind, period }: DetectedFinding): string =>
  JSON.stringify([subject, member, kind, period])
const isMembershipChange = ({ kind }: DetectedFinding): boolean => kind === 'newMember' || kind === 'lostMember'

/** One happening is told once: a member that a change of the total names is its driver, and not told again. */
export function mergeOverlapping(found: readonly DetectedFinding[]): DetectedFinding[] {
  const told: DetectedFinding[] = []
  for (const one of found.toSorted(byStrength)) if (!told.some((other) => covers(other, one))) told.push(one)
  return told
}
