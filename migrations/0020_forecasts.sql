-- Forecasts of one figure of an insight, or of a metric.
CREATE TABLE forecasts (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  subject_kind TEXT NOT NULL CHECK (subject_kind IN ('insight', 'metric')),
  subject_id TEXT NOT NULL,
  -- What is forecast and how (JSON), without the name.
  settings TEXT NOT NULL,
  scenarios TEXT NOT NULL DEFAULT '[]',
  thresholds TEXT NOT NULL DEFAULT '[]',
  -- What of all this decides what a run finds (JSON): another text makes the newest run stale.
  asked TEXT NOT NULL,
  -- Names what is forecast (subject, filters, grain): runs of another figure are neither shown nor held against this one.
  figure TEXT NOT NULL DEFAULT '',
  owner_id TEXT NOT NULL REFERENCES users (id),
  -- Ids of the metrics and groupings that the newest run was made through, and of the datasets that it read (JSON).
  named TEXT NOT NULL DEFAULT '[]',
  datasets TEXT NOT NULL DEFAULT '[]',
  -- What these said, and which rows stood, when the newest run that is ready began; NULL = none is. See stale.ts.
  meant TEXT,
  stood TEXT,
  -- 1 = something changed while a run was under way: another one follows.
  again INTEGER NOT NULL DEFAULT 0,
  -- Of what people edit.
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX forecasts_name ON forecasts (workspace_id, name_key);
CREATE INDEX forecasts_again ON forecasts (id) WHERE again = 1;
CREATE INDEX forecasts_by_subject ON forecasts (workspace_id, subject_kind, subject_id);

-- What was found, once for each time it was asked and something new came of it. Never changed once it has ended.
CREATE TABLE forecast_runs (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  forecast_id TEXT NOT NULL REFERENCES forecasts (id) ON DELETE CASCADE,
  -- 1, 2, 3 … within the forecast.
  number INTEGER NOT NULL,
  -- The forecast's when it was computed.
  figure TEXT NOT NULL DEFAULT '',
  state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'ready', 'too_short', 'failed')),
  -- By whose rights it was computed: shown to nobody who has others. '' = it has not ended.
  rights TEXT NOT NULL DEFAULT '',
  -- NULL = asked for by new rows.
  asked_by TEXT,
  -- Whoever works on it holds this; only the holder may end it.
  claim TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER,
  -- {code, message, have?, need?} (JSON).
  trouble TEXT,
  data_as_of TEXT,
  grade TEXT,
  input_hash TEXT,
  -- What the accuracy log and small pictures take of the result (JSON). Outlives the result.
  said TEXT,
  -- The whole result (JSON); of the newest 60 runs of a forecast, fewer where they are large.
  result TEXT
) STRICT;
CREATE UNIQUE INDEX forecast_runs_number ON forecast_runs (forecast_id, number);
CREATE UNIQUE INDEX forecast_runs_open ON forecast_runs (forecast_id) WHERE state IN ('queued', 'running');
CREATE INDEX forecast_runs_waiting ON forecast_runs (created_at) WHERE state IN ('queued', 'running');
CREATE INDEX forecast_runs_by_workspace ON forecast_runs (workspace_id);

-- Forecasts, too, can be chosen to stay when the plan becomes smaller.
CREATE TABLE kept_now (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('source', 'member', 'insight', 'grouping', 'forecast')),
  entity_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, kind, entity_id)
) STRICT;
INSERT INTO kept_now (workspace_id, kind, entity_id) SELECT workspace_id, kind, entity_id FROM kept;
DROP TABLE kept;
ALTER TABLE kept_now RENAME TO kept;
