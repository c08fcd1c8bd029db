-- What people ask the insight bot, private to each.
CREATE TABLE bot_conversations (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  user_id TEXT NOT NULL REFERENCES users (id),
  title TEXT NOT NULL,
  -- Called like its first question until somebody names it.
  titled INTEGER NOT NULL DEFAULT 0,
  archived INTEGER NOT NULL DEFAULT 0,
  -- Since when members can read the messages up to a number; NULL: private.
  shared_at INTEGER,
  shared_to INTEGER NOT NULL DEFAULT 0,
  version INTEGER NOT NULL DEFAULT 1,
  created_at INTEGER NOT NULL,
  -- Of the last message: it is kept so many days after.
  updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX bot_conversations_by_person ON bot_conversations (workspace_id, user_id, archived, updated_at);
CREATE INDEX bot_conversations_old ON bot_conversations (updated_at);
-- A question and how it was read: a plan, never figures.
CREATE TABLE bot_messages (
  id TEXT PRIMARY KEY,
  workspace_id TEXT NOT NULL REFERENCES workspaces (id),
  conversation_id TEXT NOT NULL REFERENCES bot_conversations (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id),
  -- Its place in the conversation, from 1 on.
  n INTEGER NOT NULL,
  question TEXT NOT NULL,
  asked TEXT NOT NULL CHECK (asked IN ('text', 'choice', 'plan')),
  -- JSON of `BotInterpretation`.
  reply TEXT NOT NULL,
  -- By whose rights it was read: nobody with others sees the reply.
  rights TEXT NOT NULL,
  engine TEXT NOT NULL CHECK (engine IN ('rules', 'verified', 'llm')),
  -- Of a language model: tokens. 0: none was asked.
  cost INTEGER NOT NULL DEFAULT 0,
  feedback TEXT CHECK (feedback IN ('wrongFigures', 'misunderstood', 'missing', 'other')),
  feedback_reason TEXT NOT NULL DEFAULT '',
  feedback_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (conversation_id, n)
) STRICT;
CREATE INDEX bot_messages_by_workspace ON bot_messages (workspace_id);
CREATE INDEX bot_messages_by_feedback ON bot_messages (workspace_id, feedback_at) WHERE feedback IS NOT NULL;
-- How the bot works in a workspace; none: as usual.
CREATE TABLE bot_settings (
  workspace_id TEXT PRIMARY KEY REFERENCES workspaces (id),
  retention_days INTEGER NOT NULL DEFAULT 90
) STRICT;
