-- Links that prove the address of an account: a kind of their own.
CREATE TABLE links_after (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('reset', 'sign_in', 'email_old', 'email_new', 'undelete', 'email_proof')),
  user_id TEXT NOT NULL REFERENCES users (id),
  payload TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
INSERT INTO links_after (id, kind, user_id, payload, created_at, expires_at, used_at)
  SELECT id, kind, user_id, payload, created_at, expires_at, used_at FROM links;
DROP TABLE links;
ALTER TABLE links_after RENAME TO links;
CREATE INDEX links_by_user ON links (user_id, kind);

-- What an account held when its address was first proven by another way than its own proof mail (JSON); NULL = nothing
-- waits for an answer. See src/identity/earlier-use-store.ts.
ALTER TABLE users ADD COLUMN earlier_use TEXT;
