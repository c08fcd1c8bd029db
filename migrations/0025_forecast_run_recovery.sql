-- A run whose process was killed is started again: by when it last gave a sign, and how often it was started.
-- alive_at: epoch ms; NULL = none since it was created.
ALTER TABLE forecast_runs ADD COLUMN alive_at INTEGER;
ALTER TABLE forecast_runs ADD COLUMN tries INTEGER NOT NULL DEFAULT 1;
