-- A file of tables is opened once; each of its tables is an upload of its own, and goes with the file it came from.
ALTER TABLE uploads ADD COLUMN parent_id TEXT;
-- Of an opened file: what was found (JSON). NULL = not opened yet.
ALTER TABLE uploads ADD COLUMN opened TEXT;
-- Who is opening it, and until when nobody else starts to (epoch ms; renewed while it lasts).
ALTER TABLE uploads ADD COLUMN opening TEXT;
ALTER TABLE uploads ADD COLUMN opening_until INTEGER NOT NULL DEFAULT 0;
-- Of a table: its name, kind, counts, and what its reader knew of the columns (JSON).
ALTER TABLE uploads ADD COLUMN table_info TEXT;
CREATE INDEX uploads_by_parent ON uploads (parent_id);
CREATE INDEX uploads_by_object ON uploads (object_key);
-- The newest load of each dataset is asked for by every list of sources.
CREATE INDEX runs_by_dataset ON runs (dataset_id, started_at);
