-- Consent at a vendor: asked for, then given, before a source takes it over. Sealed for its own id.
CREATE TABLE connection_drafts (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- The source whose consent is renewed; NULL: there is none yet.
  source_id TEXT,
  settings TEXT NOT NULL,
  -- Until the answer comes: the verifier of the code. Afterwards: what was issued.
  sealed TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('asked', 'given')),
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX connection_drafts_by_expiry ON connection_drafts (expires_at);
CREATE INDEX connection_drafts_by_workspace ON connection_drafts (workspace_id);
