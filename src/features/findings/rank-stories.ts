import { DAY_MS } from '../../shared/dates'
import { isMoneyFigure, isResultAmount } from '../../shared/data-sources/key-columns'
import { isSameField } from '../../shared/query/plan-fields'
import type { KeyedFinding, StoryMark, StoryState } from '../../shared/briefing/briefing'
import { calendarUnit, type FindingKind } from '../../shared/findings'
import { isOneLoss, isSameStory, isToldElsewhere, leadsPlainly } from './same-story'
import { countsOfLists, documentsOf, earningDocuments, isCost, isKnownPattern, isLevel, sizeOf } from './story-figures'

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
/** Of numbers of things where money is told of the same rows, or of what is only listed: they say less than what was sold. */
const STAKE_OF_QUANTITY = 0.3
/** And of how many there are of something, or what it costs, where it is told how much was sold. */
const LEVEL_STAKE_OF_PART = 0.15
/** A cost is told after an amount, a result or a margin of equal stake: it is a part of what they say. */
const COST_FACTOR = 0.6
/** How large something is comes after what changed and what was lost: so much at most is at stake. */
const LEVEL_STAKE = 0.4
/** The least of how much there is of something, beside the largest. */
const LEVEL_STAKE_MIN = 0.75
/** A crown of what is left is worth more than one of what was sold. */
const RESULT_FACTOR = 1.5
/** A result below nothing is told before a change of the same size that leaves it above. */
const LOSS_FACTOR = 2
const BAD_FACTOR = 1.25
/** A share that nobody asked for is told of a member after the amounts that it is made of. */
const PROPOSED_RATIO_FACTOR = 0.5
const isProposedRatio = ({ about, member, kind }: KeyedFinding): boolean =>
  about.format.style === 'percent' &&
  about.metric === null &&
  about.insights.length === 0 &&
  member !== null &&
  kind !== 'influencer' &&
  !isLevel(kind)
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

/** Who grew fastest: what moved within a whole is no more than what the whole did. */
const isGrowthOfMembers = ({ kind, member }: KeyedFinding): boolean => kind === 'growth' && member !== null

