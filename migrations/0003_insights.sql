CREATE TABLE insights (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  plan TEXT NOT NULL,
  viz TEXT NOT NULL,
  owner_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX insights_name ON insights (workspace_id, name_key) WHERE deleted_at IS NULL;
-- Which datasets and columns an insight uses: dependents before a delete, and removed columns before a load.
CREATE TABLE insight_fields (
  insight_id TEXT NOT NULL REFERENCES insights (id) ON DELETE CASCADE,
  dataset_id TEXT NOT NULL,
  column_key TEXT NOT NULL,
  PRIMARY KEY (insight_id, dataset_id, column_key)
) STRICT;
CREATE INDEX insight_fields_by_dataset ON insight_fields (dataset_id);
