import { accessFingerprint, type Scope } from '../../scope'
import type { Database } from '../../db/database'
import { encodeCursor, toPage, type CursorPosition } from '../../http/pagination'
import { toIso, toIsoOrNull } from '../../lib/iso'
import {
  BOT_CONVERSATIONS_MAX,
  BOT_MESSAGES_MAX,
  type BotConversation,
  type BotEngine,
  type BotFeedback,
  type BotFeedbackItem,
  type BotFeedbackKind,
  type BotMessage,
} from '../../shared/bot/conversations'
import { readingOf } from '../../shared/bot/conversations'
import type { BotInterpretation } from '../../shared/bot/interpretation'
import type { ListPage } from '../../shared/field-schemas'

type ConversationRow = Omit<BotConversation, 'archived' | 'sharedAt' | 'mine' | 'createdAt' | 'updatedAt'> &
  Record<'archived' | 'mine' | 'createdAt' | 'updatedAt', number> & { sharedAt: number | null }

/** What others see of a shared one ends where the copy does. */
function toConversation(row: ConversationRow): BotConversation {
  const mine = row.mine === 1
  return {
    ...row,
    mine,
    messages: mine ? row.messages : Math.min(row.messages, row.sharedMessages),
    archived: row.archived === 1,
    sharedAt: toIsoOrNull(row.sharedAt),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  }
}
/** `?1`: the workspace, `?2`: who asks. */
const SELECT = `SELECT c.id, c.title, c.archived, c.shared_at AS sharedAt, c.shared_to AS sharedMessages,
    (SELECT count(*) FROM bot_messages m WHERE m.conversation_id = c.id) AS messages,
    iif(c.user_id = ?2, 1, 0) AS mine, u.name AS ownerName, c.version, c.created_at AS createdAt, c.updated_at AS updatedAt
  FROM bot_conversations c JOIN users u ON u.id = c.user_id WHERE c.workspace_id = ?1`

interface MessageRow {
  id: string
  question: string
  asked: BotMessage['asked']
  reply: string
  rights: string
  engine: BotEngine
  feedback: BotFeedbackKind | null
  reason: string
  createdAt: number
}
const MESSAGE_COLUMNS = `m.id, m.question, m.asked, m.reply, m.rights, m.engine, m.feedback, m.feedback_reason AS reason,
    m.created_at AS createdAt`

const OTHERWISE_ASKED: Record<Exclude<BotMessage['asked'], 'text'>, string> = {
  choice: 'Chose a reading',
  plan: 'Changed the answer',
}
/** What was asked, for whom other rights read the answer: of a choice or a change the words are those of a reading. */
const questionFor = ({ asked, question }: Pick<MessageRow, 'asked' | 'question'>, isOwnReading: boolean): string =>
  isOwnReading || asked === 'text' ? question : OTHERWISE_ASKED[asked]

/** A reply that other rights read is not told, nor what it was called: they may name what the reader does not see. */
function toMessage(row: MessageRow, rights: string): BotMessage {
  const { id, asked, engine, feedback, reason, createdAt } = row
  const reply: BotInterpretation | null = row.rights === rights ? JSON.parse(row.reply) : null
  const question = questionFor(row, reply !== null)
  return {
    ...{ id, question, asked, reply, engine, createdAt: toIso(createdAt) },
    feedback: feedback === null ? null : { kind: feedback, reason },
  }
}

/** A message with the conversation that it is of. */
export interface PlacedMessage extends BotMessage {
  conversationId: string
  n: number
}

interface FeedbackRow {
  messageId: string
  question: string
  asked: BotMessage['asked']
  reply: string
  rights: string
  kind: BotFeedbackKind
  reason: string
  personName: string
  at: number
}

