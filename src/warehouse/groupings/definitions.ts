import type { GroupingDefinition, GroupingVersion } from '../contract'
import { firstRow } from '../room'
import type { WarehouseContext } from '../room'
import { ProductError } from '../../shared/errors'

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
export function extendRetention(
  context: WarehouseContext,
  at: { table: 'groupings' | 'grouping_maps'; key: 'id' | 'n'; id: string | number },
  row: { draft: number; drop_after: number },
): void {
  const until = context.clock.now() + (row.draft === 1 ? DRAFT_RETENTION_MS : RETENTION_MS)
  if (until - row.drop_after > TOUCH_INTERVAL_MS)
    context.sql.exec(`UPDATE ${at.table} SET drop_after = ? WHERE ${at.key} = ?`, until, at.id)
}

export const retainedUntil = (context: WarehouseContext, draft: boolean): number =>
  context.clock.now() + (draft ? DRAFT_RETENTION_MS : RETENTION_MS)

/** Definitions that nobody asked for in a long time; they come back when somebody does. */
export function dropExpiredDefinitions(context: WarehouseContext): void {
  context.sql.exec('DELETE FROM groupings WHERE drop_after <= ?', context.clock.now())
}
