-- Consent at a vendor, from its start until a source is made of it or an hour has passed. What it gave is sealed for it alone.
CREATE TABLE consents (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session that began it: no other may end it.
  session_hash TEXT NOT NULL,
  kind TEXT NOT NULL,
  -- Of the source whose access is renewed; NULL: there is none yet.
  source_id TEXT,
  -- Digest of the state that the vendor brings back. NULL: it came back.
  state_hash TEXT UNIQUE,
  -- The code verifier (PKCE), sealed.
  verifier TEXT NOT NULL,
  -- What consent gave, sealed. NULL: nothing yet.
  secrets TEXT,
  settings TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX consents_by_workspace ON consents (workspace_id);
CREATE INDEX consents_by_age ON consents (created_at);
