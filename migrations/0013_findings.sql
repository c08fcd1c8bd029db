-- What was found in figures, by whose rights: shown only to whoever has the same. `key` is the same in every run that
-- finds the same thing again.
CREATE TABLE findings (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  rights TEXT NOT NULL,
  key TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  -- What it is about (JSON `FindingAbout`), and the effect itself (JSON `FoundEffect`).
  about TEXT NOT NULL,
  effect TEXT NOT NULL,
  first_found_at INTEGER NOT NULL,
  found_at INTEGER NOT NULL,
  UNIQUE (workspace_id, rights, key)
) STRICT;
CREATE INDEX findings_by_dataset ON findings (dataset_id);
-- Who looked at a dataset last. A run writes only while its claim stands: a later one, of newer rows, ends it.
CREATE TABLE finding_runs (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  rights TEXT NOT NULL,
  dataset_id TEXT NOT NULL,
  claim TEXT NOT NULL,
  data_version INTEGER NOT NULL,
  claimed_at INTEGER NOT NULL,
  -- What of it is written: null until a run has ended.
  finished_version INTEGER,
  finished_at INTEGER,
  -- Names of the subjects that were looked at (JSON array).
  subjects TEXT NOT NULL DEFAULT '[]',
  PRIMARY KEY (workspace_id, rights, dataset_id)
) STRICT;
-- What a person thinks of a finding; outlives the finding, so that one that comes again is still hidden.
CREATE TABLE finding_marks (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  key TEXT NOT NULL,
  pinned_at INTEGER,
  hidden_at INTEGER,
  rating TEXT CHECK (rating IN ('useful', 'useless')),
  updated_at INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, user_id, key)
) STRICT;
