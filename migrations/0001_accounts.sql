-- Instants are epoch milliseconds. Nothing is deleted by us without a 30-day hold.
CREATE TABLE users (
  id TEXT PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  name TEXT NOT NULL,
  password_hash TEXT,
  job TEXT,
  goals TEXT NOT NULL DEFAULT '[]',
  onboarding TEXT NOT NULL DEFAULT 'workspace',
  epoch INTEGER NOT NULL DEFAULT 1,
  staff_role TEXT,
  terms_accepted_at INTEGER NOT NULL,
  disabled_at INTEGER,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE workspaces (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  country TEXT NOT NULL,
  currency TEXT NOT NULL,
  number_locale TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  fiscal_year_start INTEGER NOT NULL CHECK (fiscal_year_start BETWEEN 1 AND 12),
  week_start TEXT NOT NULL CHECK (week_start IN ('monday', 'sunday', 'saturday')),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;

CREATE TABLE members (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  role TEXT NOT NULL CHECK (role IN ('owner', 'admin', 'analyst', 'viewer', 'client')),
  status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended')),
  epoch INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id)
) STRICT;
CREATE INDEX members_by_user ON members (user_id);

CREATE TABLE subscriptions (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  state TEXT NOT NULL,
  plan_id TEXT,
  trial_ends_at INTEGER,
  override TEXT
) STRICT;

-- The authority over sessions: a record in KV without its row here lets nobody in.
CREATE TABLE sessions (
  hash TEXT PRIMARY KEY,
  user_id TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  user_agent TEXT,
  country TEXT
) STRICT;
CREATE INDEX sessions_by_user ON sessions (user_id);

CREATE TABLE audit (
  id TEXT PRIMARY KEY,
  workspace_id TEXT,
  actor_id TEXT,
  action TEXT NOT NULL,
  entity TEXT NOT NULL,
  entity_id TEXT NOT NULL,
  before_hash TEXT,
  after_hash TEXT,
  country TEXT,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX audit_by_workspace ON audit (workspace_id, at);

CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  workspace_id TEXT,
  kind TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  delivered_at INTEGER,
  attempts INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE idempotency (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  status INTEGER NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT;
CREATE INDEX idempotency_by_age ON idempotency (created_at);

-- See src/db/commit.ts: a conditional write that changed nothing fails this CHECK and rolls its batch back.
CREATE TABLE commit_guard (
  id TEXT PRIMARY KEY,
  changed INTEGER NOT NULL CHECK (changed > 0)
) STRICT;
