-- Targets of one figure of an insight, or of a metric: one table of figures each.
CREATE TABLE targets (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('insight', 'metric')),
  subject_id TEXT NOT NULL,
  grain TEXT NOT NULL,
  -- {field, grouping?} (JSON) of the dimension whose members have targets of their own; NULL = none.
  by_field TEXT,
  -- [{member?, values: [{period, value}]}] (JSON): a line without a member is the whole; values are exact decimal text.
  lines TEXT NOT NULL,
  version INTEGER NOT NULL DEFAULT 1,
  updated_at INTEGER NOT NULL,
  updated_by TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX targets_by_subject ON targets (workspace_id, subject_kind, subject_id);

CREATE TABLE alerts (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('insight', 'metric')),
  subject_id TEXT NOT NULL,
  -- {subject, condition, grain, on, by, hold, reminderDays} (JSON).
  rules TEXT NOT NULL,
  -- Ids of people (JSON).
  receivers TEXT NOT NULL,
  active INTEGER NOT NULL DEFAULT 1,
  owner_id TEXT NOT NULL REFERENCES users (id),
  -- What is remembered of its groups between evaluations (JSON).
  groups TEXT NOT NULL DEFAULT '[]',
  -- Under whose rights these figures were found: shown to nobody who has others.
  rights TEXT NOT NULL DEFAULT '',
  format TEXT,
  -- The datasets that the last evaluation read (JSON); '[]' = it was not evaluated yet.
  datasets TEXT NOT NULL DEFAULT '[]',
  -- Increases with everything that is remembered: of two evaluations at once one is written.
  serial INTEGER NOT NULL DEFAULT 0,
  -- {code, message, since} (JSON): why it cannot be evaluated.
  trouble TEXT,
  muted_until INTEGER,
  evaluated_at INTEGER,
  -- When the scheduled round looks at it, though no new rows came.
  due_at INTEGER NOT NULL,
  -- Of what people edit.
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX alerts_name ON alerts (workspace_id, name_key);
CREATE INDEX alerts_by_subject ON alerts (workspace_id, subject_kind, subject_id);
CREATE INDEX alerts_due ON alerts (due_at) WHERE active = 1;

-- What happened to an alert, newest kept.
CREATE TABLE alert_events (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  alert_id TEXT NOT NULL REFERENCES alerts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  at INTEGER NOT NULL,
  -- NULL = the product itself.
  actor_id TEXT,
  label TEXT,
  period TEXT,
  value REAL,
  rights TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX alert_events_by_alert ON alert_events (alert_id, at);
CREATE INDEX alert_events_by_workspace ON alert_events (workspace_id);

-- How often a member hears of what they follow, and for which period they last did. No row = weekly.
CREATE TABLE digests (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  cadence TEXT NOT NULL DEFAULT 'weekly' CHECK (cadence IN ('off', 'daily', 'weekly')),
  -- The period (its first day) that was told last.
  last_period TEXT,
  -- When the scheduled round looks at it next.
  due_at INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace_id, user_id)
) STRICT;
CREATE INDEX digests_due ON digests (due_at) WHERE cadence <> 'off';
