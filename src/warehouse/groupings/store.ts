import type { GroupingDefinition, GroupingVersion } from '../contract'
import { firstRow, type WarehouseContext } from '../context'
import { ProductError } from '../../shared/errors'
import type { ScopeWire } from '../../scope'
import type { ColumnSources } from '../columns/column-table'
import type { LiveDataset, QueryCatalogue } from '../physical-layout'
import { canonicalJson, sha256HexSync } from '../../lib/hash'
import { allGroups } from '../../shared/groupings/groupings'
import type { Column } from '../../shared/data-sources/data-sources'

/** A draft is looked at for a while, a stored grouping for long. */
const DRAFT_RETENTION_MS = 24 * 60 * 60 * 1000
const RETENTION_MS = 7 * DRAFT_RETENTION_MS
/** Being used again is written down at most so often. */
const TOUCH_INTERVAL_MS = 60 * 60 * 1000

/** Keeps a definition; an older one than is there changes nothing. */
export function putGrouping(context: WarehouseContext, definition: GroupingDefinition): void {
  context.sql.exec(
    `INSERT INTO groupings (id, version, draft, body, drop_after) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body, drop_after = excluded.drop_after
     WHERE excluded.version >= groupings.version`,
    ...[definition.id, definition.version, definition.draft ? 1 : 0, JSON.stringify(definition)],
    context.clock.now() + (definition.draft ? DRAFT_RETENTION_MS : RETENTION_MS),
  )
}

/** Parsed bodies of one object: a definition can be large, and questions come many at a time. */
const parsedDefinitions = new WeakMap<WarehouseContext, Map<string, GroupingDefinition>>()
const PARSED_MAX = 20

/**
 * The definitions of these versions.
 * @throws ProductError `expired` (`what: 'grouping'`, `ids`) for those that are not here: whoever knows them sends them
 */
export function definitionsOf(
  context: WarehouseContext,
  versions: readonly GroupingVersion[],
): Map<string, GroupingDefinition> {
  const found = versions.map((wanted) => ({ wanted, definition: definitionOf(context, wanted) }))
  const missing = found.filter(({ definition }) => !definition).map(({ wanted }) => wanted.id)
  if (missing.length > 0) throw new ProductError('expired', { what: 'grouping', ids: missing })
  return new Map(found.flatMap(({ wanted, definition }) => (definition ? [[wanted.id, definition]] : [])))
}

function definitionOf(context: WarehouseContext, { id, version }: GroupingVersion): GroupingDefinition | null {
  const row = firstRow<{ version: number; draft: number; drop_after: number }>(
    context.sql,
    'SELECT version, draft, drop_after FROM groupings WHERE id = ?',
    id,
  )
  if (row?.version !== version) return null
  extendRetention(context, { table: 'groupings', key: 'id', id }, row)
  const known = parsedDefinitions.get(context) ?? new Map<string, GroupingDefinition>()
  parsedDefinitions.set(context, known)
  const cached = known.get(id)
  if (cached?.version === version) return cached
  const body = firstRow<{ body: string }>(context.sql, 'SELECT body FROM groupings WHERE id = ?', id)
  if (!body) return null
  const definition: GroupingDefinition = JSON.parse(body.body)
  if (known.size >= PARSED_MAX) known.clear()
  known.set(id, definition)
  return definition
}

/** Used again: kept for as long as at first from now on. */
function extendRetention(
  context: WarehouseContext,
  at: { table: 'groupings' | 'grouping_maps'; key: 'id' | 'n'; id: string | number },
  row: { draft: number; drop_after: number },
): void {
  const until = context.clock.now() + (row.draft === 1 ? DRAFT_RETENTION_MS : RETENTION_MS)
  if (until - row.drop_after > TOUCH_INTERVAL_MS)
    context.sql.exec(`UPDATE ${at.table} SET drop_after = ? WHERE ${at.key} = ?`, until, at.id)
}

const retainedUntil = (context: WarehouseContext, draft: boolean): number =>
  context.clock.now() + (draft ? DRAFT_RETENTION_MS : RETENTION_MS)

/** Definitions that nobody asked for in a long time; they come back when somebody does. */
export function dropExpiredDefinitions(context: WarehouseContext): void {
  context.sql.exec('DELETE FROM groupings WHERE drop_after <= ?', context.clock.now())
}

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
  /** Where the values are read. */
  sources: ColumnSources
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

/** Of a map: each value (or where a range begins), and what stands for it at a level. */
export const groupLevels = (
  { sql }: Pick<WarehouseContext, 'sql'>,
  map: number,
  level: number,
): [value: string | number, group: string | number | null][] =>
  [...sql.exec(`SELECT gv, ${levelName(level)} FROM ${mapName(map)}`).raw()].flatMap(
    ([value, group = null]): [string | number, string | number | null][] =>
      (typeof value === 'string' || typeof value === 'number') && !(group instanceof ArrayBuffer)
        ? [[value, group]]
        : [],
  )
/** Generated, and checked all the same: they become part of a statement. */
const levelName = (level: number): string => generated('gl', level)
const mapName = (map: number): string => generated('gm', map)
function generated(what: string, n: number): string {
  if (!Number.isSafeInteger(n) || n < 0) throw new RangeError('Not a generated name.')
  return `"${what}${n}"`
}
