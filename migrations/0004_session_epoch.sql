-- A session holds the epoch its person had at sign-in; raising the person's epoch ends every older session.
ALTER TABLE sessions ADD COLUMN epoch INTEGER NOT NULL DEFAULT 1;
