-- Values of columns put together under names. target, fallback and eras are JSON as in src/shared/groupings.ts.
CREATE TABLE groupings (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  kind TEXT NOT NULL CHECK (kind IN ('values', 'ranges', 'rules', 'accounts')),
  target TEXT NOT NULL,
  fallback TEXT NOT NULL,
  eras TEXT NOT NULL,
  -- What it takes of the limits of its workspace.
  group_count INTEGER NOT NULL DEFAULT 0,
  member_count INTEGER NOT NULL DEFAULT 0,
  era_count INTEGER NOT NULL DEFAULT 1,
  -- {values, rows, rights, version} (JSON) of what belongs to no group, as seen with these rights; NULL = not counted.
  unmatched TEXT,
  unmatched_at INTEGER,
  owner_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX groupings_by_name ON groupings (workspace_id, name_key) WHERE deleted_at IS NULL;
CREATE INDEX groupings_by_deletion ON groupings (deleted_at) WHERE deleted_at IS NOT NULL;
