import type { AlertCondition, AlertGrain, AlertRules, ConditionOf } from './alerts'
import type { FindingKind } from './findings'
import { formatPeriod } from './target-periods'

/** What each kind of finding is called where one is chosen. */
export const FINDING_KIND_LABELS: Record<FindingKind, string> = {
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

export const ALERT_GRAIN_LABELS: Record<AlertGrain, string> = {
  day: 'day',
  week: 'week',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  fiscalQuarter: 'fiscal quarter',
  fiscalYear: 'fiscal year',
}

const BAND_SIDE_LABELS: Record<ConditionOf<'band'>['side'], string> = {
  above: 'above',
  below: 'below',
  either: 'outside',
}

/** How figures of a condition are written: in the unit of what is followed, and as per cent. */
export interface ConditionFormatters {
  measure: (value: number) => string
  percent: (part: number) => string
}

/** The condition in words, after what is followed: “is above 100 000 kr”. */
export function describeCondition(
  condition: AlertCondition,
  grain: AlertGrain,
  { measure, percent }: ConditionFormatters,
): string {
  if (condition.kind === 'value') return `is ${condition.op} ${measure(condition.limit)}`
  if (condition.kind === 'finding') {
    const names = condition.kinds.map((kind) => FINDING_KIND_LABELS[kind])
    const last = names.at(-1) ?? ''
    const list = names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
    return `shows a finding: ${list}`
  }
  if (condition.kind === 'band')
    return `is ${BAND_SIDE_LABELS[condition.side]} the ${condition.level} % band of its forecast`
  const size = condition.unit === 'percent' ? percent(condition.by) : measure(condition.by)
  const before = condition.against === 'year' ? 'the year before' : `the ${ALERT_GRAIN_LABELS[grain]} before`
  return `${condition.op} by ${size} or more against ${before}`
}

/** How long it must hold, in words; null where once is enough. */
export function describeHold({ hold, grain }: Pick<AlertRules, 'hold' | 'grain'>): string | null {
  if (hold.n === 1) return null
  return hold.of === 'periods'
    ? `for ${hold.n} ${ALERT_GRAIN_LABELS[grain]}s in a row`
    : `at ${hold.n} updates in a row`
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const formatDay = (day: string): string =>
  `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ''} ${day.slice(0, 4)}`

/** A period by its first day: `Jan 2026`, `3 Feb 2026`, `the week of 2 Feb 2026`. */
export function formatAlertPeriod(start: string, grain: AlertGrain): string {
  if (grain === 'day') return formatDay(start)
  return grain === 'week' ? `the week of ${formatDay(start)}` : formatPeriod(start, grain)
}
