import { isResultAmount } from '../../shared/data-sources/key-columns'
import type { KeyedFinding } from '../../shared/briefing/briefing'
import { isFactKind, namesMember, type FindingKind } from '../../shared/findings'
import { documentsOf, isCost, isEarning, isKnownPattern, isLevel, isSum } from './story-figures'

/** Which findings tell one happening, and which of them tells it most plainly. */

const sign = (finding: KeyedFinding): number => Math.sign(Number(finding.effect.change))
const isSamePeriod = (a: KeyedFinding, b: KeyedFinding): boolean =>
  a.period.to === b.period.to || (a.period.from <= b.period.to && b.period.from <= a.period.to)
/** The column of a member: figures name the same column by keys of their own. */
const memberName = ({ member, about }: KeyedFinding): string | null => {
  if (!member) return null
  const field = about.dimensions.find(({ key }) => key === member.dimension)?.field
  return JSON.stringify([field?.dataset, field?.column ?? member.label, member.value])
}

/** Figures this near to each other are the same rows but for a few. */
const TWIN_APART_MAX = 0.1
const isNear = (a: string | null, b: string | null): boolean =>
  Math.abs(Number(a) - Number(b)) <= TWIN_APART_MAX * Math.max(Math.abs(Number(a)), Math.abs(Number(b)))
const isTwin = (a: KeyedFinding, b: KeyedFinding): boolean =>
  isNear(a.effect.change, b.effect.change) && isNear(a.effect.value, b.effect.value)

/** The same said of the lines of documents and of the documents, or of two figures that are one but by name. */
const isSaidTwice = (a: KeyedFinding, b: KeyedFinding): boolean =>
  a.kind === b.kind &&
  isSamePeriod(a, b) &&
  a.member?.value === b.member?.value &&
  a.member?.label === b.member?.label &&
  a.effect.value === b.effect.value &&
  a.effect.change === b.effect.change

/** Of when a figure is highest, a month is told first, then what it is looked at by, then weekdays and hours. */
function peakRank({ about, period, member }: KeyedFinding): number {
  if (member === null) return 1
  return period.grain === 'month' && about.grain !== 'month' ? 2 : 0
}

/**
 * Who is largest, or is gone, by what was sold and by how often or what it cost, in whichever tables; or two figures of the same
 * documents that are highest at one time.
 */
function isSaidByOther(a: KeyedFinding, b: KeyedFinding): boolean {
  if (a.kind !== b.kind || !isSamePeriod(a, b)) return false
  if (a.subject === b.subject) return a.kind === 'peak'
  const isPeak = a.kind === 'peak' && documentsOf(a) === documentsOf(b)
  if (a.member === null || b.member === null) return isPeak && a.member === b.member
  const isMembers = a.kind === 'leader' || a.kind === 'lostMember' || a.kind === 'newMember' || isPeak
  return isMembers && memberName(a) === memberName(b)
}

/** What is lost in a group is lost with the things that are in it: parts of what was brought that are as near as this are one. */
const LOST_APART_MAX = 0.02
const isLostWithin = ({ statistic: a }: KeyedFinding, { statistic: b }: KeyedFinding): boolean =>
  Math.abs(a.value - b.value) <= LOST_APART_MAX * Math.max(a.value, b.value)

/** Who loses, told by the sum, by the ratio, or by how often. */
export const isOneLoss = (loss: KeyedFinding, other: KeyedFinding): boolean => {
  if (loss.kind !== 'loss') return false
  if (other.kind === 'loss') return loss.subject === other.subject && isLostWithin(loss, other)
  if (loss.member?.label !== other.member?.label) return false
  if (other.kind === 'levelShift' && other.member?.value === loss.member?.value) return Number(other.effect.value) < 0
  if (other.kind === 'rateGap') return Number(other.effect.value) < 0
  return other.kind === 'influencer' && other.tone === 'bad' && other.member?.value === loss.member?.value
}

/** Points of a percentage within which two figures go together, as an amount and the same before discounts do. */
const ALIKE_APART_MAX = 0.03
const movesAlike = (a: KeyedFinding, b: KeyedFinding): boolean =>
  a.effect.percent !== null &&
  b.effect.percent !== null &&
  a.about.format.style === b.about.format.style &&
  Math.abs(a.effect.percent - b.effect.percent) <= ALIKE_APART_MAX

/** One of a dimension that fell and another one that rose in the same time. */
const isMoveWithin = (a: KeyedFinding, b: KeyedFinding): boolean =>
  a.kind === 'contribution' &&
  b.kind === 'contribution' &&
  a.member?.label === b.member?.label &&
  a.about.format.style === b.about.format.style &&
  a.period.from === b.period.from &&
  a.period.to === b.period.to

