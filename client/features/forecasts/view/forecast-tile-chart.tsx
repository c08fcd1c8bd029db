import { useMemo } from 'react'
import type { ForecastGrain } from '../../../../src/shared/forecasts/result'
import type { ForecastTile } from '../../../../src/shared/reports/tiles'
import type { CellFormatter } from '../../../../src/shared/figures/cell-formatter'
import { useCellFormatter } from '../../../lib/cell-formatter'
import { Chart } from '../../../ui/chart/chart'
import type { ForecastChartModel } from './forecast-chart-model'
import { forecastDrawing } from './forecast-drawing'

interface ForecastTileChartProps {
  run: ForecastTile
  grain: ForecastGrain
  /** What the chart shows, for readers of the screen. */
  name: string
  height: number
}

/** What of a past, however long, is drawn beside what is ahead. */
const PAST_MOST = 60

function tileModel({ past, future }: ForecastTile, grain: ForecastGrain, figures: CellFormatter): ForecastChartModel {
  const shown = past.slice(-Math.max(PAST_MOST, 3 * future.length))
  const starts = [...shown, ...future].map(({ period }) => period)
  return {
    ...{ grain, starts, known: shown.length, labels: starts.map((start) => figures.bucket(start, grain)) },
    past: shown.map(({ value }) => value),
    mean: future.map(({ mean }) => mean),
    bands: [
      { level: 95, lower: future.map(({ lower95 }) => lower95), upper: future.map(({ upper95 }) => upper95) },
      { level: 80, lower: future.map(({ lower80 }) => lower80), upper: future.map(({ upper80 }) => upper80) },
    ],
    ...{ line: null, running: null, fold: null, scenarios: [], thresholds: [], unusual: [], events: [] },
  }
}

/** The newest run of a forecast, as a tile shows it. */
export function ForecastTileChart({ run, grain, name, height }: ForecastTileChartProps) {
  const figures = useCellFormatter()
  const drawing = useMemo(
    () => forecastDrawing(tileModel(run, grain, figures), run.format, figures),
    [run, grain, figures],
  )
  return <Chart drawing={drawing} format={figures} label={name} height={height} />
}