/** Conversations of one person in one workspace, and copies that others share. Writes are statements for `commit`. */
export const conversationStore = ({ d1 }: Database, scope: Scope) => {
  const { workspaceId, actorId } = scope
  const rights = accessFingerprint(scope)
  return {
    rights,

    /** The person's own, the last used first. */
    async list(at: {
      limit: number
      after: CursorPosition | null
      archived: boolean
      q: string
    }): Promise<ListPage<BotConversation>> {
      const { results } = await d1
        .prepare(
          `${SELECT} AND c.user_id = ?2 AND c.archived = ?3 AND (?4 = '' OR instr(lower(c.title), lower(?4)) > 0)
             AND (?5 IS NULL OR c.updated_at < ?5 OR (c.updated_at = ?5 AND c.id < ?6))
           ORDER BY c.updated_at DESC, c.id DESC LIMIT ?7`,
        )
        .bind(workspaceId, actorId, at.archived ? 1 : 0, at.q, at.after?.at ?? null, at.after?.id ?? '', at.limit + 1)
        .all<ConversationRow>()
      const cursor = ({ updatedAt, id }: ConversationRow): string => encodeCursor({ at: updatedAt, id })
      return toPage(results, { limit: at.limit, item: toConversation, cursor })
    },

    /** The person's own, or one that is shared. */
    async get(id: string): Promise<BotConversation | null> {
      const row = await d1
        .prepare(`${SELECT} AND c.id = ?3 AND (c.user_id = ?2 OR c.shared_at IS NOT NULL)`)
        .bind(workspaceId, actorId, id)
        .first<ConversationRow>()
      return row && toConversation(row)
    },

    /** Of one's own all of them, of a shared one what its copy holds. */
    async messages(conversation: BotConversation): Promise<BotMessage[]> {
      const { results } = await d1
        .prepare(
          `SELECT ${MESSAGE_COLUMNS} FROM bot_messages m WHERE m.workspace_id = ?1 AND m.conversation_id = ?2 AND m.n <= ?3
           ORDER BY m.n LIMIT ${BOT_MESSAGES_MAX}`,
        )
        .bind(workspaceId, conversation.id, conversation.mine ? Number.MAX_SAFE_INTEGER : conversation.sharedMessages)
        .all<MessageRow>()
      return results.map((row) => toMessage(row, rights))
    },

    /** One of the person's own messages. */
    async message(id: string): Promise<PlacedMessage | null> {
      const row = await d1
        .prepare(
          `SELECT ${MESSAGE_COLUMNS}, m.n, m.conversation_id AS conversationId FROM bot_messages m
           WHERE m.workspace_id = ?1 AND m.user_id = ?2 AND m.id = ?3`,
        )
        .bind(workspaceId, actorId, id)
        .first<MessageRow & { n: number; conversationId: string }>()
      return row && { ...toMessage(row, rights), n: row.n, conversationId: row.conversationId }
    },

    /** The last message of one of the person's own conversations. */
    async lastMessage(conversationId: string): Promise<PlacedMessage | null> {
      const row = await d1
        .prepare(
          `SELECT ${MESSAGE_COLUMNS}, m.n FROM bot_messages m
           WHERE m.workspace_id = ?1 AND m.user_id = ?2 AND m.conversation_id = ?3 ORDER BY m.n DESC LIMIT 1`,
        )
        .bind(workspaceId, actorId, conversationId)
        .first<MessageRow & { n: number }>()
      return row && { ...toMessage(row, rights), n: row.n, conversationId }
    },

    /** Inserts no row when the person has as many as there may be. */
    insert: (conversation: BotConversation, at: { titled: boolean; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `INSERT INTO bot_conversations (id, workspace_id, user_id, title, titled, created_at, updated_at)
           SELECT ?3, ?1, ?2, ?4, ?5, ?6, ?6 WHERE
             (SELECT count(*) FROM bot_conversations WHERE workspace_id = ?1 AND user_id = ?2) < ${BOT_CONVERSATIONS_MAX}`,
        )
        .bind(workspaceId, actorId, conversation.id, conversation.title, at.titled ? 1 : 0, at.now),

    /** Changes no row when another version is stored, or it is not the person's own. */
    update: (id: string, change: { title: string; archived: boolean; version: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE bot_conversations SET titled = iif(title = ?4, titled, 1), title = ?4, archived = ?5, version = version + 1
           WHERE workspace_id = ?1 AND user_id = ?2 AND id = ?3 AND version = ?6`,
        )
        .bind(workspaceId, actorId, id, change.title, change.archived ? 1 : 0, change.version),

    /** `to`: how many messages the copy holds; null: nobody sees it any more. */
    share: (id: string, at: { version: number; to: number | null; now: number }): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE bot_conversations SET shared_at = iif(?5 IS NULL, NULL, ?6), shared_to = coalesce(?5, 0), version = version + 1
           WHERE workspace_id = ?1 AND user_id = ?2 AND id = ?3 AND version = ?4`,
        )
        .bind(workspaceId, actorId, id, at.version, at.to, at.now),

    /** With its messages. */
    remove: (id: string, version: number): D1PreparedStatement =>
      d1
        .prepare('DELETE FROM bot_conversations WHERE workspace_id = ? AND user_id = ? AND id = ? AND version = ?')
        .bind(workspaceId, actorId, id, version),

    /**
     * A further message; the conversation is called like its first question until it has a name. The first statement
     * inserts no row when the conversation is gone, is not the person's own or holds as many as there may be.
     */
    insertMessage: (
      conversationId: string,
      message: BotMessage & { reply: BotInterpretation },
      at: { cost: number; now: number; title: string },
    ): D1PreparedStatement[] => [
      d1
        .prepare(
          `INSERT INTO bot_messages (id, workspace_id, conversation_id, user_id, n, question, asked, reply, rights, engine, cost, created_at)
           SELECT ?4, ?1, ?3, ?2, 1 + coalesce((SELECT max(n) FROM bot_messages WHERE conversation_id = ?3), 0), ?5, ?6, ?7, ?8, ?9, ?10, ?11
           WHERE EXISTS (SELECT 1 FROM bot_conversations WHERE id = ?3 AND workspace_id = ?1 AND user_id = ?2)
             AND (SELECT count(*) FROM bot_messages WHERE conversation_id = ?3) < ${BOT_MESSAGES_MAX}`,
        )
        .bind(
          ...[workspaceId, actorId, conversationId, message.id, message.question, message.asked],
          ...[JSON.stringify(message.reply), rights, message.engine, at.cost, at.now],
        ),
      d1
        .prepare(
          `UPDATE bot_conversations SET updated_at = ?4, title = iif(titled = 1, title, ?5), titled = 1
           WHERE workspace_id = ?1 AND user_id = ?2 AND id = ?3`,
        )
        .bind(workspaceId, actorId, conversationId, at.now, at.title),
    ],

    /** Takes the last message of a conversation back; any other stays. */
    removeLast: (conversationId: string, messageId: string): D1PreparedStatement =>
      d1
        .prepare(
          `DELETE FROM bot_messages WHERE workspace_id = ?1 AND user_id = ?2 AND conversation_id = ?3 AND id = ?4
             AND n = (SELECT max(n) FROM bot_messages WHERE conversation_id = ?3)`,
        )
        .bind(workspaceId, actorId, conversationId, messageId),

    setFeedback: (id: string, { kind, reason }: BotFeedback, now: number): D1PreparedStatement =>
      d1
        .prepare(
          `UPDATE bot_messages SET feedback = ?4, feedback_reason = ?5, feedback_at = ?6
           WHERE workspace_id = ?1 AND user_id = ?2 AND id = ?3`,
        )
        .bind(workspaceId, actorId, id, kind, reason, now),

    /** What anybody in the workspace said was wrong, the newest first. */
    async feedback(at: { limit: number; after: CursorPosition | null }): Promise<ListPage<BotFeedbackItem>> {
      const { results } = await d1
        .prepare(
          `SELECT m.id AS messageId, m.question, m.asked, m.reply, m.rights, m.feedback AS kind, m.feedback_reason AS reason,
             u.name AS personName, m.feedback_at AS at
           FROM bot_messages m JOIN users u ON u.id = m.user_id WHERE m.workspace_id = ?1 AND m.feedback IS NOT NULL
             AND (?2 IS NULL OR m.feedback_at < ?2 OR (m.feedback_at = ?2 AND m.id < ?3))
           ORDER BY m.feedback_at DESC, m.id DESC LIMIT ?4`,
        )
        .bind(workspaceId, at.after?.at ?? null, at.after?.id ?? '', at.limit + 1)
        .all<FeedbackRow>()
      const item = (row: FeedbackRow): BotFeedbackItem => {
        const { messageId, kind, reason, personName } = row
        const reply: BotInterpretation | null = row.rights === rights ? JSON.parse(row.reply) : null
        return {
          messageId,
          question: questionFor(row, reply !== null),
          kind,
          reason,
          personName,
          at: toIso(row.at),
          words: readingOf(reply)?.words ?? null,
        }
      }
      return toPage(results, {
        limit: at.limit,
        item,
        cursor: ({ at: time, messageId }) => encodeCursor({ at: time, id: messageId }),
      })
    },
  }
}

/** Removes conversations whose time is over, with their messages. */
export async function deleteOldConversations(
  { d1 }: Database,
  at: { now: number; usualDays: number; dayMs: number; most: number },
): Promise<void> {
  await d1
    .prepare(
      `DELETE FROM bot_conversations WHERE id IN (
         SELECT c.id FROM bot_conversations c LEFT JOIN bot_settings s ON s.workspace_id = c.workspace_id
         WHERE c.updated_at < ?1 - coalesce(s.retention_days, ?2) * ?3 ORDER BY c.updated_at LIMIT ?4)`,
    )
    .bind(at.now, at.usualDays, at.dayMs, at.most)
    .run()
}
