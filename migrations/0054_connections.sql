-- A source that is read from elsewhere. Its secrets are sealed for it alone; the id of their key is in the sealed text.
CREATE TABLE connections (
  source_id TEXT PRIMARY KEY REFERENCES data_sources (id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL,
  -- Values of the form's fields (JSON), none of them secret.
  settings TEXT NOT NULL,
  secrets TEXT,
  -- Which key sealed them: a rotation finds what is left by it.
  secrets_key TEXT,
  -- Changes with every write of secrets: of two writers one is first.
  secrets_version INTEGER NOT NULL DEFAULT 1,
  -- Until when one renews the tokens of this source (epoch ms).
  renewing_until INTEGER NOT NULL DEFAULT 0,
  -- Hours between two syncs, as the person wants them; the plan may allow fewer.
  frequency_hours INTEGER NOT NULL,
  paused INTEGER NOT NULL DEFAULT 0,
  -- Failures in a row.
  failures INTEGER NOT NULL DEFAULT 0,
  -- The last one, while it lasts (JSON), and since when it does.
  failure TEXT,
  failed_since INTEGER,
  -- When it is due; NULL: not until somebody does something.
  next_at INTEGER,
  synced_at INTEGER,
  succeeded_at INTEGER,
  -- What changed at the source that somebody should know (JSON).
  notices TEXT NOT NULL DEFAULT '[]',
  -- Of a source that programs send to: digest of their token.
  push_token_hash TEXT
) STRICT;
CREATE INDEX connections_due ON connections (next_at) WHERE paused = 0;
CREATE INDEX connections_by_workspace ON connections (workspace_id);
CREATE INDEX connections_by_key ON connections (secrets_key) WHERE secrets_key IS NOT NULL;

CREATE TABLE connection_streams (
  source_id TEXT NOT NULL REFERENCES connections (source_id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  key TEXT NOT NULL,
  -- As it was last discovered (JSON).
  stream TEXT NOT NULL,
  mode TEXT NOT NULL,
  -- Where the next sync begins (JSON). NULL: at the very beginning.
  cursor TEXT,
  PRIMARY KEY (source_id, key)
) STRICT;

-- Which dataset a table of a stream is loaded into, and which of its columns each name at the source became (JSON).
CREATE TABLE connection_tables (
  source_id TEXT NOT NULL REFERENCES connections (source_id) ON DELETE CASCADE,
  workspace_id TEXT NOT NULL,
  stream_key TEXT NOT NULL,
  name TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  columns TEXT NOT NULL,
  PRIMARY KEY (source_id, stream_key, name)
) STRICT;

CREATE TABLE syncs (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  source_id TEXT NOT NULL REFERENCES data_sources (id) ON DELETE CASCADE,
  -- What it is the sync of: a slot of the schedule runs once, however often it is started.
  slot TEXT NOT NULL,
  "trigger" TEXT NOT NULL,
  actor_id TEXT,
  state TEXT NOT NULL,
  -- Columns that are gone may go, although something uses them.
  accept_drift INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER NOT NULL,
  -- When it was last heard of.
  beat_at INTEGER NOT NULL,
  finished_at INTEGER,
  rows_read INTEGER NOT NULL DEFAULT 0,
  rows_written INTEGER NOT NULL DEFAULT 0,
  rows_rejected INTEGER NOT NULL DEFAULT 0,
  bytes_read INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  UNIQUE (source_id, slot)
) STRICT;
CREATE INDEX syncs_by_source ON syncs (source_id, started_at);
CREATE INDEX syncs_active ON syncs (state, beat_at) WHERE state = 'running';

-- Sources that failed so often that nobody tries them any more.
CREATE TABLE sync_dead_letters (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  source_id TEXT NOT NULL REFERENCES data_sources (id) ON DELETE CASCADE,
  sync_id TEXT NOT NULL,
  failures INTEGER NOT NULL,
  error TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX sync_dead_letters_by_source ON sync_dead_letters (source_id);

-- What programs sent, until it is in the table; afterwards only that it came, for a day.
CREATE TABLE ingest_batches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  workspace_id TEXT NOT NULL,
  source_id TEXT NOT NULL REFERENCES data_sources (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  -- Canonical records. NULL: applied.
  body TEXT,
  row_count INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (source_id, key)
) STRICT;
CREATE INDEX ingest_batches_waiting ON ingest_batches (source_id, seq) WHERE body IS NOT NULL;
CREATE INDEX ingest_batches_old ON ingest_batches (created_at);
