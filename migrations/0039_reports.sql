-- Reports: a draft that is saved while it is written, and what readers see. Contents are JSON of `ReportContent`.
CREATE TABLE reports (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('interactive', 'legacy')),
  name TEXT NOT NULL,
  name_key TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  draft TEXT NOT NULL,
  published TEXT,
  -- Number of the newest publication; 0: never.
  publication INTEGER NOT NULL DEFAULT 0,
  published_at INTEGER,
  archived_at INTEGER,
  owner_id TEXT NOT NULL REFERENCES users (id),
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX reports_by_name ON reports (workspace_id, name_key) WHERE deleted_at IS NULL;
CREATE INDEX reports_by_workspace ON reports (workspace_id, updated_at);
CREATE INDEX reports_deleted ON reports (deleted_at) WHERE deleted_at IS NOT NULL;
-- Every publication, so that any of them can be gone back to.
CREATE TABLE report_publications (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  n INTEGER NOT NULL,
  content TEXT NOT NULL,
  note TEXT NOT NULL DEFAULT '',
  published_by TEXT NOT NULL REFERENCES users (id),
  published_at INTEGER NOT NULL,
  PRIMARY KEY (report_id, n)
) STRICT;
CREATE INDEX report_publications_by_workspace ON report_publications (workspace_id);
-- What draft and publication show, for "used by": sources, datasets, insights, metrics and forecasts.
CREATE TABLE report_items (
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  item_id TEXT NOT NULL,
  PRIMARY KEY (report_id, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX report_items_by_item ON report_items (item_id);
-- A reader's own views of a report.
CREATE TABLE report_bookmarks (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id),
  name TEXT NOT NULL,
  search TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX report_bookmarks_by_reader ON report_bookmarks (report_id, user_id);
CREATE INDEX report_bookmarks_by_workspace ON report_bookmarks (workspace_id, user_id);
-- Pictures that were sent for a report. One that no report has any more is removed from the store.
CREATE TABLE report_pictures (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  key TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (report_id, key)
) STRICT;
CREATE INDEX report_pictures_by_key ON report_pictures (key);
CREATE INDEX report_pictures_by_workspace ON report_pictures (workspace_id);
CREATE TRIGGER report_pictures_taken AFTER INSERT ON report_pictures
BEGIN
  DELETE FROM stray_pictures WHERE key = NEW.key;
END;
CREATE TRIGGER report_pictures_gone AFTER DELETE ON report_pictures
  WHEN NOT EXISTS (SELECT 1 FROM report_pictures WHERE key = OLD.key)
BEGIN
  INSERT OR IGNORE INTO stray_pictures (key, due_at) VALUES (OLD.key, 0);
END;
