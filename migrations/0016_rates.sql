-- Rates between currencies. Published ones are the installation's own; what a workspace sets stays with it.

-- Reference rates of a day: units of each currency for one euro, {code: decimal text} (JSON).
CREATE TABLE reference_days (
  -- ISO date.
  day TEXT PRIMARY KEY,
  source TEXT NOT NULL CHECK (source IN ('ecb', 'riksbank')),
  rates TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- How the rates of a source come in. One row per source.
CREATE TABLE rates_feed (
  source TEXT PRIMARY KEY CHECK (source IN ('ecb', 'riksbank')),
  -- Increases whenever a rate is written: answers given by earlier ones are then asked again.
  version INTEGER NOT NULL DEFAULT 0,
  -- Which bundled snapshot was loaded.
  snapshot TEXT,
  -- ISO date of the last round that is done with; a round is never done twice, whatever the clock does.
  round TEXT NOT NULL DEFAULT '',
  -- Whoever fetches holds this until then; others leave it alone.
  lease_until INTEGER NOT NULL DEFAULT 0,
  next_try_at INTEGER NOT NULL DEFAULT 0,
  tries INTEGER NOT NULL DEFAULT 0,
  fetched_at INTEGER,
  failing_since INTEGER
) STRICT;

-- Rates that a workspace set: in place of published ones ('override'), or for budgets.
CREATE TABLE own_rates (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('override', 'budget')),
  base TEXT NOT NULL,
  quote TEXT NOT NULL,
  -- ISO dates, both inclusive.
  from_day TEXT NOT NULL,
  to_day TEXT NOT NULL,
  -- Units of quote for one of base, as decimal text.
  rate TEXT NOT NULL,
  reason TEXT NOT NULL,
  updated_by TEXT NOT NULL,
  updated_at INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1
) STRICT;
CREATE INDEX own_rates_by_workspace ON own_rates (workspace_id, kind, base, quote, from_day);

CREATE TABLE currency_settings (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  -- NULL: the workspace's own currency.
  code TEXT,
  mode TEXT NOT NULL DEFAULT 'automatic' CHECK (mode IN ('automatic', 'transaction', 'average', 'closing', 'budget')),
  version INTEGER NOT NULL DEFAULT 0,
  -- Increases whenever own rates change.
  rates_version INTEGER NOT NULL DEFAULT 0
) STRICT;
