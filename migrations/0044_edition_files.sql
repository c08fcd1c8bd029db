-- Files of editions are stored before the edition itself: which may be without one, and when that is looked at.
CREATE TABLE edition_files (
  -- Of the edition.
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX edition_files_by_due ON edition_files (due_at);
CREATE INDEX edition_files_by_workspace ON edition_files (workspace_id);
