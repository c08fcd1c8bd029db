-- People: an address may be absent. It counts, and is unique, only when typed at registration or proven.
PRAGMA defer_foreign_keys = true;
CREATE TABLE users_before AS SELECT * FROM users;
DROP TABLE users;
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT UNIQUE,
  email_proven_at INTEGER,
  name TEXT NOT NULL,
  password_hash TEXT,
  job TEXT,
  goals TEXT NOT NULL DEFAULT '[]',
  -- How dates and times are written for this person; NULL = as the workspace writes numbers.
  locale TEXT,
  avatar_key TEXT,
  -- Which mails this person wants (JSON); absent keys are the default.
  notifications TEXT NOT NULL DEFAULT '{}',
  onboarding TEXT NOT NULL DEFAULT 'workspace',
  epoch INTEGER NOT NULL DEFAULT 1,
  staff_role TEXT,
  terms_accepted_at INTEGER NOT NULL,
  disabled_at INTEGER,
  -- Deleted by the person: disabled at once, made nameless 30 days later.
  deleted_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;
INSERT INTO users (id, email, name, password_hash, job, goals, onboarding, epoch, staff_role, terms_accepted_at, disabled_at, created_at)
  SELECT id, email, name, password_hash, job, goals, onboarding, epoch, staff_role, terms_accepted_at, disabled_at, created_at FROM users_before;
DROP TABLE users_before;

-- Sign-ins with a provider. The address stands here as the provider said it, proven or not; only a proven one counts.
CREATE TABLE accounts (
  id TEXT PRIMARY KEY,
  provider TEXT NOT NULL CHECK (provider IN ('google', 'microsoft')),
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  email TEXT,
  email_proven INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  UNIQUE (issuer, subject)
) STRICT;
CREATE INDEX accounts_by_user ON accounts (user_id);

-- Links sent by mail. The token is made of the id and the installation's secret: nothing here opens anything.
CREATE TABLE links (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('reset', 'sign_in', 'email_old', 'email_new', 'undelete')),
  user_id TEXT NOT NULL REFERENCES users (id),
  payload TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT;
CREATE INDEX links_by_user ON links (user_id, kind);

ALTER TABLE workspaces ADD COLUMN logo_key TEXT;
-- Domains whose addresses may be invited (JSON); empty = any.
ALTER TABLE workspaces ADD COLUMN mail_domains TEXT NOT NULL DEFAULT '[]';
ALTER TABLE workspaces ADD COLUMN deleted_by TEXT;

ALTER TABLE members ADD COLUMN last_seen_at INTEGER;

CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  email TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('admin', 'analyst', 'viewer', 'client')),
  group_ids TEXT NOT NULL DEFAULT '[]',
  -- Path of the page that opens after the first sign-in.
  landing TEXT,
  state TEXT NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'accepted', 'revoked')),
  -- Part of the token: a renewed invitation makes the earlier mail's link worthless.
  serial INTEGER NOT NULL DEFAULT 1,
  invited_by TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  sent_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  accepted_by TEXT,
  accepted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX invites_pending ON invites (workspace_id, email) WHERE state = 'pending';

CREATE TABLE user_groups (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  color TEXT NOT NULL,
  -- {kind: 'domain' | 'role', value} (JSON): whoever matches belongs to it without being added.
  auto_rule TEXT,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX user_groups_name ON user_groups (workspace_id, name_key) WHERE deleted_at IS NULL;
CREATE TABLE group_members (
  group_id TEXT NOT NULL REFERENCES user_groups (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  -- A manager adds and removes members; one who manages only is no member.
  is_member INTEGER NOT NULL DEFAULT 1,
  is_manager INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (group_id, user_id)
) STRICT;
CREATE INDEX group_members_by_user ON group_members (user_id);

-- Ownership offered to another member, who accepts it.
CREATE TABLE ownership_offers (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  from_user TEXT NOT NULL REFERENCES users (id),
  to_user TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

ALTER TABLE outbox ADD COLUMN next_attempt_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN last_error TEXT;
-- Given up: tried too often, or refused for good.
ALTER TABLE outbox ADD COLUMN failed_at INTEGER;
CREATE INDEX outbox_due ON outbox (next_attempt_at) WHERE delivered_at IS NULL AND failed_at IS NULL;
CREATE INDEX audit_by_action ON audit (workspace_id, action, at);

-- Pictures in the store that no row points to: noted before one is stored, and by these triggers when a row lets go of
-- one. `due_at` 0 = at once. A sweep removes them, so that no write has to remember the picture before.
CREATE TABLE stray_pictures (
  key TEXT PRIMARY KEY,
  due_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stray_pictures_due ON stray_pictures (due_at);
CREATE TRIGGER users_avatar_changed AFTER UPDATE OF avatar_key ON users WHEN OLD.avatar_key IS NOT NEW.avatar_key
BEGIN
  INSERT OR IGNORE INTO stray_pictures (key, due_at) SELECT OLD.avatar_key, 0 WHERE OLD.avatar_key IS NOT NULL;
  DELETE FROM stray_pictures WHERE key = NEW.avatar_key;
END;
CREATE TRIGGER users_avatar_gone AFTER DELETE ON users WHEN OLD.avatar_key IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO stray_pictures (key, due_at) VALUES (OLD.avatar_key, 0);
END;
CREATE TRIGGER workspaces_logo_changed AFTER UPDATE OF logo_key ON workspaces WHEN OLD.logo_key IS NOT NEW.logo_key
BEGIN
  INSERT OR IGNORE INTO stray_pictures (key, due_at) SELECT OLD.logo_key, 0 WHERE OLD.logo_key IS NOT NULL;
  DELETE FROM stray_pictures WHERE key = NEW.logo_key;
END;
CREATE TRIGGER workspaces_logo_gone AFTER DELETE ON workspaces WHEN OLD.logo_key IS NOT NULL
BEGIN
  INSERT OR IGNORE INTO stray_pictures (key, due_at) VALUES (OLD.logo_key, 0);
END;

-- What people signed in from: an entry from something else is told by mail. Kept apart from sessions, which end.
CREATE TABLE devices (
  user_id TEXT NOT NULL REFERENCES users (id),
  -- In words, as people are told: "Firefox on Windows".
  device TEXT NOT NULL,
  country TEXT NOT NULL DEFAULT '',
  signed_in_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, device, country)
) STRICT;
