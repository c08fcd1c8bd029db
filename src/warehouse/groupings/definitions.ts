import type { GroupingDefinition, GroupingVersion } from '../contract'
import { first } from '../room'
import type { Room } from '../room'
import { ProductError } from '../../shared/errors'

/** A draft is looked at for a while, a stored grouping for long. */
const DRAFT_KEPT_MS = 24 * 60 * 60 * 1000
const KEPT_MS = 7 * DRAFT_KEPT_MS
/** Being used again is written down at most so often. */
const TOUCHED_MS = 60 * 60 * 1000

/** Keeps a definition; an older one than is there changes nothing. */
export function putGrouping(room: Room, definition: GroupingDefinition): void {
  room.sql.exec(
    `INSERT INTO groupings (id, version, draft, body, drop_after) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET version = excluded.version, body = excluded.body, drop_after = excluded.drop_after
     WHERE excluded.version >= groupings.version`,
    ...[definition.id, definition.version, definition.draft ? 1 : 0, JSON.stringify(definition)],
    room.clock.now() + (definition.draft ? DRAFT_KEPT_MS : KEPT_MS),
  )
}

/** Parsed bodies of one object: a definition can be large, and questions come many at a time. */
const parsed = new WeakMap<Room, Map<string, GroupingDefinition>>()
const PARSED_MAX = 20

/**
 * The definitions of these versions.
 * @throws ProductError `expired` (`what: 'grouping'`, `ids`) for those that are not here: whoever knows them sends them
 */
export function definitionsOf(room: Room, versions: readonly GroupingVersion[]): Map<string, GroupingDefinition> {
  const found = versions.map((wanted) => ({ wanted, definition: definitionOf(room, wanted) }))
  const missing = found.filter(({ definition }) => !definition).map(({ wanted }) => wanted.id)
  if (missing.length > 0) throw new ProductError('expired', { what: 'grouping', ids: missing })
  return new Map(found.flatMap(({ wanted, definition }) => (definition ? [[wanted.id, definition]] : [])))
}

function definitionOf(room: Room, { id, version }: GroupingVersion): GroupingDefinition | null {
  const row = first<{ version: number; draft: number; drop_after: number }>(
    room.sql,
    'SELECT version, draft, drop_after FROM groupings WHERE id = ?',
    id,
  )
  if (row?.version !== version) return null
  touch(room, { table: 'groupings', key: 'id', id }, row)
  const known = parsed.get(room) ?? new Map<string, GroupingDefinition>()
  parsed.set(room, known)
  const cached = known.get(id)
  if (cached?.version === version) return cached
  const body = first<{ body: string }>(room.sql, 'SELECT body FROM groupings WHERE id = ?', id)
  if (!body) return null
  const definition: GroupingDefinition = JSON.parse(body.body)
  if (known.size >= PARSED_MAX) known.clear()
  known.set(id, definition)
  return definition
}

/** Used again: kept for as long as at first from now on. */
export function touch(
  room: Room,
  at: { table: 'groupings' | 'grouping_maps'; key: 'id' | 'n'; id: string | number },
  row: { draft: number; drop_after: number },
): void {
  const until = room.clock.now() + (row.draft === 1 ? DRAFT_KEPT_MS : KEPT_MS)
  if (until - row.drop_after > TOUCHED_MS)
    room.sql.exec(`UPDATE ${at.table} SET drop_after = ? WHERE ${at.key} = ?`, until, at.id)
}

export const keptUntil = (room: Room, draft: boolean): number => room.clock.now() + (draft ? DRAFT_KEPT_MS : KEPT_MS)

/** Definitions that nobody asked for in a long time; they come back when somebody does. */
export function dropOldDefinitions(room: Room): void {
  room.sql.exec('DELETE FROM groupings WHERE drop_after <= ?', room.clock.now())
}
