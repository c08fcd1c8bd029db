-- What people say of blocks of reports.
CREATE TABLE report_comments (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  -- Of the content: blocks keep their ids from draft to publication.
  block_id TEXT NOT NULL,
  body TEXT NOT NULL,
  -- Ids of the people named in it (JSON).
  mentions TEXT NOT NULL DEFAULT '[]',
  -- By whose rights it was written; who has others sees it only where it is for everyone.
  rights TEXT NOT NULL,
  audience TEXT NOT NULL CHECK (audience IN ('sameRights', 'everyone')),
  author_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  edited_at INTEGER,
  resolved_at INTEGER,
  resolved_by TEXT REFERENCES users (id)
) STRICT;
CREATE INDEX report_comments_by_report ON report_comments (report_id, created_at);
CREATE INDEX report_comments_by_workspace ON report_comments (workspace_id);
-- Who hears by mail of the figure of a block, and how often.
CREATE TABLE block_subscriptions (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  block_id TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  cadence TEXT NOT NULL CHECK (cadence IN ('daily', 'weekly', 'data')),
  -- First day of the newest slot that was told of; null: the first is still to come.
  last_slot TEXT,
  -- Versions of the data that were told of.
  data_key TEXT,
  due_at INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  UNIQUE (report_id, block_id, user_id)
) STRICT;
CREATE INDEX block_subscriptions_due ON block_subscriptions (due_at);
CREATE INDEX block_subscriptions_by_person ON block_subscriptions (workspace_id, user_id);
