import type { WarehouseContext } from './context'

/** One step of the object's own schema. D1's steps are files in `migrations/`; these live in code. */
export interface Migration {
  name: string
  statements: string[]
}

/** Append-only: a step that was released is never changed, only followed by another. */
const MIGRATIONS: readonly Migration[] = [
  {
    name: '0001_catalogue_and_ingest',
    statements: [
      'CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID',
      `CREATE TABLE datasets (
        id TEXT PRIMARY KEY, source_id TEXT NOT NULL, name TEXT NOT NULL, columns TEXT NOT NULL,
        key_columns TEXT NOT NULL, row_count INTEGER NOT NULL, bytes INTEGER NOT NULL, data_version INTEGER NOT NULL,
        table_set INTEGER, content_hash TEXT, loaded_at INTEGER, deleted_at INTEGER, purged INTEGER NOT NULL DEFAULT 0
      ) WITHOUT ROWID`,
      `CREATE TABLE table_sets (
        n INTEGER PRIMARY KEY, dataset_id TEXT NOT NULL, kind TEXT NOT NULL, layout TEXT NOT NULL,
        columns TEXT NOT NULL, bounds TEXT NOT NULL, tip INTEGER, drop_after INTEGER
      )`,
      'CREATE INDEX table_sets_by_dataset ON table_sets (dataset_id, kind)',
      `CREATE TABLE leases (
        dataset_id TEXT PRIMARY KEY, run_id TEXT, fence INTEGER NOT NULL, expires_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
      `CREATE TABLE loads (
        run_id TEXT PRIMARY KEY, dataset_id TEXT NOT NULL, fence INTEGER NOT NULL, state TEXT NOT NULL,
        spec TEXT NOT NULL, base TEXT NOT NULL, table_set INTEGER, staged INTEGER NOT NULL, rejected INTEGER NOT NULL,
        bytes INTEGER NOT NULL, widened TEXT NOT NULL, outcome TEXT, created_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
      'CREATE INDEX loads_by_dataset ON loads (dataset_id, created_at)',
      `CREATE TABLE segments (
        run_id TEXT NOT NULL, segment INTEGER NOT NULL, staged INTEGER NOT NULL, rejected INTEGER NOT NULL,
        bytes INTEGER NOT NULL, PRIMARY KEY (run_id, segment)
      ) WITHOUT ROWID`,
      `CREATE TABLE rejects (
        run_id TEXT NOT NULL, seq INTEGER NOT NULL, line INTEGER NOT NULL, reason TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (run_id, seq)
      ) WITHOUT ROWID`,
      `CREATE TABLE versions (
        dataset_id TEXT NOT NULL, data_version INTEGER NOT NULL, run_id TEXT NOT NULL, mode TEXT NOT NULL,
        file_name TEXT NOT NULL, object_key TEXT NOT NULL, content_hash TEXT, columns TEXT NOT NULL,
        key_columns TEXT NOT NULL, row_count INTEGER NOT NULL, bytes INTEGER NOT NULL, created_at INTEGER NOT NULL,
        table_set INTEGER, parent INTEGER, first_row INTEGER, last_row INTEGER, aside INTEGER, done TEXT NOT NULL,
        PRIMARY KEY (dataset_id, data_version)
      ) WITHOUT ROWID`,
      'CREATE UNIQUE INDEX versions_by_run ON versions (run_id)',
    ],
  },
  {
    name: '0002_relations',
    statements: [
      `CREATE TABLE relations (
        id TEXT PRIMARY KEY, from_dataset TEXT NOT NULL, from_key TEXT NOT NULL, to_dataset TEXT NOT NULL,
        to_key TEXT NOT NULL, state TEXT NOT NULL, score REAL NOT NULL, proof TEXT NOT NULL, version INTEGER NOT NULL
      ) WITHOUT ROWID`,
      'CREATE UNIQUE INDEX relations_by_ends ON relations (from_dataset, from_key, to_dataset, to_key)',
      'CREATE INDEX relations_by_target ON relations (to_dataset)',
    ],
  },
  {
    name: '0003_rollups',
    statements: [
      `CREATE TABLE rollups (
        n INTEGER PRIMARY KEY, dataset_id TEXT NOT NULL, shape TEXT NOT NULL, table_set INTEGER NOT NULL,
        data_version INTEGER NOT NULL, state TEXT NOT NULL, next_row INTEGER NOT NULL, row_count INTEGER NOT NULL,
        whole TEXT NOT NULL
      )`,
      'CREATE INDEX rollups_by_dataset ON rollups (dataset_id)',
      `CREATE TABLE plan_shapes (
        dataset_id TEXT NOT NULL, shape TEXT NOT NULL, asked INTEGER NOT NULL, asked_at INTEGER NOT NULL,
        PRIMARY KEY (dataset_id, shape)
      ) WITHOUT ROWID`,
    ],
  },
  // NULL: of a load that an older release began; its rows are measured at the end.
  { name: '0004_staged_bounds', statements: ['ALTER TABLE loads ADD COLUMN bounds TEXT'] },
  // Rates that answers were given by: one line for each currency and day, so that rows are joined by equality.
  {
    name: '0005_rates',
    statements: [
      'CREATE TABLE fx_sets (n INTEGER PRIMARY KEY AUTOINCREMENT, key TEXT NOT NULL UNIQUE, scale INTEGER NOT NULL, bound TEXT NOT NULL, at INTEGER NOT NULL)',
      `CREATE TABLE fx_rates (
        fx INTEGER NOT NULL, currency TEXT NOT NULL, day INTEGER NOT NULL, n INTEGER NOT NULL,
        rate_from INTEGER NOT NULL, rate_to INTEGER NOT NULL, source TEXT NOT NULL, PRIMARY KEY (fx, currency, day)
      ) WITHOUT ROWID`,
    ],
  },
  {
    name: '0006_groupings',
    statements: [
      `CREATE TABLE groupings (
        id TEXT PRIMARY KEY, version INTEGER NOT NULL, draft INTEGER NOT NULL, body TEXT NOT NULL,
        drop_after INTEGER NOT NULL
      ) WITHOUT ROWID`,
      `CREATE TABLE grouping_maps (
        n INTEGER PRIMARY KEY AUTOINCREMENT, grouping_id TEXT NOT NULL, version INTEGER NOT NULL, draft INTEGER NOT NULL,
        dataset_id TEXT NOT NULL, column_key TEXT NOT NULL, era INTEGER NOT NULL, table_set INTEGER NOT NULL,
        data_version INTEGER NOT NULL, shape TEXT NOT NULL, kind TEXT NOT NULL, ready INTEGER NOT NULL,
        drop_after INTEGER NOT NULL
      )`,
      'CREATE UNIQUE INDEX grouping_maps_by_column ON grouping_maps (grouping_id, dataset_id, column_key, era)',
      'CREATE INDEX grouping_maps_by_dataset ON grouping_maps (dataset_id)',
    ],
  },
  // What a rollback put back into the tables, so that it can be undone itself. NULL: nothing.
  { name: '0007_version_restored', statements: ['ALTER TABLE versions ADD COLUMN restored INTEGER'] },
  // Rows once more, column by column, in chunks of 65,536 row numbers. A chunk counts once it stands in `row_chunks`.
  {
    name: '0008_columns',
    statements: [
      `CREATE TABLE row_chunks (
        table_set INTEGER NOT NULL, chunk INTEGER NOT NULL, rows INTEGER NOT NULL, PRIMARY KEY (table_set, chunk)
      ) WITHOUT ROWID`,
      `CREATE TABLE column_chunks (
        table_set INTEGER NOT NULL, column_key TEXT NOT NULL, chunk INTEGER NOT NULL, rows INTEGER NOT NULL,
        bits INTEGER NOT NULL, base REAL NOT NULL, least REAL, most REAL, nulls INTEGER NOT NULL,
        checksum INTEGER NOT NULL, data BLOB NOT NULL, PRIMARY KEY (table_set, column_key, chunk)
      ) WITHOUT ROWID`,
      `CREATE TABLE column_words (
        table_set INTEGER NOT NULL, column_key TEXT NOT NULL, first INTEGER NOT NULL, words TEXT NOT NULL,
        PRIMARY KEY (table_set, column_key, first)
      ) WITHOUT ROWID`,
    ],
  },
  // Texts of columns that have too many different ones for a dictionary, as they are; sets that lack them are made again.
  {
    name: '0011_column_texts',
    statements: [
      `CREATE TABLE column_texts (
        table_set INTEGER NOT NULL, column_key TEXT NOT NULL, chunk INTEGER NOT NULL, first INTEGER NOT NULL,
        rows INTEGER NOT NULL, checksum INTEGER NOT NULL, data BLOB NOT NULL,
        PRIMARY KEY (table_set, column_key, chunk, first)
      ) WITHOUT ROWID`,
      `DELETE FROM row_chunks WHERE EXISTS (
        SELECT 1 FROM table_sets s, json_each(s.columns) c
        WHERE s.n = row_chunks.table_set AND NOT EXISTS (
          SELECT 1 FROM column_chunks k WHERE k.table_set = s.n AND k.column_key = c.value ->> 'key'))`,
    ],
  },
  // Columns are the rows: each version lists its chunks, those of others shared. NULL: rows of an earlier release.
  {
    name: '0012_manifests',
    statements: [
      'ALTER TABLE table_sets ADD COLUMN manifest TEXT',
      'ALTER TABLE versions ADD COLUMN manifest TEXT',
      'ALTER TABLE column_chunks ADD COLUMN scale INTEGER',
      'ALTER TABLE column_words ADD COLUMN checksum INTEGER NOT NULL DEFAULT 0',
      'DROP TABLE row_chunks',
      // Chunks beside rows: each set is written anew, with its manifest.
      ...['DELETE FROM column_chunks', 'DELETE FROM column_words', 'DELETE FROM column_texts'],
      `CREATE TABLE deletion_vectors (
        n INTEGER PRIMARY KEY AUTOINCREMENT, table_set INTEGER NOT NULL, data BLOB NOT NULL,
        checksum INTEGER NOT NULL
      )`,
      `CREATE TABLE staged_batches (
        table_set INTEGER NOT NULL, first INTEGER NOT NULL, rows INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (table_set, first)
      ) WITHOUT ROWID`,
      // Sums of an earlier release, rows that its versions moved aside, and loads that are half in its tables, cannot be gone on with.
      "UPDATE table_sets SET kind = 'dropped' WHERE kind IN ('aside', 'rollup')",
      'DROP TABLE rollups',
      'DROP TABLE plan_shapes',
      "UPDATE leases SET expires_at = 0 WHERE run_id IN (SELECT run_id FROM loads WHERE state = 'open')",
    ],
  },
  {
    name: '0013_relation_keys',
    statements: [
      "ALTER TABLE relations ADD COLUMN further TEXT NOT NULL DEFAULT '[]'",
      'DROP INDEX relations_by_ends',
      'CREATE UNIQUE INDEX relations_by_ends ON relations (from_dataset, from_key, to_dataset, to_key, further)',
    ],
  },
  // Datasets whose rows stay at their source: where, and what was seen of them at an instant.
  {
    name: '0014_foreign_places',
    statements: [
      `CREATE TABLE foreign_places (
        dataset_id TEXT PRIMARY KEY, place TEXT NOT NULL, row_count INTEGER NOT NULL, bounds TEXT NOT NULL,
        checked_at INTEGER NOT NULL
      ) WITHOUT ROWID`,
    ],
  },
]

const UNKNOWN_STEP = 'The warehouse holds a step that this code does not know'

/** Whether an object refused to start because a newer release has written it. */
export const isUnknownMigration = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(UNKNOWN_STEP)

/**
 * Brings the schema up to this code, each step in its own transaction, so that a start that dies goes on from there.
 * @throws Error when the object was written by newer code: serving it with older code could damage it.
 */
export function migrate(context: WarehouseContext, migrations: readonly Migration[] = MIGRATIONS): void {
  const { sql } = context
  sql.exec(
    'CREATE TABLE IF NOT EXISTS schema_migrations (n INTEGER PRIMARY KEY, name TEXT NOT NULL, at INTEGER NOT NULL)',
  )
  const applied = sql.exec<{ name: string }>('SELECT name FROM schema_migrations ORDER BY n').toArray()
  for (const [n, { name }] of applied.entries()) {
    if (migrations[n]?.name !== name) throw new Error(`${UNKNOWN_STEP}: ${name}.`)
  }
  for (const [n, step] of migrations.entries()) {
    if (n < applied.length) continue
    context.transaction(() => {
      for (const statement of step.statements) sql.exec(statement)
      sql.exec('INSERT INTO schema_migrations (n, name, at) VALUES (?, ?, ?)', n, step.name, context.clock.now())
    })
  }
}
