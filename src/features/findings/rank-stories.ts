import { DAY_MS } from '../../shared/dates'
import { isMoneyFigure, isResultAmount } from '../../shared/data-sources/key-columns'
import type { KeyedFinding, StoryMark, StoryState } from '../../shared/briefing/briefing'
import { calendarUnit, isFactKind, namesMember, type FindingKind } from '../../shared/findings'

export interface RankedStory {
  lead: KeyedFinding
  facets: KeyedFinding[]
  state: StoryState
  snoozedUntil: number | null
}

export interface RankingReader {
  /** Epoch ms. */
  now: number
  /** The last visit; null: there was none. Epoch ms. */
  since: number | null
  marks: ReadonlyMap<string, StoryMark>
  /** Kinds that the person wants less of. */
  lessOf: ReadonlySet<string>
}

/** Half of what being new adds is gone after so long; an old finding still counts for this share of a new one. */
const NOVELTY_HALF_LIFE_MS = 14 * DAY_MS
const NOVELTY_MIN = 0.5
/** The least of what a figure has at stake beside the largest of its kind. */
const STAKE_MIN = 0.3
/** Of counts and ratios: how much they mean in money is not known. */
const STAKE_UNKNOWN = 0.5
/** Of numbers of things where money is told of the same rows: they say less than what they were sold for. */
const STAKE_OF_QUANTITY = 0.3
/** And of how many there are of something, where it is told how much was sold. */
const LEVEL_STAKE_OF_QUANTITY = 0.2
/** A cost is told after an amount, a result or a margin of equal stake: it is a part of what they say. */
const COST_FACTOR = 0.6
/** The least of how much there is of something, beside the largest. */
const LEVEL_STAKE_MIN = 0.5
/** A crown of what is left is worth more than one of what was sold. */
const RESULT_FACTOR = 1.5
/** A result below nothing is told before a change of the same size that leaves it above. */
const LOSS_FACTOR = 2
const BAD_FACTOR = 1.25
const USELESS_FACTOR = 0.25
/** Each further story of one kind and figure counts for less: the first three tell three things. */
const REPEAT_FACTOR = 0.75

/** What ended so long before the newest is history: it is told after all that is younger, not in a list of what is new. */
const HISTORY_AFTER_MS = 400 * DAY_MS
/** The longest that one period of each length may be. */
const LONGEST_DAYS = { day: 1, week: 7, month: 31, quarter: 92, year: 366 } as const
const lengthOf = ({ grain }: KeyedFinding['period']): number =>
  Object.entries(LONGEST_DAYS).find(([unit]) => unit === calendarUnit(grain))?.[1] ?? 0
const endOf = ({ period }: KeyedFinding): number => Date.parse(period.to.slice(0, 10)) + lengthOf(period) * DAY_MS

/** A season is told after all that happened, whatever its size. */
const isKnownPattern = ({ kind }: KeyedFinding): boolean => kind === 'season'

/** How large something is, not how it changed. */
const isLevel = (kind: FindingKind): boolean => isFactKind(kind) && kind !== 'growth'

/** Who grew fastest: what moved within a whole is no more than what the whole did. */
const isGrowthOfMembers = ({ kind, member }: KeyedFinding): boolean => kind === 'growth' && member !== null

/** What is at stake can be compared within one unit alone: amounts of one currency, or amounts that name none. */
function stakeUnit({ about, kind }: KeyedFinding): string | null {
  if (kind === 'influencer' || about.format.style === 'percent') return null
  // How much there is of something is held against how much there is of others, not against what changed.
  const pool = isLevel(kind) ? 'level ' : ''
  if (about.format.style === 'currency') return `${pool}${about.format.currency}`
  const { measure } = about
  const isSum = measure.kind !== 'ratio' && 'agg' in measure && measure.agg === 'sum'
  return isSum && isMoneyFigure(about) ? `${pool}plain` : null
}
const sizeOf = ({ effect }: KeyedFinding): number => Math.abs(Number(effect.change))

