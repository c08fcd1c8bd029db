-- SHA-256 of each part: equal files have equal digests whatever the store calls them.
ALTER TABLE upload_parts ADD COLUMN digest TEXT NOT NULL DEFAULT '';
