-- When somebody last came to look at what changed, and the visit before. `since` NULL: this is the first.
CREATE TABLE briefing_visits (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  since INTEGER,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT;
-- What a person has read or put off, by the key of the finding: it is the same in every run that finds it again.
CREATE TABLE briefing_marks (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  read_at INTEGER,
  snoozed_until INTEGER,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
) STRICT;
-- Kinds of findings that a person wants less of.
CREATE TABLE briefing_kinds (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  kind TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, kind)
) STRICT;