/** A figure of money that a business wants more of; a cost is one that it wants less of. */
const isEarning = ({ about }: KeyedFinding): boolean => isMoneyFigure(about) && about.direction !== 'down'
const isCost = ({ about, kind }: KeyedFinding): boolean =>
  kind !== 'influencer' && isMoneyFigure(about) && about.direction === 'down'

/** Whose rows happened together: lines, and the documents that they are dated by. */
const documentsOf = ({ about }: KeyedFinding): string => about.time.dataset
const earningDocuments = (findings: readonly KeyedFinding[]): Set<string> =>
  new Set(findings.filter(isEarning).map(documentsOf))

/** Whether a finding is about a cost or a number of things where money that is earned is told of the same rows. */
export function partsOfEarnings(findings: readonly KeyedFinding[]): (finding: KeyedFinding) => boolean {
  const earning = earningDocuments(findings)
  return (finding) =>
    finding.kind !== 'influencer' &&
    !isEarning(finding) &&
    finding.about.format.style !== 'percent' &&
    earning.has(documentsOf(finding))
}

/** 0…1 of each finding: how much its change is beside the largest change of its unit. */
function stakes(findings: readonly KeyedFinding[]): (finding: KeyedFinding) => number {
  const largest = new Map<string, number>()
  for (const finding of findings) {
    const unit = stakeUnit(finding)
    if (unit === null || isKnownPattern(finding)) continue
    largest.set(unit, Math.max(largest.get(unit) ?? 0, sizeOf(finding)))
  }
  const moneyed = earningDocuments(findings)
  return (finding) => {
    const unit = stakeUnit(finding)
    const isQuantity = finding.kind !== 'influencer' && !isMoneyFigure(finding.about)
    if (isQuantity && moneyed.has(documentsOf(finding)))
      return isLevel(finding.kind) ? LEVEL_STAKE_OF_QUANTITY : STAKE_OF_QUANTITY
    const most = unit === null ? 0 : (largest.get(unit) ?? 0)
    if (most === 0) return STAKE_UNKNOWN
    const part = Math.sqrt(Math.min(1, sizeOf(finding) / most))
    return (isLevel(finding.kind) && finding.kind !== 'loss') || isGrowthOfMembers(finding)
      ? STAKE_UNKNOWN * (LEVEL_STAKE_MIN + (1 - LEVEL_STAKE_MIN) * part)
      : STAKE_MIN + (1 - STAKE_MIN) * part
  }
}

/** Whether a result went below nothing, or further below. */
const isLoss = ({ kind, tone, effect, about }: KeyedFinding): boolean =>
  about.format.style !== 'percent' &&
  tone === 'bad' &&
  kind !== 'influencer' &&
  Number(effect.value) < 0 &&
  effect.change.startsWith('-')

const noveltyFactor = (firstFoundAt: string, now: number): number =>
  NOVELTY_MIN + (1 - NOVELTY_MIN) * 2 ** (-Math.max(0, now - Date.parse(firstFoundAt)) / NOVELTY_HALF_LIFE_MS)

/** Value at stake × certainty × novelty; certainty and how large it is beside its own past are in the finding's score. */
function scoreOf(
  finding: KeyedFinding,
  { stake, isPart }: { stake: number; isPart: boolean },
  { now }: RankingReader,
): number {
  const harm = isLoss(finding) ? LOSS_FACTOR : finding.tone === 'bad' ? BAD_FACTOR : 1
  const wanted = finding.rating === 'useless' ? USELESS_FACTOR : 1
  const worth = finding.kind === 'growth' && isResultAmount(finding.about) ? RESULT_FACTOR : 1
  const cost = isPart ? COST_FACTOR : 1
  return finding.score * stake * noveltyFactor(finding.firstFoundAt, now) * harm * wanted * worth * cost
}

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

/** The highest month of a figure that is looked at by weeks or days. */
const isMonthOfWeeks = ({ kind, about, period, member }: KeyedFinding): boolean =>
  kind === 'peak' && member !== null && period.grain === 'month' && about.grain !== 'month'

