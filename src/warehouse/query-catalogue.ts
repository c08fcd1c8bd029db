import { findDataset, datasetInScope } from './catalogue'
import { canRead, coveredCurrencies } from '../identity/access/visible-dataset'
import { confirmedEdges, unusedRelations, type RelationEdge } from './query/plan/relation-graph'
import type { LiveDataset, QueryCatalogue } from './physical-layout'
import { findLivePlace } from './live-tables/live-places'
import { listRelations } from './relations/service'
import type { WarehouseContext } from './context'
import { getTableSet } from './tables'
import type { ScopeWire } from '../scope'
import type { Relation } from '../shared/relations'

/** The catalogue as one question of one scope sees it: each thing is read once. */
export function queryCatalogue(context: WarehouseContext, scope: ScopeWire): QueryCatalogue {
  const found = new Map<string, LiveDataset | null>()
  let edges: RelationEdge[] | null = null
  let relations: Relation[] | null = null
  // Most questions are of one dataset and never ask.
  const known = (): Relation[] => (relations ??= listRelations(context, scope))
  return {
    find(datasetId) {
      const dataset = found.get(datasetId) ?? (found.has(datasetId) ? null : liveDataset(context, scope, datasetId))
      found.set(datasetId, dataset)
      return dataset
    },
    get edges() {
      return (edges ??= confirmedEdges(known()))
    },
    get unused() {
      return unusedRelations(known())
    },
  }
}

function liveDataset(context: WarehouseContext, scope: ScopeWire, datasetId: string): LiveDataset | null {
  const dataset = findDataset(context, datasetId)
  if (!dataset || !canRead(scope, dataset) || dataset.deletedAt !== null || dataset.tableSet === null) return null
  const { n, layout, bounds, manifest } = getTableSet(context, dataset.tableSet)
  const covered = coveredCurrencies(scope, dataset)
  const here = { ...datasetInScope(scope, dataset), tableSet: n, layout, bounds, manifest, coveredCurrencies: covered }
  const place = findLivePlace(context, datasetId)
  if (!place) return here
  const { rowCount, bounds: seen, checkedAt } = place
  return { ...here, rowCount, bounds: seen, seenAt: checkedAt }
}
