import type { FoundEffect, FindingKind } from '../../../shared/findings'

/** Kinds that say of a member what a change of the total says of the whole. */
const MOVES: readonly FindingKind[] = ['change', 'levelShift', 'trendBreak', 'newMember', 'lostMember', 'streak']
/** Those of them that go on. */
const LASTING: readonly FindingKind[] = ['levelShift', 'trendBreak']

const isMove = ({ kind }: FoundEffect): boolean => MOVES.includes(kind)
const signOf = ({ effect }: FoundEffect): number => Math.sign(Number(effect.change))

/** Whether a line of the total's tables names the member, going the same way. */
const tells = (total: FoundEffect, { member, effect }: FoundEffect): boolean =>
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
const isTwin = (told: FoundEffect, one: FoundEffect): boolean =>
  told.kind === one.kind && factsOf(told) === factsOf(one)
const factsOf = ({ period, effect }: FoundEffect): string => JSON.stringify([period, effect])

/** Whether `told` already says what `one` would say. */
function covers(told: FoundEffect, one: FoundEffect): boolean {
  if (told.subject !== one.subject) return false
  if (told.member && one.member) {
    const isSame = told.member.dimension === one.member.dimension && told.member.value === one.member.value
    return (isSame && isMove(told) && isMove(one)) || isTwin(told, one)
  }
  if (told.member) return false
  if (one.member) {
    // The figures of a bend are slopes: one of nearly nothing does not mean that nothing was there.
    if (isArrival(one))
      return isMove(told) && told.kind !== 'trendBreak' && signOf(told) === signOf(one) && isAllGone(told)
    // What has gone on for long in a member, and surely, is more than a doubtful newest bucket of the whole.
    if (told.kind === 'change' && LASTING.includes(one.kind) && one.p < told.p) return false
    return isMove(told) && isMove(one) && signOf(told) === signOf(one) && tells(told, one)
  }
  if (told.kind === 'mixShift') return one.kind === 'change' || one.kind === 'mixShift' || one.kind === 'concentration'
  if (told.kind === 'change' || told.kind === 'levelShift') return one.kind === 'streak' || one.kind === 'concentration'
  if (told.kind === 'trendBreak') return one.kind === 'streak'
  return told.kind === 'concentration' && one.kind === 'concentration'
}

/** Whether hardly anything is left of the total, or there was hardly anything before. */
const isAllGone = ({ kind, effect }: FoundEffect): boolean =>
  kind !== 'trendBreak' &&
  Math.min(Math.abs(Number(effect.value)), Math.abs(Number(effect.previous))) < 0.05 * Math.abs(Number(effect.change))

/** Stronger first among those that could tell the same: totals before members, then by chance. */
const strength = (a: FoundEffect, b: FoundEffect): number =>
  Number(a.member !== null) - Number(b.member !== null) ||
  Number(b.kind === 'mixShift') - Number(a.kind === 'mixShift') ||
  Number(isArrival(b)) - Number(isArrival(a)) ||
  a.p - b.p ||
  Math.abs(b.statistic.value) - Math.abs(a.statistic.value) ||
  (nameOf(a) < nameOf(b) ? -1 : 1)
const nameOf = ({ subject, member, kind, period }: FoundEffect): string =>
  JSON.stringify([subject, member, kind, period])
const isArrival = ({ kind }: FoundEffect): boolean => kind === 'newMember' || kind === 'lostMember'

/** One happening is told once: a member that a change of the total names is its driver, and not told again. */
export function merged(found: readonly FoundEffect[]): FoundEffect[] {
  const told: FoundEffect[] = []
  for (const one of found.toSorted(strength)) if (!told.some((other) => covers(other, one))) told.push(one)
  return told
}
