-- What a sync read stands in the bucket until it is loaded. 1: nobody has looked yet whether something of it was left there.
ALTER TABLE syncs ADD COLUMN may_hold_objects INTEGER NOT NULL DEFAULT 1 CHECK (may_hold_objects IN (0, 1));
CREATE INDEX syncs_with_objects ON syncs (finished_at) WHERE may_hold_objects = 1 AND state <> 'running';
