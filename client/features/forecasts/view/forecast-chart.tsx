import { SegmentedControl, Select, Switch } from '@mantine/core'
import { useMemo, type ReactNode } from 'react'
import { FORECAST_LEVELS, type ForecastLevel, type ForecastResult } from '../../../../src/shared/forecasts/result'
import type { ForecastEvent } from '../../../../src/shared/forecasts/forecasts'
import { TERMS } from '../../../../src/shared/terms'
import classes from './forecast-page.module.css'
import { firstPeriodShown, buildChartModel } from './forecast-chart-model'
import type { ForecastChartOptions, ChartOverlays } from './forecast-chart-model'
import { useForecastFormatter } from '../forecast-format'
import { Chart } from '../../../ui/chart/chart'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { forecastDrawing } from './forecast-drawing'

/** How a forecast is looked at. */
export interface ChartViewOptions {
  level: ForecastLevel
  part: number | undefined
  asBalance: boolean
  fold: number | undefined
  whole: boolean
}

/** What of a way to look there is in a result: an old one may have other parts, and no balance. */
export const availableViewOptions = (
  options: ChartViewOptions,
  { balance, parts }: Pick<ForecastResult, 'balance' | 'parts'>,
): ChartViewOptions => ({
  ...options,
  asBalance: options.asBalance && balance !== null,
  part: options.part !== undefined && options.part < parts.length ? options.part : undefined,
})

interface ChartCardProps {
  result: ForecastResult
  look: ChartViewOptions
  onLook: (change: Partial<ChartViewOptions>) => void
  drawn: ChartOverlays
  events: readonly ForecastEvent[]
  line: ForecastChartOptions['line']
  label: string
  /** Above the controls: how current it is, how good. */
  head: ReactNode
}

/** The chart of a forecast with what can be chosen of it. */
export function ChartCard({ result, look, onLook, drawn, events, line, label, head }: ChartCardProps) {
  return (
    <section className="surface" aria-label="Forecast">
      <div className={classes.head}>{head}</div>
      <div className={`${classes.controls} no-print`}>
        <Controls {...{ result, look, onLook }} />
      </div>
      <div className={classes.chart}>
        <ForecastChart
          {...{ result, label, events, line }}
          {...look}
          scenarios={drawn.scenarios}
          thresholds={drawn.thresholds}
        />
      </div>
    </section>
  )
}
const WHOLE = 'whole'

function Controls({ result, look, onLook }: Pick<ChartCardProps, 'result' | 'look' | 'onLook'>) {
  const { parts, balance, total } = result
  const figures = useCellFormatter()
  const series = (look.part === undefined ? undefined : parts[look.part]) ?? total
  const folds = look.asBalance ? [] : (series.backtest?.folds ?? [])
  return (
    <>
      <SegmentedControl
        size="xs"
        aria-label={TERMS.predictionInterval}
        value={String(look.level)}
        data={FORECAST_LEVELS.map((level) => ({ value: String(level), label: figures.percent(level / 100) }))}
        onChange={(value) => onLook({ level: FORECAST_LEVELS.find((level) => String(level) === value) ?? 80 })}
      />
      {balance && (
        <SegmentedControl
          size="xs"
          aria-label="View"
          value={look.asBalance ? 'balance' : 'figure'}
          data={[
            { value: 'figure', label: TERMS.perPeriod },
            { value: 'balance', label: 'Balance' },
          ]}
          onChange={(value) => onLook({ asBalance: value === 'balance', fold: undefined, part: undefined })}
        />
      )}
      {parts.length > 0 && !look.asBalance && (
        <Select
          size="xs"
          w={180}
          aria-label="Part"
          value={look.part === undefined ? WHOLE : String(look.part)}
          data={[
            { value: WHOLE, label: TERMS.total },
            ...parts.map(({ label }, at) => ({ value: String(at), label: label ?? 'No value' })),
          ]}
          onChange={(value) =>
            onLook({ part: value === null || value === WHOLE ? undefined : Number(value), fold: undefined })
          }
        />
      )}
      {folds.length > 0 && <FoldSelect {...{ result, look, onLook, folds }} />}
      {firstPeriodShown(result, false) > 0 && (
        <Switch
          size="xs"
          label="All history"
          checked={look.whole}
          onChange={(event) => onLook({ whole: event.currentTarget.checked })}
        />
      )}
    </>
  )
}

interface FoldSelectProps extends Pick<ChartCardProps, 'result' | 'look' | 'onLook'> {
  folds: readonly { origin: number }[]
}

/** A forecast of the past, over its actuals. */
function FoldSelect({ result, look, onLook, folds }: FoldSelectProps) {
  const words = useForecastFormatter(result)
  return (
    <Select
      allowDeselect
      size="xs"
      w={220}
      clearable
      aria-label={TERMS.backtest}
      placeholder={`${TERMS.backtest}: off`}
      value={look.fold === undefined ? null : String(look.fold)}
      data={folds
        .map(({ origin }, at) => ({
          value: String(at),
          label: `From ${words.label(result.periods[origin - 1] ?? '')}`,
        }))
        .toReversed()}
      onChange={(value) => onLook({ fold: value === null ? undefined : Number(value) })}
    />
  )
}

export interface ForecastChartProps extends ForecastChartOptions {
  result: ForecastResult
  /** What the chart shows, for readers of the screen. */
  label: string
  height?: number
}

/**
 * What was, what is expected, and how sure that is. Lists (`thresholds`, `scenarios`, `events`) and `line` are to be
 * kept the same while nothing changes: a new one draws the chart again.
 */
export function ForecastChart({ result, label, height = 380, ...options }: ForecastChartProps) {
  const figures = useCellFormatter()
  const { level, part, asBalance, fold, thresholds, scenarios, events, line, whole } = options
  const drawing = useMemo(() => {
    const given = { level, part, fold, line, ...(asBalance ? { asBalance } : {}), ...(whole ? { whole } : {}) }
    const lists = {
      ...(thresholds ? { thresholds } : {}),
      ...(scenarios ? { scenarios } : {}),
      ...(events ? { events } : {}),
    }
    return forecastDrawing(
      buildChartModel(result, { ...given, ...lists, bucket: figures.bucket }),
      result.format,
      figures,
    )
  }, [result, figures, level, part, asBalance, fold, thresholds, scenarios, events, line, whole])
  return <Chart drawing={drawing} format={figures} label={label} height={height} />
}
