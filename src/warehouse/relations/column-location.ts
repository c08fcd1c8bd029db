import type { RelationEnds, StoredRelationEnd } from './store'
import { findDataset } from '../catalogue'
import type { WarehouseContext } from '../context'
import { findTableSet, type TableSet } from '../tables'
import type { Column } from '../../shared/data-sources/data-sources'
import { keyPairsOf } from '../../shared/query/relation-paths'

/** Where one end of a relation lies now; the same as long as its rows are. */
export interface ColumnLocation {
  set: TableSet
  key: Column['key']
  type: Column['type']
  scale: number | undefined
}
export interface ColumnPair {
  from: ColumnLocation
  to: ColumnLocation
}
/** The columns of a key at one end, all of one set; at both ends in the same order. */
export type KeyLocation = readonly [ColumnLocation, ...ColumnLocation[]]
export interface KeyPair {
  from: KeyLocation
  to: KeyLocation
}

/** Null when the dataset has no rows yet, was deleted, or its last load had no such column. */
export function locateColumn(context: WarehouseContext, end: StoredRelationEnd): ColumnLocation | null {
  const dataset = findDataset(context, end.datasetId)
  if (!dataset || dataset.deletedAt !== null) return null
  const set = findTableSet(context, dataset.tableSet)
  const column = dataset.columns.find(({ key }) => key === end.key)
  if (!set?.layout.some((keys) => keys.includes(end.key)) || !column || column.computed) return null
  return { set, key: end.key, type: column.type, scale: column.scale }
}

/** Whether values of two columns are compared as texts. */
export const comparesAsText = (from: ColumnLocation, to: ColumnLocation): boolean =>
  from.type === 'text' || to.type === 'text'

/** Whether values of two columns can be equal: whole numbers and texts are compared as text, all else with its like. */
export const comparable = (from: ColumnLocation, to: ColumnLocation): boolean =>
  from.type === to.type
    ? from.type !== 'boolean' && from.scale === to.scale
    : [from.type, to.type].every((type) => type === 'text' || type === 'integer')

/** Where all columns of one end of a relation lie; null when any is not there. */
export function locateKey(context: WarehouseContext, ends: RelationEnds, side: 'from' | 'to'): KeyLocation | null {
  const { datasetId } = ends[side]
  const found = keyPairsOf(ends).map((pair) => locateColumn(context, { datasetId, key: pair[side] }))
  const [first, ...rest] = found.flatMap((location) => location ?? [])
  return first && rest.length + 1 === found.length ? [first, ...rest] : null
}
/** The same of both ends. */
export function locateKeys(context: WarehouseContext, ends: RelationEnds): KeyPair | null {
  const [from, to] = [locateKey(context, ends, 'from'), locateKey(context, ends, 'to')]
  return from && to ? { from, to } : null
}

/** Whether keys can be equal, column by column. */
export const comparableKeys = ({ from, to }: KeyPair): boolean =>
  from.every((location, at) => to[at] !== undefined && comparable(location, to[at]))