/**
 * Who is largest, or is gone, by what was sold and by how often or what it cost, in whichever tables; or two figures of the same
 * documents that are highest at one time.
 */
function isSaidByOther(a: KeyedFinding, b: KeyedFinding): boolean {
  if (a.kind !== b.kind || !isSamePeriod(a, b)) return false
  if (a.subject === b.subject)
    return a.kind === 'peak' && isMonthOfWeeks(a) !== isMonthOfWeeks(b) && !(a.member && b.member)
  const isPeak = a.kind === 'peak' && documentsOf(a) === documentsOf(b)
  if (a.member === null || b.member === null) return isPeak && a.member === b.member
  const isMembers = a.kind === 'leader' || a.kind === 'lostMember' || a.kind === 'newMember' || isPeak
  return isMembers && memberName(a) === memberName(b)
}

/** Who loses, told by the sum, by the ratio, or by how often. */
const isOneLoss = (loss: KeyedFinding, other: KeyedFinding): boolean => {
  if (loss.kind !== 'loss' || loss.member?.label !== other.member?.label) return false
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

/** Whether two findings are one happening: the same rows, at the same time, by another figure, split or kind. */
function isSameStory(a: KeyedFinding, b: KeyedFinding): boolean {
  if (isFactKind(a.kind) && isSaidTwice(a, b)) return true
  if (isSaidByOther(a, b)) return true
  if (a.about.dataset !== b.about.dataset || isKnownPattern(a) !== isKnownPattern(b)) return false
  if (isOneLoss(a, b) || isOneLoss(b, a)) return true
  if (a.kind === 'influencer' || b.kind === 'influencer' || isLevel(a.kind) || isLevel(b.kind)) return false
  if (!isSamePeriod(a, b)) return false
  if (a.kind === 'growth' && b.kind === 'growth') return movesAlike(a, b)
  const isOneFigure = a.subject === b.subject
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
  // A customer, and the city that only this customer is in.
  return isTwin(a, b) && a.kind === b.kind && a.member?.dimension !== b.member?.dimension
}

/**
 * Those that tell the same of one member, or of the whole, as one before them by another figure. Of many datasets there are
 * thousands: each is held beside those alone that it may be the same as.
 */
export function findRetold(ranked: readonly KeyedFinding[]): Set<KeyedFinding> {
  const retold = new Set<KeyedFinding>()
  const told = new Map<string, KeyedFinding[]>()
  for (const finding of ranked) {
    const { about, kind, effect, subject } = finding
    const member = memberName(finding)
    const places = [JSON.stringify([about.dataset, member])]
    // The same fact may stand in two datasets.
    if (isFactKind(kind)) places.push(JSON.stringify([kind, member, effect.value]))
    const known = places.map((place) => told.get(place) ?? [])
    if (known.flat().some((one) => one.subject !== subject && isSameStory(one, finding))) retold.add(finding)
    for (const [at, place] of places.entries()) told.set(place, [...(known[at] ?? []), finding])
  }
  return retold
}

/** A story is new, read or put off as its lead is; what else shows it follows. */
function stateOf(
  { key, firstFoundAt }: KeyedFinding,
  { marks, now, since }: RankingReader,
): Pick<RankedStory, 'state' | 'snoozedUntil'> {
  const mark = marks.get(key)
  const snoozedUntil = mark?.snoozedUntil ?? null
  if (snoozedUntil !== null && snoozedUntil > now) return { state: 'snoozed', snoozedUntil }
  if (mark && mark.readAt !== null) return { state: 'read', snoozedUntil: null }
  return { state: since === null || Date.parse(firstFoundAt) > since ? 'new' : 'unread', snoozedUntil: null }
}

interface RankedFinding {
  finding: KeyedFinding
  score: number
  isHistory: boolean
  /** The person wants less of its kind. */
  isLess: boolean
}
const byRank = (a: RankedFinding, b: RankedFinding): number =>
  Number(b.finding.pinned) - Number(a.finding.pinned) ||
  Number(a.isHistory) - Number(b.isHistory) ||
  Number(isKnownPattern(a.finding)) - Number(isKnownPattern(b.finding)) ||
  Number(a.isLess) - Number(b.isLess) ||
  b.score - a.score ||
  (a.finding.key < b.finding.key ? -1 : 1)

/** Of one kind and figure the second and further ones stand back. */
function demoteRepeats(sorted: readonly RankedFinding[]): RankedFinding[] {
  const seen = new Map<string, number>()
  return sorted.map((one) => {
    const { finding, score } = one
    const name = `${finding.subject} ${finding.kind}`
    const before = seen.get(name) ?? 0
    seen.set(name, before + 1)
    return { ...one, score: score * REPEAT_FACTOR ** before }
  })
}

/** Stories told before the first season. */
const BEFORE_SEASON = 5

/** What comes every year is told after every loss and after the first stories, before what only says how large something is. */
function seasonsAfterLosses(sorted: readonly RankedFinding[]): RankedFinding[] {
  const [first, ...others] = sorted.filter(({ finding }) => isKnownPattern(finding) && !finding.pinned)
  if (!first) return [...sorted]
  const rest = sorted.filter((one) => one !== first && !others.includes(one))
  const lastLoss = rest.findLastIndex(({ finding }) => isLoss(finding))
  const at = Math.min(rest.length, Math.max(lastLoss + 1, BEFORE_SEASON))
  return [...rest.slice(0, at), first, ...rest.slice(at), ...others]
}

const SHAPES: ReadonlySet<FindingKind> = new Set(['trendBreak', 'levelShift', 'streak'])
/** The newest year beside the one before is plainer than the shape of the line that led there, what was sold to somebody than what it cost. */
const leadsPlainly = (one: KeyedFinding, lead: KeyedFinding): boolean =>
  (one.kind === 'growth' && one.subject === lead.subject && lead.member === null && SHAPES.has(lead.kind)) ||
  (isMonthOfWeeks(one) && lead.kind === 'peak' && one.subject === lead.subject) ||
  (isCost(lead) && isEarning(one) && one.kind === lead.kind && memberName(one) === memberName(lead))

/** Findings as stories, what matters most first. A season never comes before a loss. */
export function rankStories(findings: readonly KeyedFinding[], reader: RankingReader): RankedStory[] {
  const stakeOf = stakes(findings)
  const earning = earningDocuments(findings)
  const newest = Math.max(...findings.map(endOf))
  const scored = findings.map((finding) => ({
    finding,
    score: scoreOf(
      finding,
      { stake: stakeOf(finding), isPart: isCost(finding) && earning.has(documentsOf(finding)) },
      reader,
    ),
    isHistory: endOf(finding) < newest - HISTORY_AFTER_MS,
    isLess: reader.lessOf.has(finding.kind),
  }))
  const groups: { lead: RankedFinding; facets: KeyedFinding[] }[] = []
  for (const one of scored.toSorted(byRank)) {
    const told = groups.find(({ lead }) => isSameStory(lead.finding, one.finding))
    if (told && leadsPlainly(one.finding, told.lead.finding)) {
      told.facets.unshift(told.lead.finding)
      told.lead = { ...one, score: told.lead.score }
    } else if (told) told.facets.push(one.finding)
    else groups.push({ lead: one, facets: [] })
  }
  const facets = new Map(groups.map(({ lead, facets: of }) => [lead.finding.key, of]))
  return seasonsAfterLosses(demoteRepeats(groups.map(({ lead }) => lead)).toSorted(byRank)).map(({ finding }) => ({
    lead: finding,
    facets: facets.get(finding.key) ?? [],
    ...stateOf(finding, reader),
  }))
}

/** Kinds that stories are of, in their order. */
export const kindsOf = (stories: readonly RankedStory[]): FindingKind[] => [
  ...new Set(stories.map(({ lead }) => lead.kind)),
]
