-- Grows with every change of who sees what; 0: nobody ever wrote a rule, and everybody sees everything.
ALTER TABLE workspaces ADD COLUMN access_epoch INTEGER NOT NULL DEFAULT 0;
-- All rules of a workspace as one document for each change, so that any of them can be gone back to.
CREATE TABLE access_policies (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  revision INTEGER NOT NULL,
  policy TEXT NOT NULL,
  -- What was done, in words of the history.
  change TEXT NOT NULL,
  actor_id TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, revision)
) STRICT;
CREATE TABLE attribute_values (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  attribute_id TEXT NOT NULL,
  holder_kind TEXT NOT NULL CHECK (holder_kind IN ('group', 'member')),
  holder_id TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (workspace_id, attribute_id, holder_kind, holder_id)
) STRICT;
CREATE INDEX attribute_values_by_holder ON attribute_values (workspace_id, holder_kind, holder_id);
-- JSON of `StoredViewAs`: whose view of a workspace this browser has for now.
ALTER TABLE sessions ADD COLUMN view_as TEXT;
