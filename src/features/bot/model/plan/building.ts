import type { Dimension, Measure } from '../../../../shared/query/plan'

/** An answer's columns while a plan is made. */
export interface Building {
  dimensions: Dimension[]
  measures: Measure[]
  /** Keys of columns in the order they were asked for. */
  shown: string[]
}

/** Where a figure stands among the others; it is added where it stands nowhere. */
export function addMeasure(building: Pick<Building, 'measures'>, measure: Measure): number {
  const plain = (each: Measure): string => JSON.stringify({ ...each, label: undefined })
  const same = building.measures.findIndex((known) => plain(known) === plain(measure))
  return same >= 0 ? same : building.measures.push(measure) - 1
}
