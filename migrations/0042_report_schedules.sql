-- Reports by mail at certain dates.
CREATE TABLE report_schedules (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  report_id TEXT NOT NULL REFERENCES reports (id) ON DELETE CASCADE,
  -- JSON of `ScheduleContent`: timing, format, recipients, what happens without data.
  content TEXT NOT NULL,
  -- Whoever saved it last. Outside recipients get what the owner could see then and still may.
  owner_id TEXT NOT NULL REFERENCES users (id),
  rights TEXT NOT NULL,
  -- Why nothing is sent; null: active.
  paused TEXT,
  -- Day and instant of the next date; null while it is paused.
  next_date TEXT,
  next_at INTEGER,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX report_schedules_by_report ON report_schedules (report_id);
CREATE INDEX report_schedules_by_workspace ON report_schedules (workspace_id);
CREATE INDEX report_schedules_due ON report_schedules (next_at) WHERE next_at IS NOT NULL;
-- Whom a schedule has reached: links to unsubscribe name these.
CREATE TABLE report_recipients (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  schedule_id TEXT NOT NULL REFERENCES report_schedules (id) ON DELETE CASCADE,
  -- Id of a member, or an address.
  recipient TEXT NOT NULL,
  unsubscribed_at INTEGER,
  UNIQUE (schedule_id, recipient)
) STRICT;
CREATE INDEX report_recipients_by_workspace ON report_recipients (workspace_id);
-- One date, one recipient: once, whoever works on it.
CREATE TABLE report_deliveries (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  schedule_id TEXT NOT NULL REFERENCES report_schedules (id) ON DELETE CASCADE,
  -- The day of the date, or `test:` and an id.
  slot TEXT NOT NULL,
  slot_at INTEGER NOT NULL,
  recipient TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('member', 'address')),
  -- JSON: the recipient's own filters, as they were when the date came.
  filters TEXT NOT NULL DEFAULT '{}',
  state TEXT NOT NULL CHECK (state IN ('waiting', 'held', 'sending', 'sent', 'skipped', 'failed')),
  reason TEXT,
  -- Somebody said to send it although its data are incomplete.
  forced INTEGER NOT NULL DEFAULT 0,
  -- Of a held one: which data it saw (JSON).
  basis TEXT,
  -- The file that was sent: its key in the store of files, and whose rights it was made with.
  file TEXT,
  file_name TEXT,
  rights TEXT,
  -- Counts every try, and fences them; failures in a row.
  attempts INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  -- When it is worked on next; null: done.
  due_at INTEGER,
  created_at INTEGER NOT NULL,
  done_at INTEGER,
  UNIQUE (schedule_id, slot, recipient)
) STRICT;
CREATE INDEX report_deliveries_due ON report_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX report_deliveries_sending ON report_deliveries (workspace_id) WHERE state = 'sending';
CREATE INDEX report_deliveries_by_schedule ON report_deliveries (schedule_id, slot_at);
CREATE INDEX report_deliveries_by_workspace ON report_deliveries (workspace_id, created_at);
CREATE INDEX report_deliveries_old ON report_deliveries (created_at);
-- Outside domains that reports may be mailed to; none: nobody outside.
ALTER TABLE workspaces ADD COLUMN report_domains TEXT NOT NULL DEFAULT '[]';
