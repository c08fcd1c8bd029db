import type { ChartKind } from '../../../src/shared/insights'

export const CHART_LABELS: Record<ChartKind, string> = {
  number: 'Number',
  line: 'Line',
  area: 'Area',
  bar: 'Bars',
  groupedBar: 'Grouped bars',
  stackedBar: 'Stacked bars',
  combined: 'Bars and line',
  waterfall: 'Waterfall',
  scatter: 'Scatter',
  heatMap: 'Heat map',
  pivot: 'Pivot',
  table: 'Table',
}
