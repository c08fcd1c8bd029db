-- Early access: who takes part in what. `user_id` NULL: the whole workspace. Features themselves are data in code.
CREATE TABLE pilot_enrolments (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  feature TEXT NOT NULL,
  user_id TEXT REFERENCES users (id),
  state TEXT NOT NULL CHECK (state IN ('interested', 'on', 'off')),
  actor_id TEXT NOT NULL REFERENCES users (id),
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX pilot_enrolments_of ON pilot_enrolments (workspace_id, feature, coalesce(user_id, ''));
-- What people say of a feature, each once.
CREATE TABLE pilot_feedback (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  feature TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id),
  score INTEGER NOT NULL CHECK (score BETWEEN 1 AND 5),
  body TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, feature, user_id)
) STRICT;
CREATE INDEX pilot_feedback_of ON pilot_feedback (feature, updated_at);
-- Kill switches of the installation: a feature listed here is off everywhere.
CREATE TABLE pilot_switches (
  feature TEXT PRIMARY KEY,
  reason TEXT NOT NULL,
  stopped_at INTEGER NOT NULL
) STRICT;
