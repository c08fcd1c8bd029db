-- What programs ask with in a person's name: tokens that the person made, and those of apps that they connected. Of each
-- secret only a hash is kept. All go with the membership; epochs of other times let nobody in.
CREATE TABLE connected_apps (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  user_epoch INTEGER NOT NULL,
  member_epoch INTEGER NOT NULL,
  client_id TEXT NOT NULL,
  -- As the app called itself when it was connected.
  name TEXT NOT NULL,
  -- JSON: `read`, `ask`.
  scopes TEXT NOT NULL,
  -- Of the token by which the next access token is asked for; each works once.
  refresh_hash TEXT UNIQUE,
  -- The one before: whoever shows it has a copy, and the connection ends.
  used_refresh_hash TEXT UNIQUE,
  -- Until the app has taken its first token: hash and terms of its code. The hash stays, so that a second use ends it.
  code_hash TEXT UNIQUE,
  code_challenge TEXT,
  code_expires_at INTEGER,
  redirect_uri TEXT,
  created_at INTEGER NOT NULL,
  -- Moves with each refresh.
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX connected_apps_by_person ON connected_apps (user_id, workspace_id);
CREATE INDEX connected_apps_by_workspace ON connected_apps (workspace_id);
CREATE INDEX connected_apps_by_expiry ON connected_apps (expires_at);

CREATE TABLE access_tokens (
  id TEXT PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  user_epoch INTEGER NOT NULL,
  member_epoch INTEGER NOT NULL,
  -- Of an app: the connection it belongs to. NULL: made by the person.
  app_id TEXT REFERENCES connected_apps (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  scopes TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  last_used_at INTEGER
) STRICT;
CREATE INDEX access_tokens_by_person ON access_tokens (user_id, workspace_id);
CREATE INDEX access_tokens_by_workspace ON access_tokens (workspace_id);
CREATE INDEX access_tokens_by_app ON access_tokens (app_id);
CREATE INDEX access_tokens_by_expiry ON access_tokens (expires_at);

-- Somebody who is let in again later has an epoch that begins again.
CREATE TRIGGER access_tokens_of_gone_member AFTER DELETE ON members
BEGIN
  DELETE FROM access_tokens WHERE workspace_id = OLD.workspace_id AND user_id = OLD.user_id;
  DELETE FROM connected_apps WHERE workspace_id = OLD.workspace_id AND user_id = OLD.user_id;
END;

-- Apps that announced themselves: a name and where their codes go, nothing secret.
CREATE TABLE oauth_clients (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  -- JSON: addresses that codes may be sent to.
  redirect_uris TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  -- When somebody last connected it; NULL: nobody did.
  used_at INTEGER
) STRICT;
CREATE INDEX oauth_clients_by_use ON oauth_clients (coalesce(used_at, created_at));
