import { memberKey, seriesOf } from './series'
import type { MemberSeries, Series, SeriesDeps } from './series'
import { cellsOf, expectedShare, progressOf, targetOf, yearSoFar } from '../shared/target-pace'
import type { Cells } from '../shared/target-pace'
import { monthsLater, periodEnd, periodsBetween, yearGrainOf } from '../shared/target-periods'
import { unitsOf } from '../shared/target-spread'
import type { LineProgress, PeriodProgress, TargetLine, TargetProgress, TargetTable } from '../shared/targets'
import type { Tracked } from '../shared/tracked'

const UNITS = 10_000
/** A target's exact decimal as a number. */
export const targetNumber = (decimal: string): number => Number(unitsOf(decimal)) / UNITS

/** What a line needs: the year so far by period, and the same part and whole of last year's running period. */
interface Figures {
  now: Series
  soFar: Series
  whole: Series
}

/**
 * How the running period and the year have come along, for the whole and for every member that has targets.
 * @throws ProductError what its questions are refused for
 */
export async function progress(at: SeriesDeps, tracked: Tracked, table: TargetTable): Promise<TargetProgress> {
  const { today, fiscalYearStart } = at.calendar
  const { grain, by } = table
  const year = yearSoFar(today, { grain, fiscalYearStart })
  const before = { from: monthsLater(year.running, -12), to: monthsLater(today, -12) }
  const [now, soFar, whole] = await Promise.all([
    seriesOf(at, tracked, { grain, from: year.start, to: today, by }),
    seriesOf(at, tracked, { ...before, by }),
    seriesOf(at, tracked, { from: before.from, to: monthsLater(periodEnd(year.running, grain), -12), by }),
  ])
  const line = { tracked, table, today, fiscalYearStart, year, figures: { now, soFar, whole } }
  return {
    ...{ grain, today, direction: tracked.direction, format: now.format, dataAsOf: now.dataAsOf },
    lines: table.lines.map((one) => lineProgress(one, line)),
  }
}

interface At {
  tracked: Tracked
  table: TargetTable
  today: string
  fiscalYearStart: number
  year: ReturnType<typeof yearSoFar>
  figures: Figures
}

const seriesFor = ({ total, members }: Series, { member }: TargetLine): MemberSeries | undefined =>
  member === undefined ? total : members.find((one) => memberKey(one.member) === memberKey(member))

function lineProgress(line: TargetLine, at: At): LineProgress {
  const { tracked, year, figures, table, today } = at
  const cells = cellsOf(line)
  const values = seriesFor(figures.now, line)?.values ?? new Map<string, number>()
  const lastYear = {
    soFar: seriesFor(figures.soFar, line)?.values.get('') ?? null,
    whole: seriesFor(figures.whole, line)?.values.get('') ?? null,
  }
  const range = { from: year.running, to: periodEnd(year.running, table.grain), today }
  const pace = tracked.additive ? expectedShare(range, lastYear) : null
  const actual = values.get(year.running) ?? (tracked.additive && figures.now.total.values.size > 0 ? 0 : null)
  const target = cells.get(year.running)
  const { direction } = tracked
  const now =
    target === undefined
      ? null
      : progressOf({ period: year.running, actual, target: targetNumber(target), pace, direction })
  const name = seriesFor(figures.now, line)?.label ?? labelOf(line)
  return {
    ...(line.member === undefined ? {} : { member: line.member }),
    label: name,
    now,
    year: pace === null ? null : yearProgress(cells, values, { ...at, pace }),
  }
}
const labelOf = ({ member }: TargetLine): string | null =>
  member === undefined ? null : member === null || member === '' ? 'No value' : String(member)

type Pace = ReturnType<typeof expectedShare>

/** Null where a period of the year has no target, or the year is one period. */
function yearProgress(cells: Cells, values: MemberSeries['values'], at: At & { pace: Pace }): PeriodProgress | null {
  const { table, fiscalYearStart, year, pace, tracked } = at
  const { grain } = table
  const end = periodEnd(year.start, yearGrainOf(grain))
  const periods = periodsBetween(year.start, end, { grain, fiscalYearStart })
  const whole = targetOf(cells, periods)
  if (whole === null || periods.length === 1) return null
  const target = targetNumber(whole)
  const over = year.over.length === 0 ? 0 : targetNumber(targetOf(cells, year.over) ?? '0')
  const expected = over + targetNumber(cells.get(year.running) ?? '0') * pace.share
  const actual = [...values.values()].reduce((sum, value) => sum + value, 0)
  const { direction } = tracked
  const share = target === 0 ? 1 : expected / target
  return progressOf({ period: year.start, actual, target, pace: { share, basis: pace.basis }, direction })
}
