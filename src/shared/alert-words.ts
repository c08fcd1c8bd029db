import type { AlertCondition, AlertGrain, AlertRules, ConditionOf } from './alerts'
import type { FindingKind } from './findings'
import { periodName } from './target-periods'

/** What each kind of finding is called where one is chosen. */
export const FINDING_WORDS: Record<FindingKind, string> = {
  change: 'unusual change',
  mixShift: 'shift in the mix',
  newMember: 'new member',
  lostMember: 'lost member',
  concentration: 'concentration',
  outlier: 'outlier',
  levelShift: 'new level',
  trendBreak: 'break of the trend',
  streak: 'streak',
  season: 'season',
  targetRisk: 'target at risk',
}

export const GRAIN_WORDS: Record<AlertGrain, string> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  fiscalQuarter: 'fiscal quarter',
  fiscalYear: 'fiscal year',
}

const SIDE_WORDS: Record<ConditionOf<'band'>['side'], string> = { above: 'above', below: 'below', either: 'outside' }

/** How figures of a condition are written: in the unit of what is followed, and as per cent. */
export interface ConditionFigures {
  measure: (value: number) => string
  percent: (part: number) => string
}

/** The condition in words, after what is followed: “is above 100 000 kr”. */
export function conditionWords(
  condition: AlertCondition,
  grain: AlertGrain,
  { measure, percent }: ConditionFigures,
): string {
  if (condition.kind === 'value') return `is ${condition.op} ${measure(condition.limit)}`
  if (condition.kind === 'finding') {
    const names = condition.kinds.map((kind) => FINDING_WORDS[kind])
    const last = names.at(-1) ?? ''
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
    return `shows a finding: ${list}`
  }
  if (condition.kind === 'band') return `is ${SIDE_WORDS[condition.side]} the ${condition.level} % band of its forecast`
  const size = condition.unit === 'percent' ? percent(condition.by) : measure(condition.by)
  const before = condition.against === 'year' ? 'the year before' : `the ${GRAIN_WORDS[grain]} before`
  return `${condition.op} by ${size} or more against ${before}`
}

/** How long it must hold, in words; null where once is enough. */
export function holdWords({ hold, grain }: Pick<AlertRules, 'hold' | 'grain'>): string | null {
  if (hold.n === 1) return null
  return hold.of === 'periods' ? `for ${hold.n} ${GRAIN_WORDS[grain]}s in a row` : `at ${hold.n} updates in a row`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayName = (day: string): string =>
  `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`

/** A period by its first day: `Jan 2026`, `3 Feb 2026`, `the week of 2 Feb 2026`. */
export function alertPeriod(start: string, grain: AlertGrain): string {
  if (grain === 'day') return dayName(start)
  return grain === 'week' ? `the week of ${dayName(start)}` : periodName(start, grain)
}
