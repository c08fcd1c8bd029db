import { answerPage, type TilesContext } from './answer-page'
import { periodDays } from './period-days'
import { dayFromIso, isoFromDay, startOfUnit, type Calendar } from '../../shared/dates'
import type { BlockOf } from '../../shared/reports/blocks'
import type { ObservationPreview } from '../../shared/reports/observation-preview'
import type { ReportContent, ReportPeriod, ReportRange } from '../../shared/reports/reports'
import { dayRangeLabel } from '../../warehouse/query/time/resolve-period'

const PERIODS = 6
const LAST_MONTH: ReportRange = { kind: 'relative', span: 'last', n: 1, unit: 'month', includeCurrent: false }

/** A period of a report as it was some periods ago: its range, and the day from which relative periods count. */
interface PastPeriod {
  range: ReportRange
  today: string
}

/** `back` periods before the one that stands now; relative ranges are those of a day in that time. */
export function pastPeriod(range: ReportRange, calendar: Calendar, back: number): PastPeriod {
  const now = dayFromIso(calendar.today) ?? 0
  if (back === 0) return { range, today: calendar.today }
  if (range.kind === 'absolute') {
    const [from, to] = [dayFromIso(range.from) ?? 0, dayFromIso(range.to) ?? 0]
    const [shiftedFrom, shiftedTo] = shifted({ from, to }, calendar, back)
    return { range: { ...range, from: isoFromDay(shiftedFrom), to: isoFromDay(shiftedTo) }, today: calendar.today }
  }
  if (range.span === 'all') return { range, today: calendar.today }
  const runs = range.span === 'this' || range.includeCurrent
  const units = range.span === 'this' ? 1 : range.n + (range.includeCurrent ? 1 : 0)
  // A whole period: of one that runs up to now, its last day.
  const start = startOfUnit(now, range.unit, calendar, -back * units)
  const end = startOfUnit(start, range.unit, calendar, 1) - 1
  return { range, today: isoFromDay(runs ? end : start) }
}

/** Whole months stay whole months; other days are as many days. */
function shifted({ from, to }: { from: number; to: number }, calendar: Calendar, back: number): [number, number] {
  const month = (day: number, steps = 0): number => startOfUnit(day, 'month', calendar, steps)
  if (month(from) !== from || month(to, 1) !== to + 1)
    return [from - (to - from + 1) * back, to - (to - from + 1) * back]
  let months = 1
  while (month(from, months) <= to) months += 1
  return [month(from, -months * back), month(to, 1 - months * back) - 1]
}

/** Which sentence an observation would have said in each of the last periods of its report, the newest first. */
export async function previewObservation(
  context: TilesContext,
  content: ReportContent,
  block: BlockOf<'observation'>,
): Promise<ObservationPreview[]> {
  const [page] = content.pages
  if (!page) return []
  const range = content.period.range ?? LAST_MONTH
  const count = range.kind === 'relative' && range.span === 'all' ? 1 : PERIODS
  const asked = { ...content, pages: [{ ...page, blocks: [block] }] }
  const filters = content.filters.flatMap(({ filter }) => filter ?? [])
  const previews: ObservationPreview[] = []
  for (let back = 0; back < count; back += 1) {
    const past = pastPeriod(range, context.calendar, back)
    const calendar = { ...context.calendar, today: past.today }
    const period: ReportPeriod = { range: past.range, compare: content.period.compare }
    const days = periodDays(past.range, calendar)
    const request = { of: 'draft' as const, page: page.id, filters, sources: [], period }
    const label = days ? dayRangeLabel(days) : 'All time'
    for await (const line of answerPage({ ...context, calendar }, asked, request)) {
      if ('end' in line) continue
      if ('error' in line) previews.push({ label, meets: null, tokens: {}, problem: line.error.message })
      else if (line.content.kind === 'observation') {
        const { meets, tokens } = line.content
        previews.push({ label, meets, tokens, problem: null })
      }
    }
  }
  return previews
}
