import type { ColumnBounds, LivePlace } from '../contract'
import { firstRow, type WarehouseContext } from '../context'
import type { ColumnKey } from '../../shared/data-sources/files'

/** A place with what was seen there. */
export interface CheckedPlace extends LivePlace {
  rowCount: number
  bounds: Partial<Record<ColumnKey, ColumnBounds>>
  /** Epoch ms. */
  checkedAt: number
}

type PlaceRow = { place: string; row_count: number; bounds: string; checked_at: number }

/** Null: its rows lie here. */
export function findLivePlace({ sql }: Pick<WarehouseContext, 'sql'>, datasetId: string): CheckedPlace | null {
  const row = firstRow<PlaceRow>(sql, 'SELECT * FROM foreign_places WHERE dataset_id = ?', datasetId)
  if (!row) return null
  const { table, ...place }: LivePlace = JSON.parse(row.place)
  // What an earlier release stored says it by another name.
  return {
    ...place,
    table: { ...table, textsAsImported: true },
    rowCount: row.row_count,
    bounds: JSON.parse(row.bounds),
    checkedAt: row.checked_at,
  }
}

/** Ids of all datasets whose rows stay at their source. */
export function liveDatasets({ sql }: Pick<WarehouseContext, 'sql'>): Set<string> {
  const rows = sql.exec<{ id: string }>('SELECT dataset_id AS id FROM foreign_places').toArray()
  return new Set(rows.map(({ id }) => id))
}

export function saveLivePlace({ sql }: WarehouseContext, datasetId: string, seen: CheckedPlace): void {
  const { rowCount, bounds, checkedAt, ...place } = seen
  sql.exec(
    'INSERT OR REPLACE INTO foreign_places (dataset_id, place, row_count, bounds, checked_at) VALUES (?, ?, ?, ?, ?)',
    datasetId,
    JSON.stringify(place),
    rowCount,
    JSON.stringify(bounds),
    checkedAt,
  )
}

export function deleteLivePlace({ sql }: WarehouseContext, datasetId: string): void {
  sql.exec('DELETE FROM foreign_places WHERE dataset_id = ?', datasetId)
}
