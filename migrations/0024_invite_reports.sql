-- Addresses whose readers reported an invitation: the workspace writes to them no more.
CREATE TABLE invite_reports (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL,
  invite_id TEXT NOT NULL,
  invited_by TEXT NOT NULL REFERENCES users (id),
  at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, email)
) STRICT;
