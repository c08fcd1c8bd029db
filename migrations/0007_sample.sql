-- Sources of the sample company: they count against no limit and go together with one click.
ALTER TABLE data_sources ADD COLUMN sample INTEGER NOT NULL DEFAULT 0;
-- Only what a person made counts against the plan: not starter insights, not those of the sample company.
ALTER TABLE insights ADD COLUMN origin TEXT NOT NULL DEFAULT 'person' CHECK (origin IN ('person', 'starter', 'sample'));

-- The sample company of a workspace. A removed one keeps its row, so that it is not brought back unasked.
CREATE TABLE samples (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  state TEXT NOT NULL CHECK (state IN ('loading', 'ready', 'failed', 'removed')),
  -- The durable job that builds it; an older job finds another id here and ends.
  job_id TEXT NOT NULL,
  -- Stages of the job that are done.
  done INTEGER NOT NULL DEFAULT 0,
  -- Files that the job has put into the store (JSON list of uploads).
  uploads TEXT NOT NULL DEFAULT '[]',
  error TEXT,
  updated_at INTEGER NOT NULL
) STRICT;
