-- JSON of `ShownContent`: what a schedule's owner shared with people outside. NULL: saved before it was kept, or of an
-- edition; where rules of access were ever written, such a schedule waits for its owner.
ALTER TABLE report_schedules ADD COLUMN shown TEXT;
