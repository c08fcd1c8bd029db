import { dropExpiredGroupings } from './groupings/grouping-maps'
import { firstRow, type WarehouseContext } from './context'
import { discardLoad } from './ingest/load'
import { deleteChunks } from './segments/segment-store'
import { discardTableSet, findTableSet, quotedName, type TableSet } from './tables'

/** Nearest that the object wakes itself for cleaning. */
const ALARM_DELAY_MIN_MS = 1000

/** How the object keeps itself clean. */
export class Maintenance {
  readonly #context: () => WarehouseContext
  readonly #storage: DurableObjectStorage
  #dropping: Promise<number> | null = null

  constructor(room: () => WarehouseContext, storage: DurableObjectStorage) {
    this.#context = room
    this.#storage = storage
  }

  /** Lets go of what nobody needs any more; answers how many tables went. */
  async run(): Promise<number> {
    discardExpired(this.#context())
    dropExpiredGroupings(this.#context())
    const dropped = await this.dropDiscarded()
    await this.scheduleAlarm()
    return dropped
  }

  /** Sees to it that an alarm stands no later than the next thing to clean. */
  async scheduleAlarm(): Promise<void> {
    const due = nextMaintenanceAt(this.#context())
    if (due === null) return
    const at = Date.now() + Math.max(ALARM_DELAY_MIN_MS, due - this.#context().clock.now())
    const standing = await this.#storage.getAlarm()
    if (standing === null || standing > at) await this.#storage.setAlarm(at)
  }

  /** Removes the bytes of what was let go. One cleaning at a time. */
  dropDiscarded(): Promise<number> {
    this.#dropping ??= dropDiscardedSets(this.#context()).finally(() => {
      this.#dropping = null
    })
    return this.#dropping
  }

  /** When the cleaning under way has ended. */
  async idle(): Promise<void> {
    await this.#dropping
  }
}

const SLICE_ROWS = 50_000
/** Runs whose rejected rows can still be looked at, per dataset. */
const REJECTS_KEPT_RUNS = 20

/** Lets go of what time has passed by: dead loads, previous tables, old rejects. The bytes go with {@link dropDiscardedSets}. */
function discardExpired(context: WarehouseContext): void {
  context.transaction(() => {
    const { sql } = context
    const now = context.clock.now()
    const dead = sql.exec<{ run_id: string; table_set: number | null }>(
      `SELECT run_id, table_set FROM loads WHERE state = 'open' AND run_id NOT IN
        (SELECT run_id FROM leases WHERE run_id IS NOT NULL AND expires_at > ?)`,
      now,
    )
    for (const load of dead.toArray()) discardLoad(context, { runId: load.run_id, tableSet: load.table_set })
    const late = "SELECT n FROM table_sets WHERE kind = 'previous' AND drop_after <= ?"
    for (const { n } of sql.exec<{ n: number }>(late, now).toArray()) discardTableSet(context, n)
    sql.exec(
      `DELETE FROM rejects WHERE run_id IN (SELECT run_id FROM
        (SELECT run_id, row_number() OVER (PARTITION BY dataset_id ORDER BY created_at DESC) AS age FROM loads)
        WHERE age > ?)`,
      REJECTS_KEPT_RUNS,
    )
  })
}

/** When there will be something to clean: epoch ms, past when it is overdue, null when nothing is foreseen. */
function nextMaintenanceAt(context: WarehouseContext): number | null {
  const due = `SELECT min(at) AS at FROM (
    SELECT min(drop_after) AS at FROM table_sets WHERE kind = 'previous'
    UNION ALL SELECT min(expires_at) FROM leases WHERE run_id IS NOT NULL
    UNION ALL SELECT min(drop_after) FROM grouping_maps
    UNION ALL SELECT 0 FROM table_sets WHERE kind = 'dropped')`
  return firstRow<{ at: number | null }>(context.sql, due)?.at ?? null
}

/** Removes the bytes of unreachable tables slice by slice; waiting calls go between. Answers how many sets went. */
async function dropDiscardedSets(context: WarehouseContext): Promise<number> {
  let dropped = 0
  for (;;) {
    const row = firstRow<{ n: number }>(
      context.sql,
      "SELECT n FROM table_sets WHERE kind = 'dropped' ORDER BY n LIMIT 1",
    )
    const set = row && findTableSet(context, row.n)
    if (!set) break
    await dropSet(context, set)
    dropped += 1
  }
  await dropRowTables(context)
  return dropped
}

/** Tables of an earlier release whose rows lie in chunks by now. */
async function dropRowTables(context: WarehouseContext): Promise<void> {
  const converted = context.sql
    .exec<{ n: number }>("SELECT n FROM table_sets WHERE manifest IS NOT NULL AND kind IN ('live', 'previous')")
    .toArray()
  for (const { n } of converted) for (const table of rowTables(context, n)) await dropRowTable(context, table)
}

async function dropSet(context: WarehouseContext, set: TableSet): Promise<void> {
  for (const table of rowTables(context, set.n)) await dropRowTable(context, table)
  context.transaction(() => {
    deleteChunks(context, set.n)
    context.sql.exec('DELETE FROM table_sets WHERE n = ?', set.n)
  })
}

/** What a set of an earlier release lies in. */
const rowTables = ({ sql }: WarehouseContext, n: number): string[] =>
  sql
    .exec<{ name: string }>(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND (name = ?1 OR name GLOB ?1 || '_*')",
      `t${n}`,
    )
    .toArray()
    .map(({ name }) => quotedName(name))

async function dropRowTable(context: WarehouseContext, table: string): Promise<void> {
  const { sql } = context
  const last = firstRow<{ r: number | null }>(sql, `SELECT max(rowid) AS r FROM ${table}`)?.r ?? 0
  for (let after = last - SLICE_ROWS; after > 0; after -= SLICE_ROWS) {
    sql.exec(`DELETE FROM ${table} WHERE rowid > ?`, after)
    await context.pause()
  }
  sql.exec(`DROP TABLE IF EXISTS ${table}`)
}
