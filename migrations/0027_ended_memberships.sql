-- Memberships that ended, as long as their people are told of them and a restored account can take them up again.
CREATE TABLE ended_memberships (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL,
  -- `account_deleted`: an account that is restored waits for the workspace to let it in again.
  reason TEXT NOT NULL CHECK (reason IN ('removed', 'left', 'account_deleted')),
  -- JSON: groups that the person was added to by hand.
  group_ids TEXT NOT NULL DEFAULT '[]',
  joined_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT;
CREATE INDEX ended_memberships_by_user ON ended_memberships (user_id);
CREATE INDEX ended_memberships_by_time ON ended_memberships (ended_at);

-- Set while a suspended member waits to be let in again after restoring their account.
ALTER TABLE members ADD COLUMN restored_at INTEGER;

-- The workspace that a person opened last, on whichever device.
ALTER TABLE users ADD COLUMN last_workspace_id TEXT;

-- What the line says beside its action (JSON): the name of the thing, and what of it changed from what to what.
ALTER TABLE audit ADD COLUMN details TEXT;
