import { useMemo } from 'react'
import {
  createForecastFormatter,
  type ForecastScreenFormatter,
  type UnitAndGrain,
} from '../../../src/shared/forecasts/forecast-formatter'
import { useCellFormatter } from '../../lib/cell-formatter'
import { useSession } from '../../lib/session'
import { useNow } from '../../lib/use-now'

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
