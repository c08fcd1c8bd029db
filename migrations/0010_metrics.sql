CREATE TABLE metrics (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  synonyms TEXT NOT NULL DEFAULT '[]',
  description TEXT NOT NULL DEFAULT '',
  dataset_id TEXT NOT NULL,
  measure TEXT NOT NULL,
  formula TEXT NOT NULL,
  filters TEXT NOT NULL DEFAULT '[]',
  time_field TEXT,
  direction TEXT NOT NULL,
  format TEXT,
  currency_mode TEXT,
  owner_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  verified_by TEXT,
  verified_at INTEGER,
  -- Hash of the definition and of all it names, as it was when somebody vouched for it.
  verified_hash TEXT
) STRICT;
CREATE INDEX metrics_by_workspace ON metrics (workspace_id, name);
-- Names and synonyms together are unique in a workspace.
CREATE TABLE metric_names (
  workspace_id TEXT NOT NULL,
  name_key TEXT NOT NULL,
  metric_id TEXT NOT NULL REFERENCES metrics (id) ON DELETE CASCADE,
  PRIMARY KEY (workspace_id, name_key)
) STRICT;
CREATE INDEX metric_names_by_metric ON metric_names (metric_id);
-- Which datasets and columns a metric reads, those of the metrics that it names included.
CREATE TABLE metric_fields (
  metric_id TEXT NOT NULL REFERENCES metrics (id) ON DELETE CASCADE,
  dataset_id TEXT NOT NULL,
  column_key TEXT NOT NULL,
  PRIMARY KEY (metric_id, dataset_id, column_key)
) STRICT;
CREATE INDEX metric_fields_by_dataset ON metric_fields (dataset_id);
