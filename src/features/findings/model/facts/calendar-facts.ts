import type { DetectedFinding, FindingMember } from '../../../../shared/findings'
import { weightOf } from './fact-parts'
import { calendarSentence, type PartExtremes, type PartFigure, type PartShare } from './fact-sentences'

/** When in the week, and in the day, a figure is highest and lowest: read off the rows, of amounts that come nearly every day. */

export interface CalendarParts {
  weekdays: readonly PartFigure[]
  /** Nothing where no time of day is known. */
  hours: readonly PartFigure[]
}

/** A week that is worked on fewer days has no busiest one. */
const WEEKDAYS_MIN = 5
const HOURS_MIN = 4
/**
 * By so much of their mean the highest stands above the one in the middle: that a week has quiet days at its end, and a day quiet
 * hours, everybody knows.
 */
const WEEKDAYS_APART_MIN = 0.1
const HOURS_APART_MIN = 0.3
/** Of few rows one part stands out by luck: so many times the usual error of a part that each row falls into alike. */
const ERRORS_APART_MIN = 2

function extremesOf(
  figures: readonly PartFigure[],
  { least, apart, rows }: { least: number; apart: number; rows: number },
): PartExtremes | null {
  const sum = figures.reduce((all, { value }) => all + Number(value), 0)
  const ranked = figures
    .filter(({ value }) => Number(value) > 0)
    .map((one): PartShare => ({ ...one, share: Number(one.value) / sum }))
    .toSorted((a, b) => b.share - a.share || a.part - b.part)
  const [high, middle, low] = [ranked[0], ranked[Math.floor(ranked.length / 2)], ranked.at(-1)]
  if (!high || !middle || !low || ranked.length < least || ranked.length < figures.length) return null
  const found = { high, low, apart: (high.share - middle.share) * ranked.length }
  const luck = ERRORS_APART_MIN * Math.sqrt(ranked.length / rows)
  return found.apart >= Math.max(apart, luck) ? found : null
}

/** @returns what is told of them, or null where all weekdays are alike */
export function calendarFact(
  about: { subject: string; label: string; period: DetectedFinding['period']; buckets: number; rows: number },
  { weekdays, hours }: CalendarParts,
): DetectedFinding | null {
  const { rows } = about
  const week = extremesOf(weekdays, { least: WEEKDAYS_MIN, apart: WEEKDAYS_APART_MIN, rows })
  const day = extremesOf(hours, { least: HOURS_MIN, apart: HOURS_APART_MIN, rows })
  const lead = week ?? day
  if (!lead) return null
  const by = week ? 'weekday' : 'hour'
  const member: FindingMember = { dimension: by, label: by, value: lead.high.part }
  const value = String(lead.high.value)
  return {
    p: 0,
    ...{ subject: about.subject, kind: 'peak', member, tone: 'neutral', period: about.period },
    ...{ against: 'rest', comparison: null, contributions: [], n: about.buckets },
    effect: { value, previous: null, change: value, percent: null },
    statistic: { name: 'share', value: lead.high.share },
    sentence: calendarSentence(about, { week, day }),
    ...{ q: 0, confidence: 1, score: 0.3 + 0.2 * weightOf(lead.apart, 0.5) },
  }
}