/** How a cost went, where it is told what is left after it: the result says it. */
const isCostOfResult = (cost: KeyedFinding, other: KeyedFinding): boolean =>
  isCost(cost) && cost.member === null && other.member === null && isResultAmount(other.about) && isSum(other)

/** Kinds that two tables may tell of the same rows. */
export const isToldElsewhere = (kind: FindingKind): boolean =>
  isFactKind(kind) || kind === 'lostMember' || kind === 'newMember'

/** Whether two findings are one happening: the same rows, at the same time, by another figure, split or kind. */
export function isSameStory(a: KeyedFinding, b: KeyedFinding): boolean {
  // Of many datasets there are thousands: of others hardly anything can be the same.
  if (a.about.dataset !== b.about.dataset && (a.kind !== b.kind || !isToldElsewhere(a.kind))) return false
  if (isFactKind(a.kind) && isSaidTwice(a, b)) return true
  if (isSaidByOther(a, b)) return true
  if (a.about.dataset !== b.about.dataset || isKnownPattern(a) !== isKnownPattern(b)) return false
  if (isOneLoss(a, b) || isOneLoss(b, a)) return true
  if (a.kind === 'influencer' || b.kind === 'influencer' || isLevel(a.kind) || isLevel(b.kind)) return false
  if (!isSamePeriod(a, b)) return false
  if (a.kind === 'growth' && b.kind === 'growth')
    return movesAlike(a, b) || isCostOfResult(a, b) || isCostOfResult(b, a)
  const isOneFigure = a.subject === b.subject
  if (isMoveWithin(a, b)) return true
  const [mine, theirs] = [memberName(a), memberName(b)]
  // The newest year beside the one before is told for itself, whatever happened within it.
  if (mine === null && theirs === null && (a.kind === 'growth') !== (b.kind === 'growth'))
    return isOneFigure && (SHAPES.has(a.kind) || SHAPES.has(b.kind)) && sign(a) === sign(b)
  if (mine === theirs) return isOneFigure || sign(a) === sign(b) || a.tone === b.tone
  if (!isOneFigure) return false
  if (mine === null || theirs === null) {
    const [whole, part] = mine === null ? [a, b] : [b, a]
    if (whole.kind === 'growth') return false
    return sign(whole) === sign(part) && namesMember(whole, part)
  }
  if (isLossOfGroup(a, b) || isLossOfGroup(b, a)) return true
  // A customer, and the city that only this customer is in.
  return isTwin(a, b) && a.kind === b.kind && a.member?.dimension !== b.member?.dimension
}

/** So near is what a city lost to what its largest customer brought: the rest of it moved, too. */
const LOST_PART_MIN = 0.85
/** A customer who is gone, and the city that fell by what this customer brought. */
function isLossOfGroup(lost: KeyedFinding, group: KeyedFinding): boolean {
  if (lost.kind !== 'lostMember' || group.kind !== 'contribution') return false
  if (lost.member?.dimension === group.member?.dimension || sign(lost) !== sign(group)) return false
  const [part, whole] = [lost, group].map(({ effect }) => Math.abs(Number(effect.change)))
  return Math.min(part ?? 0, whole ?? 0) >= LOST_PART_MIN * Math.max(part ?? 0, whole ?? 0)
}

const SHAPES: ReadonlySet<FindingKind> = new Set(['trendBreak', 'levelShift', 'streak'])
/** The newest year beside the one before is plainer than the shape of the line that led there, what was sold to somebody than what it cost, and who is gone than where. */
export const leadsPlainly = (one: KeyedFinding, lead: KeyedFinding): boolean =>
  (one.kind === 'growth' && one.subject === lead.subject && lead.member === null && SHAPES.has(lead.kind)) ||
  isLossOfGroup(one, lead) ||
  (one.kind === 'peak' && lead.kind === 'peak' && one.subject === lead.subject && peakRank(one) > peakRank(lead)) ||
  isPlainerFigure(one, lead)

/** Of one happening told by two figures: what was earned says it before what it cost; of who is gone, new or moved, before what was left. */
function isPlainerFigure(one: KeyedFinding, lead: KeyedFinding): boolean {
  if (one.kind !== lead.kind || memberName(one) !== memberName(lead) || !isEarning(one) || !isSum(one)) return false
  if (isCost(lead)) return true
  return MOVES_OF_MEMBERS.has(one.kind) && isResultAmount(lead.about) && !isResultAmount(one.about)
}
const MOVES_OF_MEMBERS: ReadonlySet<FindingKind> = new Set(['lostMember', 'newMember', 'contribution'])
