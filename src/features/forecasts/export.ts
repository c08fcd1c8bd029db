import type { Deps } from '../../deps'
import { createXlsxStream } from '../../formats/workbook/xlsx-writer'
import { streamCsv } from '../../http/download'
import { FORECAST_LEVELS, type ForecastPath, type ForecastResult } from '../../shared/forecasts/result'
import type { Forecast } from '../../shared/forecasts/forecasts'
import type { Cell } from '../../shared/query/result'
import type { Calendar } from '../../shared/dates'

interface ForecastExportInput {
  deps: Pick<Deps, 'clock'>
  calendar: Calendar
  forecast: Forecast
  result: ForecastResult
  /** Who takes the figures with them: stands in the file. */
  by: string
}
interface ForecastExportFile {
  fileName: string
  contentType: string
  body: ReadableStream<Uint8Array>
}

/** What the newest run found, by period: the past, and the future with its bands. */
export function exportForecast(ask: ForecastExportInput, format: 'csv' | 'xlsx'): ForecastExportFile {
  const fileName = `${ask.forecast.name} ${ask.calendar.today}.${format}`
  if (format === 'csv') return { fileName, contentType: 'text/csv; charset=utf-8', body: streamCsv(exportRows(ask)) }
  const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
  return { fileName, contentType, body: createXlsxStream('Forecast', exportRows(ask)) }
}

/** One line of figures over time: what is known of it, and what is ahead. */
interface ExportLine {
  name: string
  past: readonly (number | null)[]
  path: ForecastPath
  /** Parts are told without their bands: those of the whole are not the sum of theirs. */
  bands: boolean
}

async function* exportRows(ask: ForecastExportInput): AsyncGenerator<Cell[]> {
  const { result, forecast } = ask
  const { periods, future, parts, total, raw, balance } = result
  const lines: ExportLine[] = [
    { name: forecast.subjectName ?? forecast.name, past: raw, path: total.path, bands: true },
    ...(balance ? [{ name: 'Balance', past: balance.past, path: balance.path, bands: true }] : []),
    ...parts.map(({ label, values, path }) => ({ name: label ?? 'No value', past: values, path, bands: false })),
  ]
  yield* await Promise.resolve(headerRows(ask))
  yield ['Period', ...lines.flatMap(columnHeadings)]
  for (const [at, period] of periods.entries())
    yield [period, ...lines.flatMap(({ past, bands }): Cell[] => [past[at] ?? null, null, ...blankCells(bands)])]
  for (const [at, period] of future.entries())
    yield [
      period,
      ...lines.flatMap(({ path, bands }): Cell[] => [null, path.mean[at] ?? null, ...intervalCells(path, at, bands)]),
    ]
}

const columnHeadings = ({ name, bands }: ExportLine): string[] => [
  ...[name, `${name}, forecast`],
  ...(bands ? FORECAST_LEVELS.flatMap((level) => [`${name}, low ${level} %`, `${name}, high ${level} %`]) : []),
]
const blankCells = (bands: boolean): Cell[] => (bands ? FORECAST_LEVELS.flatMap(() => [null, null]) : [])
const intervalCells = (path: ForecastPath, at: number, bands: boolean): Cell[] =>
  bands
    ? FORECAST_LEVELS.flatMap((level): Cell[] => [
        path.bands[level].lower[at] ?? null,
        path.bands[level].upper[at] ?? null,
      ])
    : []

/** A moment on the workspace's clock: `2026-03-01 14:05`. */
const formatLocalTime = (at: number | string, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'short', timeZone }).format(new Date(at))
const percent = (part: number | undefined): Cell => (part === undefined ? null : Math.round(part * 1000) / 10)

/** What the figures are and how far they are to be believed, so that a file explains itself years later. */
function headerRows({ forecast, result, by, deps, calendar }: ForecastExportInput): Cell[][] {
  const { ready } = forecast
  const { backtest } = result.total
  const asOf = ready?.dataAsOf ?? null
  return [
    ['Forecast', forecast.name],
    ['Subject', forecast.subjectName],
    ['Run', ready?.number ?? null, ready === null ? null : formatLocalTime(ready.startedAt, calendar.timeZone)],
    ['Data as of', asOf === null ? null : formatLocalTime(asOf, calendar.timeZone)],
    ['Grade', ready?.grade ?? 'Not tested'],
    ...(backtest
      ? [
          ['Model', backtest.method],
          ['Error (MAE)', backtest.used.mae],
          ...FORECAST_LEVELS.map((level): Cell[] => [
            `${level} % band held (%)`,
            percent(backtest.used.coverage[level]),
            `of ${backtest.used.checks} checks`,
          ]),
        ]
      : []),
    ['Exported by', by],
    ['Exported at', `${formatLocalTime(deps.clock.now(), calendar.timeZone)} (${calendar.timeZone})`],
    [],
  ]
}
