-- Words of a workspace and what they mean in its data.
CREATE TABLE bot_terms (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  term TEXT NOT NULL,
  term_key TEXT NOT NULL,
  -- JSON: other words for it, a measure or null, filters.
  synonyms TEXT NOT NULL DEFAULT '[]',
  definition TEXT NOT NULL DEFAULT '',
  means TEXT NOT NULL DEFAULT '',
  measure TEXT,
  filters TEXT NOT NULL DEFAULT '[]',
  updated_by TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  UNIQUE (workspace_id, term_key)
) STRICT;
-- Wordings that somebody bound to a plan.
CREATE TABLE bot_verified (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  question TEXT NOT NULL,
  question_key TEXT NOT NULL,
  -- JSON: the plan, how it is drawn, which columns are shown (NULL: all).
  plan TEXT NOT NULL,
  viz TEXT NOT NULL,
  shown TEXT,
  -- What the plan, its metrics and its columns meant when it was verified.
  hash TEXT NOT NULL,
  verified_by TEXT NOT NULL REFERENCES users (id),
  verified_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  UNIQUE (workspace_id, question_key)
) STRICT;
