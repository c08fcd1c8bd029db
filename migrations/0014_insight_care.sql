-- Where insights are put together. Deleted at once: what was in one is moved first.
CREATE TABLE categories (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  icon TEXT NOT NULL,
  -- Smaller comes first; equal ones by name.
  position INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX categories_name ON categories (workspace_id, name_key);

ALTER TABLE insights ADD COLUMN category_id TEXT REFERENCES categories (id);
ALTER TABLE insights ADD COLUMN findings TEXT NOT NULL DEFAULT 'on' CHECK (findings IN ('on', 'off'));
-- Somebody vouches for the figures; the hash is of the question and of what it names. Another hash: nobody does.
ALTER TABLE insights ADD COLUMN verified_by TEXT REFERENCES users (id);
ALTER TABLE insights ADD COLUMN verified_at INTEGER;
ALTER TABLE insights ADD COLUMN verified_hash TEXT;
CREATE INDEX insights_by_category ON insights (category_id) WHERE category_id IS NOT NULL;

-- What an insight was each time it was saved; the newest hundred.
CREATE TABLE insight_versions (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  insight_id TEXT NOT NULL REFERENCES insights (id) ON DELETE CASCADE,
  version INTEGER NOT NULL,
  name TEXT NOT NULL,
  description TEXT NOT NULL,
  plan TEXT NOT NULL,
  viz TEXT NOT NULL,
  saved_by TEXT NOT NULL REFERENCES users (id),
  saved_at INTEGER NOT NULL,
  -- The version that this one brought back.
  restored_from INTEGER,
  PRIMARY KEY (insight_id, version)
) STRICT;
CREATE INDEX insight_versions_by_workspace ON insight_versions (workspace_id);
INSERT INTO insight_versions (workspace_id, insight_id, version, name, description, plan, viz, saved_by, saved_at)
SELECT workspace_id, id, version, name, description, plan, viz, owner_id, updated_at FROM insights;

CREATE TABLE insight_follows (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  insight_id TEXT NOT NULL REFERENCES insights (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  PRIMARY KEY (insight_id, user_id)
) STRICT;
CREATE INDEX insight_follows_by_person ON insight_follows (workspace_id, user_id);

-- What people say of an insight: of all of it (a comment), or of one unit of its time axis (a note).
CREATE TABLE notes (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  insight_id TEXT NOT NULL REFERENCES insights (id) ON DELETE CASCADE,
  -- First day of the unit, and which unit it is; both or none.
  bucket TEXT,
  grain TEXT,
  body TEXT NOT NULL,
  -- Ids of the people named in it (JSON).
  mentions TEXT NOT NULL DEFAULT '[]',
  author_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  edited_at INTEGER,
  CHECK ((bucket IS NULL) = (grain IS NULL))
) STRICT;
CREATE INDEX notes_by_insight ON notes (insight_id, created_at);
CREATE INDEX notes_by_workspace ON notes (workspace_id);
