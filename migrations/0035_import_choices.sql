-- What was decided about a file is proposed for the next of the same shape: the newest load of it is asked for at every preview.
CREATE INDEX runs_by_shape ON runs (workspace_id, request ->> '$.choices.shape', started_at);
