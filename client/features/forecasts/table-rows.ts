import type { ForecastGrain, ForecastLevel, ForecastPath, ForecastResult } from '../../../src/shared/forecast-result'
import { FORECAST_LEVELS } from '../../../src/shared/forecast-result'
import { addDays, addMonths } from '../../ui/chart/time-buckets'

export interface ForecastTableRow {
  start: string
  /** What was; null for what is ahead, and for periods without figures. */
  actual: number | null
  isAhead: boolean
  mean: number | null
  bands: Record<ForecastLevel, { lower: number; upper: number }> | null
  /** The same period a year before; null where it is not known. */
  before: number | null
  parts: (number | null)[]
}

/** First day of the same period a year before; of weeks and days 52 weeks, so that weekdays stay in step. */
export const samePeriodLastYear = (start: string, grain: ForecastGrain): string =>
  grain === 'month' || grain === 'quarter' ? addMonths(start, -12) : addDays(start, -364)

export interface SeriesSelection {
  part?: number | undefined
  asBalance?: boolean
}

/** The past and the path ahead that are looked at. */
export function selectedSeries(
  result: ForecastResult,
  { part, asBalance }: SeriesSelection,
): { past: readonly (number | null)[]; path: ForecastPath } {
  if (asBalance && result.balance) return result.balance
  const one = part === undefined ? undefined : result.parts[part]
  return one ? { past: one.values, path: one.path } : { past: result.raw, path: result.total.path }
}

/** Every period, oldest first, with what was or what is expected. Parts stand beside the whole only. */
export function forecastTableRows(result: ForecastResult, seriesSelection: SeriesSelection): ForecastTableRow[] {
  const { periods, future, grain } = result
  const { past, path } = selectedSeries(result, seriesSelection)
  const parts = seriesSelection.part === undefined && !seriesSelection.asBalance ? result.parts : []
  const known = new Map(periods.map((start, at) => [start, past[at] ?? null]))
  const before = (start: string): number | null => known.get(samePeriodLastYear(start, grain)) ?? null
  const band = (at: number, level: ForecastLevel) => ({
    lower: path.bands[level].lower[at] ?? 0,
    upper: path.bands[level].upper[at] ?? 0,
  })
  return [
    ...periods.map((start, at): ForecastTableRow => ({
      ...{ start, actual: past[at] ?? null, isAhead: false, mean: null, bands: null, before: before(start) },
      parts: parts.map(({ values }) => values[at] ?? null),
    })),
    ...future.map((start, at): ForecastTableRow => ({
      ...{ start, actual: null, isAhead: true, mean: path.mean[at] ?? null, before: before(start) },
      bands: { 50: band(at, 50), 80: band(at, 80), 95: band(at, 95) },
      parts: parts.map((one) => one.path.mean[at] ?? null),
    })),
  ]
}

export interface FormattedTable {
  head: string[]
  rows: { start: string; isAhead: boolean; cells: string[] }[]
}
interface CellFormatters {
  figure: (value: number | null) => string
  period: (start: string) => string
}

/** The rows as texts, a column each; for the screen, and for the clipboard with plain numbers. */
export function formatTableRows(
  result: ForecastResult,
  rows: readonly ForecastTableRow[],
  { figure, period }: CellFormatters,
): FormattedTable {
  const labels = rows[0]?.parts.length ? result.parts.map(({ label }) => label ?? 'No value') : []
  return {
    head: [
      ...['Period', 'Actual', 'Forecast', 'A year before'],
      ...FORECAST_LEVELS.flatMap((level) => [`${level} % from`, `${level} % to`]),
      ...labels,
    ],
    rows: rows.map(({ start, isAhead, actual, mean, bands, before, parts }) => ({
      ...{ start, isAhead },
      cells: [
        ...[period(start), figure(actual), figure(mean), figure(before)],
        ...FORECAST_LEVELS.flatMap((level) =>
          bands ? [figure(bands[level].lower), figure(bands[level].upper)] : [figure(null), figure(null)],
        ),
        ...parts.map(figure),
      ],
    })),
  }
}

/** For a spreadsheet: tab between cells, plain numbers. */
export const clipboardText = ({ head, rows }: FormattedTable): string =>
  [head, ...rows.map(({ cells }) => cells)].map((cells) => cells.map(stripBreaks).join('\t')).join('\n')
const stripBreaks = (cell: string): string => cell.replace(/[\t\r\n]+/g, ' ')
