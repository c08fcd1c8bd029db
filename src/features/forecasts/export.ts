import type { Deps } from '../../deps'
import { formatLocalTime } from '../../semantic/export-context'
import { tableDownload, type Download, type FileColumn } from '../../http/files/table-download'
import { FORECAST_LEVELS, type ForecastPath, type ForecastResult } from '../../shared/forecasts/result'
import { applyScenario } from '../../shared/forecasts/scenarios'
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
  numberLocale: string
}
/** What the newest run found, by period: the past, and the future with its prediction intervals, each scenario beside the baseline. */
export function exportForecast(ask: ForecastExportInput, format: 'csv' | 'xlsx'): Download {
  const lines = exportLines(ask)
  const rows = exportRows(ask.result, lines)
  const heads = ['Period', ...lines.flatMap(columnHeadings)]
  return tableDownload({
    ...{ format, numberLocale: ask.numberLocale, timeZone: ask.calendar.timeZone },
    name: `${ask.forecast.name} ${ask.calendar.today}`,
    context: contextRows(ask),
    table: {
      columns: heads.map((_, at) => (at === 0 ? PERIOD_COLUMN : FIGURE_COLUMN)),
      ...{ heads, sample: rows, totals: null },
      rows: async function* () {
        yield* await Promise.resolve(rows)
      },
    },
  })
}

const PERIOD_COLUMN: FileColumn = { kind: 'dimension', type: 'date', format: { style: 'plain' } }
const FIGURE_COLUMN: FileColumn = { kind: 'measure', type: 'number', format: { style: 'plain' } }

/** One line of figures over time: what is known of it, and what is ahead. */
interface ExportLine {
  name: string
  /** Empty where a line is about the periods ahead alone. */
  past: readonly (number | null)[]
  path: ForecastPath
  /** Parts are told without their bands: those of the whole are not the sum of theirs. */
  bands: boolean
}

/** The metric ahead under each scenario, and the balance that it adds up to. */
function scenarioLines({ forecast, result }: ForecastExportInput): ExportLine[] {
  return forecast.scenarios.flatMap((scenario) => {
    const { total, balance } = applyScenario(result, scenario)
    const line = { past: [], bands: true }
    return [
      { ...line, name: `Scenario ${scenario.name}`, path: total },
      ...(balance ? [{ ...line, name: `Scenario ${scenario.name}, balance`, path: balance.path }] : []),
    ]
  })
}

function exportLines(input: ForecastExportInput): ExportLine[] {
  const { forecast, result } = input
  const { parts, total, raw, balance } = result
  return [
    { name: forecast.subjectName ?? forecast.name, past: raw, path: total.path, bands: true },
    ...(balance ? [{ name: 'Balance', past: balance.past, path: balance.path, bands: true }] : []),
    ...parts.map(({ label, values, path }) => ({ name: label ?? 'No value', past: values, path, bands: false })),
    ...scenarioLines(input),
  ]
}

const exportRows = ({ periods, future }: ForecastResult, lines: readonly ExportLine[]): Cell[][] => [
  ...periods.map((period, at): Cell[] => [
    period,
    ...lines.flatMap(({ past, bands }): Cell[] => [...pastCells(past, at), null, ...blankCells(bands)]),
  ]),
  ...future.map((period, at): Cell[] => [
    period,
    ...lines.flatMap(({ past, path, bands }): Cell[] => [
      ...(past.length === 0 ? [] : [null]),
      path.mean[at] ?? null,
      ...intervalCells(path, at, bands),
    ]),
  ]),
]

const columnHeadings = ({ name, bands, past }: ExportLine): string[] => [
  ...(past.length === 0 ? [] : [name]),
  `${name}, forecast`,
  ...(bands
    ? FORECAST_LEVELS.flatMap((level) => [`${name}, ${level} % interval low`, `${name}, ${level} % interval high`])
    : []),
]
const pastCells = (past: ExportLine['past'], at: number): Cell[] => (past.length === 0 ? [] : [past[at] ?? null])
const blankCells = (bands: boolean): Cell[] => (bands ? FORECAST_LEVELS.flatMap(() => [null, null]) : [])
const intervalCells = (path: ForecastPath, at: number, bands: boolean): Cell[] =>
  bands
    ? FORECAST_LEVELS.flatMap((level): Cell[] => [
        path.bands[level].lower[at] ?? null,
        path.bands[level].upper[at] ?? null,
      ])
    : []

const percent = (part: number | undefined): Cell => (part === undefined ? null : Math.round(part * 1000) / 10)

/** What the figures are and how far they are to be believed, so that a file explains itself years later. */
function contextRows({ forecast, result, by, deps, calendar }: ForecastExportInput): Cell[][] {
  const { ready } = forecast
  const { backtest } = result.total
  const asOf = ready?.dataAsOf ?? null
  return [
    ['Forecast', forecast.name],
    ['Metric', forecast.subjectName],
    ['Run', ready?.number ?? null, ready === null ? null : formatLocalTime(ready.startedAt, calendar.timeZone)],
    ['Updated', asOf === null ? null : formatLocalTime(asOf, calendar.timeZone)],
    ['Grade', ready?.grade ?? 'No backtest'],
    ...(backtest
      ? [
          ['Model', backtest.method],
          ['Error (MAE)', backtest.used.mae],
          ...FORECAST_LEVELS.map((level): Cell[] => [
            `Actuals in ${level} % interval (%)`,
            percent(backtest.used.coverage[level]),
            `of ${backtest.used.checks} checks`,
          ]),
        ]
      : []),
    ['Exported by', by],
    ['Exported', `${formatLocalTime(deps.clock.now(), calendar.timeZone)} (${calendar.timeZone})`],
  ]
}
