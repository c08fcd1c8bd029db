-- What a load doubled or updated, which version a rollback brought back, and what is missing or double in the rows shown now.
ALTER TABLE runs ADD COLUMN rows_duplicate INTEGER NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN rows_updated INTEGER NOT NULL DEFAULT 0;
-- NULL: no rollback, or one from before this was kept.
ALTER TABLE runs ADD COLUMN restored_version INTEGER;
ALTER TABLE datasets ADD COLUMN rows_rejected INTEGER NOT NULL DEFAULT 0;
ALTER TABLE datasets ADD COLUMN rows_duplicate INTEGER NOT NULL DEFAULT 0;
-- Of the loads since the last that replaced everything.
UPDATE datasets SET rows_rejected = COALESCE((SELECT SUM(r.rows_rejected) FROM runs r
  WHERE r.dataset_id = datasets.id AND r.state = 'succeeded' AND r.data_version >= COALESCE((SELECT MAX(w.data_version) FROM runs w
    WHERE w.dataset_id = datasets.id AND w.state = 'succeeded' AND w.mode IN ('create', 'replace')), 0)), 0);
