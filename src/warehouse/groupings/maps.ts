import { keptUntil, touch } from './definitions'
import type { GroupingDefinition } from '../contract'
import type { ScopeWire } from '../../access/scope'
import type { LiveDataset, QueryCatalogue } from '../physical'
import { canonical, sha256 } from '../query/hash'
import { first } from '../room'
import type { Room } from '../room'
import { allGroups } from '../../shared/grouping-tree'
import type { Column } from '../../shared/sources'

/**
 * A map says for each value of a column, or each range of numbers, which group stands for it at each level: table
 * `gm<n>` with the value `gv` and `gl1`–`gl4`, which hold the number of a group, a text (the value for itself) or nothing.
 */
export interface MapNeed {
  definition: GroupingDefinition
  /** As the rows lie now, with all its columns. */
  dataset: LiveDataset
  column: Column
  /** Index of the period. */
  era: number
  /** The catalogue as a scope sees it at this moment. */
  catalogueFor: (scope: ScopeWire) => QueryCatalogue
}
export interface StoredMap {
  n: number
  kind: 'values' | 'ranges'
}

/** What the values depend on besides the rows: computed columns on others, numbers on how they are stored. */
const shapeOf = ({ columns }: LiveDataset): string =>
  sha256(canonical(columns.map(({ key, type, scale, zoned, computed }) => ({ key, type, scale, zoned, computed }))))

type Row = { n: number; kind: StoredMap['kind']; draft: number; drop_after: number }

/** The map that is ready; null when it has to be made. */
export function findMap(room: Room, { definition, dataset, column, era }: MapNeed): StoredMap | null {
  const row = first<Row>(
    room.sql,
    `SELECT n, kind, draft, drop_after FROM grouping_maps
     WHERE grouping_id = ? AND dataset_id = ? AND column_key = ? AND era = ? AND version = ? AND table_set = ?
       AND data_version = ? AND shape = ? AND ready = 1`,
    ...[definition.id, dataset.id, column.key, era, definition.version, dataset.tableSet, dataset.dataVersion],
    shapeOf(dataset),
  )
  if (!row) return null
  touch(room, { table: 'grouping_maps', key: 'n', id: row.n }, row)
  return { n: row.n, kind: row.kind }
}

/** Maps of definitions that are only tried out; the oldest gives way. Each trial has an id of its own. */
const DRAFT_MAPS_MAX = 12

/** An empty map in the place of those that were made of older rows or an older definition. */
export function beginMap(
  room: Room,
  { definition, dataset, column, era }: MapNeed,
  kind: StoredMap['kind'],
): StoredMap {
  return room.atomically(() => {
    const old = room.sql
      .exec<{ n: number }>(
        'SELECT n FROM grouping_maps WHERE grouping_id = ? AND dataset_id = ? AND column_key = ? AND era = ?',
        ...[definition.id, dataset.id, column.key, era],
      )
      .toArray()
    const drafts = definition.draft
      ? room.sql
          .exec<{ n: number }>(
            'SELECT n FROM grouping_maps WHERE draft = 1 ORDER BY n DESC LIMIT -1 OFFSET ?',
            DRAFT_MAPS_MAX - 1,
          )
          .toArray()
      : []
    for (const { n } of [...old, ...drafts]) dropMap(room, n)
    const { n } = room.sql
      .exec<{ n: number }>(
        `INSERT INTO grouping_maps (grouping_id, version, draft, dataset_id, column_key, era, table_set, data_version, shape, kind, ready, drop_after)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?) RETURNING n`,
        ...[definition.id, definition.version, definition.draft ? 1 : 0, dataset.id, column.key, era],
        ...[dataset.tableSet, dataset.dataVersion, shapeOf(dataset), kind, keptUntil(room, definition.draft)],
      )
      .one()
    room.sql.exec(`CREATE TABLE gm${n} (r INTEGER PRIMARY KEY, gv UNIQUE, gl1, gl2, gl3, gl4)`)
    return { n, kind }
  })
}

export const finishMap = (room: Room, { n }: StoredMap): void =>
  void room.sql.exec('UPDATE grouping_maps SET ready = 1 WHERE n = ?', n)

export function dropMap(room: Room, n: number): void {
  room.sql.exec(`DROP TABLE IF EXISTS gm${n}`)
  room.sql.exec('DELETE FROM grouping_maps WHERE n = ?', n)
}

/** Whether it is still being made, or was put away meanwhile. */
export const isKnown = (room: Room, { n }: StoredMap): boolean =>
  first(room.sql, 'SELECT 1 AS found FROM grouping_maps WHERE n = ?', n) !== null

/** Nothing of a dataset's values stays. */
export function forgetMaps(room: Room, datasetId: string): void {
  const known = room.sql.exec<{ n: number }>('SELECT n FROM grouping_maps WHERE dataset_id = ?', datasetId).toArray()
  for (const { n } of known) dropMap(room, n)
}

/** Maps that nobody asked for in a long time; they are made again when somebody does. */
export function dropOldMaps(room: Room): void {
  const old = room.sql
    .exec<{ n: number }>('SELECT n FROM grouping_maps WHERE drop_after <= ?', room.clock.now())
    .toArray()
  for (const { n } of old) room.atomically(() => dropMap(room, n))
}

/** A group's number in maps: its place among all groups of all periods. */
export const numbersOf = (definition: GroupingDefinition): Map<string, number> =>
  new Map(allGroups(definition).map(({ id }, i) => [id, i]))
