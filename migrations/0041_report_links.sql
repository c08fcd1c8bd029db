-- Links by which people without an account see a report. Of token and passcode only hashes are kept.
CREATE TABLE report_links (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  token_hash TEXT NOT NULL UNIQUE,
  passcode_hash TEXT,
  -- JSON of `LinkTerms`: what of the report is shown, and what viewers may change.
  terms TEXT NOT NULL,
  -- JSON of `DataRights`: what the person who shared it could see then. Never widened.
  rights TEXT NOT NULL,
  created_by TEXT NOT NULL REFERENCES users (id),
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  -- Revoked, or its creator's role changed or membership ended; never undone.
  ended_at INTEGER,
  views INTEGER NOT NULL DEFAULT 0,
  last_viewed_at INTEGER
) STRICT;
CREATE INDEX report_links_by_report ON report_links (report_id, created_at);
CREATE INDEX report_links_by_workspace ON report_links (workspace_id, created_by);
CREATE INDEX report_links_by_expiry ON report_links (expires_at);
CREATE TRIGGER report_links_of_changed_role AFTER UPDATE OF role ON members WHEN NEW.role IS NOT OLD.role
BEGIN
  UPDATE report_links SET ended_at = unixepoch() * 1000
    WHERE workspace_id = OLD.workspace_id AND created_by = OLD.user_id AND ended_at IS NULL;
END;
CREATE TRIGGER report_links_of_gone_member AFTER DELETE ON members
BEGIN
  UPDATE report_links SET ended_at = unixepoch() * 1000
    WHERE workspace_id = OLD.workspace_id AND created_by = OLD.user_id AND ended_at IS NULL;
END;
