import { retainedUntil, extendRetention } from './definitions'
import type { GroupingDefinition } from '../contract'
import type { ScopeWire } from '../../access/scope'
import type { LiveDataset, QueryCatalogue } from '../physical'
import { canonicalJson, sha256HexSync } from '../query/hash'
import { firstRow } from '../room'
import type { WarehouseContext } from '../room'
import { allGroups } from '../../shared/grouping-tree'
import type { Column } from '../../shared/sources'

/**
 * A map says for each value of a column, or each range of numbers, which group stands for it at each level: table
 * `gm<n>` with the value `gv` and `gl1`–`gl4`, which hold the number of a group, a text (the value for itself) or nothing.
 */
export interface GroupingMapSpec {
  definition: GroupingDefinition
  /** As the rows lie now, with all its columns. */
  dataset: LiveDataset
  column: Column
  /** Index of the period. */
  era: number
  /** The catalogue as a scope sees it at this moment. */
  catalogueFor: (scope: ScopeWire) => QueryCatalogue
}
export interface GroupingMap {
  n: number
  kind: 'values' | 'ranges'
}

/** What the values depend on besides the rows: computed columns on others, numbers on how they are stored. */
const columnsFingerprint = ({ columns }: LiveDataset): string =>
  sha256HexSync(
    canonicalJson(columns.map(({ key, type, scale, zoned, computed }) => ({ key, type, scale, zoned, computed }))),
  )

type MapRow = { n: number; kind: GroupingMap['kind']; draft: number; drop_after: number }

/** The map that is ready; null when it has to be made. */
export function findGroupingMap(
  context: WarehouseContext,
  { definition, dataset, column, era }: GroupingMapSpec,
): GroupingMap | null {
  const row = firstRow<MapRow>(
    context.sql,
    `SELECT n, kind, draft, drop_after FROM grouping_maps
     WHERE grouping_id = ? AND dataset_id = ? AND column_key = ? AND era = ? AND version = ? AND table_set = ?
       AND data_version = ? AND shape = ? AND ready = 1`,
    ...[definition.id, dataset.id, column.key, era, definition.version, dataset.tableSet, dataset.dataVersion],
    columnsFingerprint(dataset),
  )
  if (!row) return null
  extendRetention(context, { table: 'grouping_maps', key: 'n', id: row.n }, row)
  return { n: row.n, kind: row.kind }
}

/** Maps of definitions that are only tried out; the oldest gives way. Each trial has an id of its own. */
const DRAFT_MAPS_MAX = 12

/** An empty map in the place of those that were made of older rows or an older definition. */
export function createGroupingMap(
  context: WarehouseContext,
  { definition, dataset, column, era }: GroupingMapSpec,
  kind: GroupingMap['kind'],
): GroupingMap {
  return context.transaction(() => {
    const old = context.sql
      .exec<{ n: number }>(
        'SELECT n FROM grouping_maps WHERE grouping_id = ? AND dataset_id = ? AND column_key = ? AND era = ?',
        ...[definition.id, dataset.id, column.key, era],
      )
      .toArray()
    const drafts = definition.draft
      ? context.sql
          .exec<{ n: number }>(
            'SELECT n FROM grouping_maps WHERE draft = 1 ORDER BY n DESC LIMIT -1 OFFSET ?',
            DRAFT_MAPS_MAX - 1,
          )
          .toArray()
      : []
    for (const { n } of [...old, ...drafts]) dropGroupingMap(context, n)
    const { n } = context.sql
      .exec<{ n: number }>(
        `INSERT INTO grouping_maps (grouping_id, version, draft, dataset_id, column_key, era, table_set, data_version, shape, kind, ready, drop_after)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) RETURNING n`,
        ...[definition.id, definition.version, definition.draft ? 1 : 0, dataset.id, column.key, era],
        ...[
          dataset.tableSet,
          dataset.dataVersion,
          columnsFingerprint(dataset),
          kind,
          retainedUntil(context, definition.draft),
        ],
      )
      .one()
    context.sql.exec(`CREATE TABLE gm${n} (r INTEGER PRIMARY KEY, gv UNIQUE, gl1, gl2, gl3, gl4)`)
    return { n, kind }
  })
}

export const markMapReady = (context: WarehouseContext, { n }: GroupingMap): void =>
  void context.sql.exec('UPDATE grouping_maps SET ready = 1 WHERE n = ?', n)

export function dropGroupingMap(context: WarehouseContext, n: number): void {
  context.sql.exec(`DROP TABLE IF EXISTS gm${n}`)
  context.sql.exec('DELETE FROM grouping_maps WHERE n = ?', n)
}

/** Whether it is still being made, or was put away meanwhile. */
export const mapExists = (context: WarehouseContext, { n }: GroupingMap): boolean =>
  firstRow(context.sql, 'SELECT 1 AS found FROM grouping_maps WHERE n = ?', n) !== null

/** Nothing of a dataset's values stays. */
export function dropMapsOfDataset(context: WarehouseContext, datasetId: string): void {
  const known = context.sql.exec<{ n: number }>('SELECT n FROM grouping_maps WHERE dataset_id = ?', datasetId).toArray()
  for (const { n } of known) dropGroupingMap(context, n)
}

/** Maps that nobody asked for in a long time; they are made again when somebody does. */
export function dropExpiredMaps(context: WarehouseContext): void {
  const old = context.sql
    .exec<{ n: number }>('SELECT n FROM grouping_maps WHERE drop_after <= ?', context.clock.now())
    .toArray()
  for (const { n } of old) context.transaction(() => dropGroupingMap(context, n))
}

/** A group's number in maps: its place among all groups of all periods. */
export const groupNumbers = (definition: GroupingDefinition): Map<string, number> =>
  new Map(allGroups(definition).map(({ id }, i) => [id, i]))
