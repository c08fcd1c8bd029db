-- Values without a group that a digest told of last, by grouping (JSON): the next one tells of more.
ALTER TABLE digests ADD COLUMN told TEXT NOT NULL DEFAULT '{}';
