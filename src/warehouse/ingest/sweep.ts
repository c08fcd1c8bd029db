import { endLoad } from './load'
import { first } from '../room'
import type { Room } from '../room'
import { discardSet, findSet, groupTable, lastRow, quoted } from '../tables'
import type { TableSet } from '../tables'

const SLICE_ROWS = 50_000
/** Runs whose rejected rows can still be looked at, per dataset. */
const REJECTS_KEPT_RUNS = 20

/** Lets go of what time has passed by: dead loads, previous tables, old rejects. The bytes go with {@link tidy}. */
export function retireStale(room: Room): void {
  room.atomically(() => {
    const { sql } = room
    const now = room.clock.now()
    const dead = sql.exec<{ run_id: string; table_set: number | null }>(
      `SELECT run_id, table_set FROM loads WHERE state = 'open' AND run_id NOT IN
        (SELECT run_id FROM leases WHERE run_id IS NOT NULL AND expires_at > ?)`,
      now,
    )
    for (const load of dead.toArray()) endLoad(room, { runId: load.run_id, tableSet: load.table_set })
    const late = "SELECT n FROM table_sets WHERE kind = 'previous' AND drop_after <= ?"
    for (const { n } of sql.exec<{ n: number }>(late, now).toArray()) discardSet(room, n)
    sql.exec(
      `DELETE FROM rejects WHERE run_id IN (SELECT run_id FROM
        (SELECT run_id, row_number() OVER (PARTITION BY dataset_id ORDER BY created_at DESC) AS age FROM loads)
        WHERE age > ?)`,
      REJECTS_KEPT_RUNS,
    )
  })
}

/** When there will be something to clean: epoch ms, past when it is overdue, null when nothing is foreseen. */
export function cleaningDue(room: Room): number | null {
  const due = `SELECT min(at) AS at FROM (
    SELECT min(drop_after) AS at FROM table_sets WHERE kind = 'previous'
    UNION ALL SELECT min(expires_at) FROM leases WHERE run_id IS NOT NULL
    UNION ALL SELECT min(drop_after) FROM grouping_maps
    UNION ALL SELECT 0 FROM table_sets WHERE kind = 'dropped')`
  return first<{ at: number | null }>(room.sql, due)?.at ?? null
}

/** Removes the bytes of unreachable tables slice by slice; waiting calls go between. Answers how many sets went. */
export async function tidy(room: Room): Promise<number> {
  for (let dropped = 0; ; dropped++) {
    const row = first<{ n: number }>(room.sql, "SELECT n FROM table_sets WHERE kind = 'dropped' ORDER BY n LIMIT 1")
    const set = row && findSet(room, row.n)
    if (!set) return dropped
    await drop(room, set)
  }
}

async function drop(room: Room, set: TableSet): Promise<void> {
  for (let last = lastRow(room, set); last > SLICE_ROWS; last -= SLICE_ROWS) {
    for (const group of set.layout.keys()) {
      room.sql.exec(`DELETE FROM ${groupTable(set, group)} WHERE r > ?`, last - SLICE_ROWS)
    }
    await room.pause()
  }
  room.atomically(() => {
    for (const group of set.layout.keys()) room.sql.exec(`DROP TABLE IF EXISTS ${groupTable(set, group)}`)
    for (const extra of [`t${set.n}_k`, `t${set.n}_m`]) room.sql.exec(`DROP TABLE IF EXISTS ${quoted(extra)}`)
    room.sql.exec('DELETE FROM table_sets WHERE n = ?', set.n)
  })
}
