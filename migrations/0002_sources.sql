CREATE TABLE uploads (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL,
  file_name TEXT NOT NULL,
  size INTEGER NOT NULL,
  object_key TEXT NOT NULL,
  multipart_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('receiving', 'complete')),
  content_hash TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX uploads_by_workspace ON uploads (workspace_id);
CREATE INDEX uploads_by_expiry ON uploads (expires_at);

CREATE TABLE upload_parts (
  upload_id TEXT NOT NULL REFERENCES uploads (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  etag TEXT NOT NULL,
  size INTEGER NOT NULL,
  PRIMARY KEY (upload_id, number)
) STRICT;

CREATE TABLE data_sources (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  type TEXT NOT NULL,
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  state TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
-- A deleted source gives its name back.
CREATE UNIQUE INDEX data_sources_name ON data_sources (workspace_id, name_key) WHERE deleted_at IS NULL;

-- A projection of the warehouse's catalogue for lists; the warehouse is right and this can be rebuilt from it.
CREATE TABLE datasets (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  source_id TEXT NOT NULL REFERENCES data_sources (id),
  name TEXT NOT NULL,
  row_count INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER NOT NULL DEFAULT 0,
  data_version INTEGER NOT NULL DEFAULT 0,
  columns TEXT NOT NULL DEFAULT '[]',
  key_columns TEXT NOT NULL DEFAULT '[]',
  loaded_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX datasets_by_source ON datasets (source_id);
CREATE INDEX datasets_by_workspace ON datasets (workspace_id);

CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  source_id TEXT NOT NULL REFERENCES data_sources (id),
  dataset_id TEXT NOT NULL REFERENCES datasets (id),
  actor_id TEXT NOT NULL,
  "trigger" TEXT NOT NULL,
  mode TEXT NOT NULL,
  upload_id TEXT,
  object_key TEXT,
  file_name TEXT NOT NULL,
  -- Everything a retry needs: settings, columns, mapping, keys (JSON).
  request TEXT NOT NULL,
  state TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  rows_read INTEGER NOT NULL DEFAULT 0,
  rows_written INTEGER NOT NULL DEFAULT 0,
  rows_rejected INTEGER NOT NULL DEFAULT 0,
  bytes_read INTEGER NOT NULL DEFAULT 0,
  bytes_total INTEGER NOT NULL DEFAULT 0,
  data_version INTEGER,
  error TEXT
) STRICT;
CREATE INDEX runs_by_source ON runs (source_id, started_at);
CREATE INDEX runs_by_state ON runs (state);
