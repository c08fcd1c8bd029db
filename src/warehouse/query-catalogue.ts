import { findStored, mayRead, shown } from './catalogue'
import type { Edge } from './query/graph'
import type { LiveDataset, QueryCatalogue } from './physical'
import { usableEdges } from './relations/relations'
import type { Room } from './room'
import { getSet } from './tables'
import type { ScopeWire } from '../access/scope'

/** The catalogue as one question of one scope sees it: each thing is read once. */
export function queryCatalogue(room: Room, scope: ScopeWire): QueryCatalogue {
  const found = new Map<string, LiveDataset | null>()
  let edges: readonly Edge[] | null = null
  return {
    find(datasetId) {
      const dataset = found.get(datasetId) ?? (found.has(datasetId) ? null : liveDataset(room, scope, datasetId))
      found.set(datasetId, dataset)
      return dataset
    },
    // Most questions are of one dataset and never ask.
    get edges() {
      edges ??= usableEdges(room, scope)
      return edges
    },
  }
}

function liveDataset(room: Room, scope: ScopeWire, datasetId: string): LiveDataset | null {
  const dataset = mayRead(scope, datasetId) ? findStored(room, datasetId) : null
  if (!dataset || dataset.deletedAt !== null || dataset.tableSet === null) return null
  const { n, layout, bounds } = getSet(room, dataset.tableSet)
  return { ...shown(scope, dataset), tableSet: n, layout, bounds }
}
