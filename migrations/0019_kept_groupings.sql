-- Groupings, too, can be chosen to stay when the plan becomes smaller.
CREATE TABLE kept_now (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('source', 'member', 'insight', 'grouping')),
  entity_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, kind, entity_id)
) STRICT;
INSERT INTO kept_now (workspace_id, kind, entity_id) SELECT workspace_id, kind, entity_id FROM kept;
DROP TABLE kept;
ALTER TABLE kept_now RENAME TO kept;
