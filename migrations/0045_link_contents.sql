-- JSON of `ShownContent`: what a link's maker shared. NULL: made before it was kept; where rules of access were ever written,
-- such a link waits for its maker.
ALTER TABLE report_links ADD COLUMN shown TEXT;
