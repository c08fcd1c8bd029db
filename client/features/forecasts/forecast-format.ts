import { useMemo } from 'react'
import type { ForecastFormatter } from '../../../src/shared/forecasts/model-card-text'
import type { ForecastGrain, ForecastResult } from '../../../src/shared/forecasts/result'
import { useCellFormatter } from '../../lib/cell-formatter'
import { bucketLabel, type CellFormatter } from '../../../src/shared/figures/cell-formatter'
import { figureColumn } from './view/forecast-drawing'
import { useSession } from '../../lib/session'
import { useNow } from '../../lib/use-now'

/** When a period is: days are named by on, longer ones by in. */
export const whenText = (start: string, grain: ForecastGrain): string =>
  `${grain === 'day' ? 'on' : 'in'} ${bucketLabel(start, grain)}`

type UnitAndGrain = Pick<ForecastResult, 'format' | 'grain'>

/** How a forecast is written on a screen: in sentences, and where a period stands by itself, as the person writes dates. */
export interface ForecastScreenFormatter extends ForecastFormatter {
  /** A period as a cell, a choice or a mark: `nov. 2026` in Swedish. */
  label: (start: string) => string
}

/** How figures, shares and periods of a forecast are written. */
export function createForecastFormatter(
  { format, grain }: UnitAndGrain,
  figures: CellFormatter,
): ForecastScreenFormatter {
  const column = figureColumn(format)
  const share = figureColumn({ style: 'percent' })
  return {
    figure: (value) => figures.round(value, column),
    rounded: (value) => figures.sentence(value, column),
    percent: (part) => figures.percent(part),
    share: (part) => figures.share(part),
    points: (part) => figures.signed(part, share).replace(/^\+/, ''),
    count: (value) => figures.count(value),
    period: (start) => bucketLabel(start, grain),
    label: (start) => figures.bucket(start, grain),
    when: (start) => whenText(start, grain),
  }
}

/** The same in the notation of this tab's workspace. */
export function useForecastFormatter({ format, grain }: UnitAndGrain): ForecastScreenFormatter {
  const figures = useCellFormatter()
  return useMemo(() => createForecastFormatter({ format, grain }, figures), [format, grain, figures])
}

/** The day of an instant (epoch ms) on a zone's calendar: `2026-11-21`. */
const dayInTimeZone = (timeZone: string, instant: number): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(instant)

/** Today on the workspace's calendar. */
export function useToday(): string {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  return dayInTimeZone(timeZone, useNow())
}

/** The line of a chart of a forecast: today, or the day that an old run was made. Kept the same while the day lasts. */
export function useReferenceLine(madeAt: string | null): { day: string; word: string } {
  const timeZone = useSession().workspace?.settings.timeZone ?? 'UTC'
  const today = useToday()
  return useMemo(
    () =>
      madeAt === null
        ? { day: today, word: 'Today' }
        : { day: dayInTimeZone(timeZone, Date.parse(madeAt)), word: 'Run' },
    [madeAt, today, timeZone],
  )
}
