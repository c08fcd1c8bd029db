-- A workspace's own endpoint for language models, in place of the installation's: its address and model, and its key, sealed.
ALTER TABLE ai_settings ADD COLUMN endpoint TEXT CHECK (endpoint IS NULL OR json_valid(endpoint));
ALTER TABLE ai_settings ADD COLUMN api_key TEXT;
-- Which key of the keyring sealed it.
ALTER TABLE ai_settings ADD COLUMN sealed_with TEXT;