/** What goes on is held against others by what it comes to in a year: a few weeks of it four times at most. */
const GOES_ON: ReadonlySet<FindingKind> = new Set<FindingKind>([
  'contribution',
  'turned',
  'levelShift',
  'lostMember',
  'newMember',
])
const TIMES_PER_YEAR_MAX = 4
function yearlySize(finding: KeyedFinding): number {
  if (!GOES_ON.has(finding.kind)) return sizeOf(finding)
  const lasted = endOf(finding) - Date.parse(finding.period.from.slice(0, 10))
  return sizeOf(finding) * Math.min(TIMES_PER_YEAR_MAX, Math.max(1, (LONGEST_DAYS.year * DAY_MS) / lasted))
}

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
/** 0…1 of each finding: how much its change is beside the largest change of its unit. */
function stakes(findings: readonly KeyedFinding[]): (finding: KeyedFinding) => number {
  const largest = new Map<string, number>()
  for (const finding of findings) {
    const unit = stakeUnit(finding)
    if (unit === null || isKnownPattern(finding)) continue
    largest.set(unit, Math.max(largest.get(unit) ?? 0, yearlySize(finding)))
  }
  const earning = earningDocuments(findings)
  const moneyed = new Set(findings.filter(({ about }) => isMoneyFigure(about)).map(documentsOf))
  const isCountOfList = countsOfLists(findings)
  const isQuantity = (finding: KeyedFinding): boolean =>
    isCountOfList(finding) ||
    (finding.kind !== 'influencer' && !isMoneyFigure(finding.about) && moneyed.has(documentsOf(finding)))
  return (finding) => {
    const unit = stakeUnit(finding)
    if (isQuantity(finding)) return isLevel(finding.kind) ? LEVEL_STAKE_OF_PART : STAKE_OF_QUANTITY
    if (isCost(finding) && isLevel(finding.kind) && earning.has(documentsOf(finding))) return LEVEL_STAKE_OF_PART
    const most = unit === null ? 0 : (largest.get(unit) ?? 0)
    if (most === 0) return isLevel(finding.kind) && finding.kind !== 'loss' ? LEVEL_STAKE : STAKE_UNKNOWN
    // Of fewer groups each is larger: which of them is told first is in their scores.
    const part = finding.kind === 'leader' ? 1 : Math.sqrt(Math.min(1, yearlySize(finding) / most))
    return (isLevel(finding.kind) && finding.kind !== 'loss') || isGrowthOfMembers(finding)
      ? LEVEL_STAKE * (LEVEL_STAKE_MIN + (1 - LEVEL_STAKE_MIN) * part)
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
  const asked = isProposedRatio(finding) ? PROPOSED_RATIO_FACTOR : 1
  return finding.score * asked * stake * noveltyFactor(finding.firstFoundAt, now) * harm * wanted * worth * cost
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

/** Of one kind and figure the second and further ones stand back; what goes with outcomes does so where a column has been told of. */
function demoteRepeats(sorted: readonly RankedFinding[]): RankedFinding[] {
  return sorted.map((one, at) => {
    const isRepeated = ({ finding }: RankedFinding): boolean =>
      finding.subject === one.finding.subject && finding.kind === one.finding.kind && sharesColumn(finding, one.finding)
    return { ...one, score: one.score * REPEAT_FACTOR ** sorted.slice(0, at).filter(isRepeated).length }
  })
}
const sharesColumn = ({ conditions: a }: KeyedFinding, { conditions: b }: KeyedFinding): boolean =>
  !a || !b || a.some(({ field }) => b.some((other) => isSameField(field, other.field)))

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

/** Tenth at the latest it is told what a business is mostly made of, however much has changed. */
const LEADER_BY = 10
function leaderAmongFirst(sorted: readonly RankedFinding[]): RankedFinding[] {
  const at = sorted.findIndex(({ finding, isLess }) => finding.kind === 'leader' && !isLess)
  const leader = sorted[at]
  if (!leader || at < LEADER_BY) return [...sorted]
  return sorted.toSpliced(at, 1).toSpliced(LEADER_BY - 1, 0, leader)
}

interface StoryGroup {
  lead: RankedFinding
  facets: KeyedFinding[]
}

/** What two findings have in common wherever they are one story: of thousands only these are held against each other. */
const commonTraits = ({ kind, about }: KeyedFinding): string[] => [
  `dataset ${about.dataset}`,
  ...(isToldElsewhere(kind) ? [`kind ${kind}`] : []),
]
const LOSSES = 'losses'

/** Findings, best first, as stories: what tells the same as one before it is a facet of it, or leads it where it says it more plainly. */
function groupStories(ranked: readonly RankedFinding[]): StoryGroup[] {
  const groups: StoryGroup[] = []
  const places = new Map<string, Set<number>>()
  const remember = (finding: KeyedFinding, at: number): void => {
    for (const trait of [...commonTraits(finding), ...(finding.kind === 'loss' ? [LOSSES] : [])])
      places.set(trait, (places.get(trait) ?? new Set()).add(at))
  }
  const storyOf = (one: KeyedFinding): number | undefined => {
    const near = [...commonTraits(one), LOSSES].flatMap((trait) => [...(places.get(trait) ?? [])])
    return near
      .toSorted((a, b) => a - b)
      .find((at) => {
        const group = groups[at]
        if (!group) return false
        return isSameStory(group.lead.finding, one) || group.facets.some((facet) => isOneLoss(facet, one))
      })
  }
  for (const one of ranked) {
    const at = storyOf(one.finding) ?? groups.length
    const told = groups[at]
    if (told && !told.lead.finding.pinned && leadsPlainly(one.finding, told.lead.finding)) {
      told.facets.unshift(told.lead.finding)
      told.lead = { ...one, score: told.lead.score }
    } else if (told) told.facets.push(one.finding)
    else groups.push({ lead: one, facets: [] })
    remember(one.finding, at)
  }
  return groups
}

/** A cost beside what was earned with it; one that stands apart is a happening of its own. */
const isPartOfResult = (finding: KeyedFinding, earning: ReadonlySet<string>): boolean =>
  finding.kind !== 'outlier' && isCost(finding) && earning.has(documentsOf(finding))

/** Findings as stories, what matters most first. A season never comes before a loss. */
export function rankStories(findings: readonly KeyedFinding[], reader: RankingReader): RankedStory[] {
  const stakeOf = stakes(findings)
  const earning = earningDocuments(findings)
  const newest = Math.max(...findings.map(endOf))
  const scored = findings.map((finding) => ({
    finding,
    score: scoreOf(finding, { stake: stakeOf(finding), isPart: isPartOfResult(finding, earning) }, reader),
    isHistory: endOf(finding) < newest - HISTORY_AFTER_MS,
    isLess: reader.lessOf.has(finding.kind),
  }))
  const groups = groupStories(scored.toSorted(byRank))
  const facets = new Map(groups.map(({ lead, facets: of }) => [lead.finding.key, of]))
  const ranked = demoteRepeats(groups.map(({ lead }) => lead)).toSorted(byRank)
  return leaderAmongFirst(seasonsAfterLosses(ranked)).map(({ finding }) => ({
    lead: finding,
    facets: facets.get(finding.key) ?? [],
    ...stateOf(finding, reader),
  }))
}

/** Stories that are listed before what else shows them. */
const STORIES_FIRST = 10

/** Findings as they are listed: pinned ones, then the first stories in the order of the briefing, what else shows these, and the others. */
export function rankFindings<T extends KeyedFinding>(findings: readonly T[], now: number): T[] {
  const stories = rankStories(findings, { now, since: null, marks: new Map(), lessOf: new Set() })
  const listed = [stories.slice(0, STORIES_FIRST), stories.slice(STORIES_FIRST)].flatMap((some) => [
    ...some.map(({ lead }) => lead.key),
    ...some.flatMap(({ facets }) => facets.map(({ key }) => key)),
  ])
  const places = new Map(listed.map((key, at) => [key, at]))
  const placeOf = ({ key }: T): number => places.get(key) ?? 0
  return findings.toSorted((a, b) => Number(b.pinned) - Number(a.pinned) || placeOf(a) - placeOf(b))
}

/** Kinds that stories are of, in their order. */
export const kindsOf = (stories: readonly RankedStory[]): FindingKind[] => [
  ...new Set(stories.map(({ lead }) => lead.kind)),
]
