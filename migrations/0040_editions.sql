-- Frozen reports: their figures lie in the store of files (`editions/{workspace}/{id}.json`) and never change.
CREATE TABLE report_editions (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  -- The publication that it was made of.
  publication INTEGER NOT NULL,
  -- In words; null: each block has its own.
  period TEXT,
  note TEXT NOT NULL DEFAULT '',
  -- SHA-256 of the document, hex.
  hash TEXT NOT NULL,
  -- By whose rights its figures were read; who has others sees it only where it was released to everyone.
  rights TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience IN ('sameRights', 'everyone')),
  data_as_of INTEGER,
  published_by TEXT NOT NULL REFERENCES users (id),
  published_at INTEGER NOT NULL,
  UNIQUE (report_id, n)
) STRICT;
CREATE INDEX report_editions_by_workspace ON report_editions (workspace_id, published_at);
-- Who stands by an edition.
CREATE TABLE report_signatures (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  edition_id TEXT NOT NULL REFERENCES report_editions (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id),
  signed_at INTEGER NOT NULL,
  PRIMARY KEY (edition_id, user_id)
) STRICT;
CREATE INDEX report_signatures_by_workspace ON report_signatures (workspace_id);
