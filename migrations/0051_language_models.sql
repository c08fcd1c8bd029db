-- Whether questions that the rules cannot read may go to the installation's language model, and values of rows with them.
-- No row: neither.
CREATE TABLE ai_settings (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  model INTEGER NOT NULL DEFAULT 0,
  row_values INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  updated_by TEXT NOT NULL REFERENCES users (id),
  updated_at INTEGER NOT NULL
) STRICT;
