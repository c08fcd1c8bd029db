import { isStacked } from './axis-model'
import type { AxisChart } from './axis-model'
import type { ChartModel, Series } from './chart-model'
import type { Grain } from '../../../src/shared/query'

/** What the figures should come to. Kept the same while nothing changes. */
export interface ChartTarget {
  name: string
  /** One for each unit of the time axis, by their first days; null where there is none. */
  line: (starts: readonly string[], grain: Grain) => (number | null)[]
}

/**
 * The model with the line of its targets. It is that of the whole: where parts are drawn it belongs only over those that
 * are laid on one another.
 */
export function withTargetSeries(model: ChartModel, chart: AxisChart, target: ChartTarget | undefined): ChartModel {
  const [first] = model.series
  const { grain } = model.axis
  if (!target || !first || !model.time || grain === undefined) return model
  if (first.dimension !== undefined && !isStacked(model, chart)) return model
  const starts = model.categories.map(({ value }) => (typeof value === 'string' ? value : ''))
  const values = target.line(starts, grain)
  if (values.every((value) => value === null)) return model
  const line: Series = {
    ...{ key: 'target', name: target.name, role: 'target', other: false, column: first.column },
    points: starts.map((_, at) => ({ value: values[at] ?? null, row: null })),
  }
  return { ...model, series: [...model.series, line] }
}
