import { withComputed } from '../columns/computed/computed-columns'
import { FULL_RIGHTS } from '../../scope'
import { relationGraph } from './plan/relation-graph'
import type { LiveDataset } from '../physical-layout'
import { withMinorUnits } from './money/minor-units'
import type { QueryRequest } from './request'
import { segmentsFor } from './time/column-offsets'
import type { AbsolutePeriod } from './time/resolve-period'
import type { OffsetSegment } from './time/zone-offsets'
import type { PlanContext } from './query-context'

/** What one plan is answered with. Everything is read once: between two reads nothing else runs. */
export function planContextOf(
  {
    scope,
    calendar,
    catalogue,
    groupings,
    plan,
    unrestricted,
    secret,
  }: Pick<QueryRequest, 'scope' | 'calendar' | 'catalogue' | 'groupings' | 'unrestricted' | 'secret'> &
    Partial<Pick<QueryRequest, 'plan'>>,
  at: { graph: PlanContext['graph']; period: AbsolutePeriod | null },
): PlanContext {
  const found = new Map<string, LiveDataset | null>()
  const offsets = new Map<string, OffsetSegment[]>()
  let whole: PlanContext | null = null
  return {
    scope,
    secret: secret ?? '',
    unrestricted() {
      if (whole) return whole
      const everything = unrestricted ?? catalogue
      const graph = relationGraph(everything)
      whole = planContextOf(
        { scope: { ...scope, ...FULL_RIGHTS }, calendar, catalogue: everything, groupings },
        { graph, period: null },
      )
      return whole
    },
    calendar,
    graph: at.graph,
    groupings,
    periodField: plan?.period?.field,
    segments(dataset, { key, ofPeriod }, cells) {
      const id = `${dataset.id} ${key} ${ofPeriod}`
      const period = ofPeriod ? at.period : null
      const known = offsets.get(id) ?? segmentsFor(dataset, { key, timeZone: calendar.timeZone, period }, cells)
      offsets.set(id, known)
      return known
    },
    find(id) {
      const stored = found.has(id) ? null : catalogue.find(id)
      const dataset = found.get(id) ?? (stored && withComputed(withMinorUnits(stored)))
      found.set(id, dataset)
      return dataset
    },
  }
}
