-- The subscription as billing last knew it. The row is made equal to what is there; our own are trial, override and details.
ALTER TABLE subscriptions ADD COLUMN interval TEXT;
-- {add-on id: quantity} (JSON).
ALTER TABLE subscriptions ADD COLUMN add_ons TEXT NOT NULL DEFAULT '{}';
-- Older tiers: the number of data sources that names the tier.
ALTER TABLE subscriptions ADD COLUMN tier INTEGER;
ALTER TABLE subscriptions ADD COLUMN method TEXT CHECK (method IN ('card', 'invoice'));
ALTER TABLE subscriptions ADD COLUMN customer_id TEXT;
ALTER TABLE subscriptions ADD COLUMN subscription_id TEXT;
-- Premium sync beside an older tier is a subscription of its own, in another currency.
ALTER TABLE subscriptions ADD COLUMN premium_id TEXT;
-- A customer is billed in one currency: that subscription has a customer of its own.
ALTER TABLE subscriptions ADD COLUMN premium_customer_id TEXT;
ALTER TABLE subscriptions ADD COLUMN period_ends_at INTEGER;
ALTER TABLE subscriptions ADD COLUMN cancel_at INTEGER;
-- The part of period_ends_at that billing is yet to be told of (ms): days of the trial that were left at the purchase.
ALTER TABLE subscriptions ADD COLUMN trial_rest_ms INTEGER;
ALTER TABLE subscriptions ADD COLUMN invoice_due_at INTEGER;
ALTER TABLE subscriptions ADD COLUMN past_due_since INTEGER;
-- {planId, interval, addOns, at} (JSON): a change that waits for the end of the period.
ALTER TABLE subscriptions ADD COLUMN scheduled TEXT;
-- {id, url, hash, expiresAt} (JSON) of the checkout that is open, and how many there have been.
ALTER TABLE subscriptions ADD COLUMN checkout TEXT;
ALTER TABLE subscriptions ADD COLUMN checkout_serial INTEGER NOT NULL DEFAULT 0;
-- {companyName, billingEmail, taxId, poReference} (JSON).
ALTER TABLE subscriptions ADD COLUMN details TEXT NOT NULL DEFAULT '{}';
-- Why we ask billing to end it when the period is over: 'unpaid' or 'deleted' (the workspace); NULL = we do not.
ALTER TABLE subscriptions ADD COLUMN cancel_reason TEXT CHECK (cancel_reason IN ('unpaid', 'deleted'));
-- When the scheduled round last took this row up: what fails is not tried in every round.
ALTER TABLE subscriptions ADD COLUMN tried_at INTEGER NOT NULL DEFAULT 0;
-- When billing was asked for what stands here: an older answer never overwrites a newer one.
ALTER TABLE subscriptions ADD COLUMN fetched_at INTEGER NOT NULL DEFAULT 0;
-- Of what people may edit, not of what billing says.
ALTER TABLE subscriptions ADD COLUMN version INTEGER NOT NULL DEFAULT 1;
-- What owners were last told by mail of the trial's end, of a missing payment, of the end; NULL = nothing.
ALTER TABLE subscriptions ADD COLUMN told TEXT;
CREATE UNIQUE INDEX subscriptions_by_customer ON subscriptions (customer_id) WHERE customer_id IS NOT NULL;
CREATE UNIQUE INDEX subscriptions_by_premium_customer ON subscriptions (premium_customer_id)
  WHERE premium_customer_id IS NOT NULL;
CREATE INDEX subscriptions_by_state ON subscriptions (state, trial_ends_at);

-- Inbox of billing's events: the row is written in the batch of its effect. Holds nothing of a customer's data.
CREATE TABLE stripe_events (
  id TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  customer_id TEXT,
  -- 'applied', or why it was not: 'unknown_type', 'unknown_customer', 'other_mode', 'other_account', 'deleted_workspace'.
  outcome TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  received_at INTEGER NOT NULL
) STRICT;
CREATE INDEX stripe_events_by_age ON stripe_events (received_at);

-- What a person chose to keep when the plan becomes smaller; everything else follows by age, the newest out first.
CREATE TABLE kept (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  kind TEXT NOT NULL CHECK (kind IN ('source', 'member', 'insight')),
  entity_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, kind, entity_id)
) STRICT;

-- What is used up rather than held (messages of the bot), per period.
CREATE TABLE allowances (
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  name TEXT NOT NULL,
  period TEXT NOT NULL,
  used INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, name, period)
) STRICT;

-- A person's first workspace begins with a trial; later ones begin with a checkout.
ALTER TABLE users ADD COLUMN trial_started_at INTEGER;
UPDATE users SET trial_started_at = (
  SELECT min(w.created_at) FROM members m JOIN workspaces w ON w.id = m.workspace_id
  WHERE m.user_id = users.id AND m.role = 'owner');

-- Who comes before a member where the plan has fewer seats than there are members: asked with every request.
CREATE INDEX members_by_seat ON members (workspace_id, status, role, created_at, user_id);
