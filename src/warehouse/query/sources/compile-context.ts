import { withComputed, from } from './from-clause'
import type { QueryRequest } from '../request'
import type { ExecuteSql } from './sql'
import { withMinorUnits } from '../money/minor-units'
import type { AbsolutePeriod } from '../time/resolve-period'
import { cellsInRows, segmentsFor } from '../time/column-offsets'
import type { CompileContext } from './source'
import type { OffsetSegment } from '../time/zone-offsets'
import type { LiveDataset } from '../../physical-layout'

/** What the compiler works with. Everything is read once: between two reads nothing else runs. */
export function compileContextOf(
  {
    scope,
    calendar,
    catalogue,
    groupings,
    plan,
  }: Pick<QueryRequest, 'scope' | 'calendar' | 'catalogue' | 'groupings'> & Partial<Pick<QueryRequest, 'plan'>>,
  at: { graph: CompileContext['graph']; period: AbsolutePeriod | null; execute: ExecuteSql },
): CompileContext {
  const found = new Map<string, LiveDataset | null>()
  const offsets = new Map<string, OffsetSegment[]>()
  const bare: Omit<CompileContext, 'find'> = {
    scope,
    calendar,
    graph: at.graph,
    groupings,
    periodField: plan?.period?.field,
    from,
    segments(data, { key, ofPeriod }, found) {
      const id = `${data.dataset.id} ${key} ${ofPeriod}`
      const period = ofPeriod ? at.period : null
      const cells = found ?? (() => cellsInRows(data, key, at.execute))
      const known = offsets.get(id) ?? segmentsFor(data, { key, timeZone: calendar.timeZone, period }, cells)
      offsets.set(id, known)
      return known
    },
  }
  const find = (id: string): LiveDataset | null => {
    const stored = found.has(id) ? null : catalogue.find(id)
    const dataset = found.get(id) ?? (stored && withComputed(bare, withMinorUnits(stored)))
    found.set(id, dataset)
    return dataset
  }
  return { ...bare, find }
}
