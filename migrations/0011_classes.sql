-- What the accounts of a workspace's ledgers mean, when it is not the chart as it comes.
CREATE TABLE account_classes (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  -- [{from, to, line}] (JSON); NULL = the chart as it comes, after it had been adjusted.
  ranges TEXT,
  version INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
