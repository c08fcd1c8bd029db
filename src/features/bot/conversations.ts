import type { z } from 'zod'
import { conversationStore, deleteOldConversations } from './conversation-store'
import { botSettingsStore } from './settings-store'
import { auditEntryFactory, commit } from '../../db/commit'
import { readUsage } from '../../entitlements/usage'
import { decodeCursor } from '../../http/pagination'
import type { RequestContext } from '../../http/request-context'
import { toIso } from '../../lib/iso'
import {
  BOT_CONVERSATIONS_MAX,
  BOT_RETENTION_DAYS,
  type BotConversation,
  type BotConversationDetail,
  type BotFeedback,
  type BotFeedbackItem,
  type BotMessage,
  type BotSettings,
  type BotUsage,
  type createConversationSchema,
  type listConversationsSchema,
  type listFeedbackSchema,
  type updateConversationSchema,
} from '../../shared/bot/conversations'
import { DAY_MS } from '../../shared/dates'
import { ProductError } from '../../shared/errors'
import type { ListPage } from '../../shared/field-schemas'
import type { Deps, ReadContext } from '../../deps'

const storeOf = ({ deps, scope }: ReadContext) => conversationStore(deps.db, scope)
const auditOf = auditEntryFactory('botConversation')

/** What a conversation is called until its first question. */
const NEW_TITLE = 'New conversation'

export const listConversations = (
  context: ReadContext,
  { archived, q = '', cursor, limit }: z.output<typeof listConversationsSchema>,
): Promise<ListPage<BotConversation>> =>
  storeOf(context).list({ limit, after: decodeCursor(cursor, 'botConversation'), archived: archived === '1', q })

/** @throws ProductError `not_found` also for those of others that are not shared */
export async function getConversation(context: ReadContext, id: string): Promise<BotConversation> {
  const found = await storeOf(context).get(id)
  if (!found) throw new ProductError('not_found')
  return found
}
/** @throws ProductError `not_found` for every other person's */
export async function ownConversation(context: ReadContext, id: string): Promise<BotConversation> {
  const found = await getConversation(context, id)
  if (!found.mine) throw new ProductError('not_found')
  return found
}

/** What others said of the answers is theirs. */
export async function conversationDetail(context: ReadContext, id: string): Promise<BotConversationDetail> {
  const conversation = await getConversation(context, id)
  const items = await storeOf(context).messages(conversation)
  return { ...conversation, items: conversation.mine ? items : items.map((item) => ({ ...item, feedback: null })) }
}

export async function createConversation(
  context: RequestContext,
  { title }: z.output<typeof createConversationSchema>,
): Promise<BotConversation> {
  const { deps, actor } = context
  const now = deps.clock.now()
  const at = toIso(now)
  const made: BotConversation = {
    ...{ id: deps.ids.next('botConversation'), title: title ?? NEW_TITLE, archived: false },
    ...{ sharedAt: null, sharedMessages: 0, messages: 0, mine: true, ownerName: actor.name, version: 1 },
    ...{ createdAt: at, updatedAt: at },
  }
  await commit(deps, {
    change: [storeOf(context).insert(made, { titled: title !== undefined, now })],
    audit: [auditOf(context, { action: 'botConversation.create', id: made.id })],
    reply: context.reply(made),
    expect: {
      onMissed: () =>
        new ProductError(
          'limit_reached',
          { limit: 'conversations', used: BOT_CONVERSATIONS_MAX, max: BOT_CONVERSATIONS_MAX },
          `You can keep up to ${BOT_CONVERSATIONS_MAX} conversations. Delete some you don’t need.`,
        ),
    },
  })
  return made
}

const versionConflict = async (context: ReadContext, id: string): Promise<ProductError> =>
  new ProductError('version_conflict', { current: await ownConversation(context, id) })

/** @throws ProductError `version_conflict` with the stored conversation as `current` */
export async function updateConversation(
  context: RequestContext,
  { id, input }: { id: string; input: z.output<typeof updateConversationSchema> },
): Promise<BotConversation> {
  const before = await ownConversation(context, id)
  const next: BotConversation = { ...before, ...input, version: input.version + 1 }
  await commit(context.deps, {
    change: [storeOf(context).update(id, input)],
    audit: [auditOf(context, { action: 'botConversation.update', id })],
    reply: context.reply(next),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return next
}

/** For good: nothing of it is left. */
export async function deleteConversation(
  context: RequestContext,
  { id, version }: { id: string; version: number },
): Promise<BotConversation> {
  const before = await ownConversation(context, id)
  await commit(context.deps, {
    change: [storeOf(context).remove(id, version)],
    audit: [auditOf(context, { action: 'botConversation.delete', id })],
    reply: context.reply(before),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return before
}

/** Members may read the messages there are now; `on` false: nobody any more. */
export async function shareConversation(
  context: RequestContext,
  { id, version, on }: { id: string; version: number; on: boolean },
): Promise<BotConversation> {
  const { deps } = context
  const before = await ownConversation(context, id)
  const last = on ? ((await storeOf(context).lastMessage(id))?.n ?? 0) : null
  if (last === 0) throw new ProductError('invalid_input', { fields: { '': 'Ask something first.' } })
  const now = deps.clock.now()
  const next: BotConversation = {
    ...before,
    ...{ sharedAt: last === null ? null : toIso(now), sharedMessages: last ?? 0, version: version + 1 },
  }
  await commit(deps, {
    change: [storeOf(context).share(id, { version, to: last, now })],
    audit: [auditOf(context, { action: on ? 'botConversation.share' : 'botConversation.unshare', id })],
    reply: context.reply(next),
    expect: { onMissed: () => versionConflict(context, id) },
  })
  return next
}

/** One's own message. @throws ProductError `not_found` for those of others */
export async function ownMessage(context: ReadContext, id: string): Promise<BotMessage & { conversationId: string }> {
  const found = await storeOf(context).message(id)
  if (!found) throw new ProductError('not_found')
  return found
}

/** Says what is wrong with an answer: those who can mend it see the question and this. */
export async function saveFeedback(
  context: RequestContext,
  { id, input }: { id: string; input: BotFeedback },
): Promise<BotMessage> {
  const { deps } = context
  const { conversationId: _in, ...message } = await ownMessage(context, id)
  const next: BotMessage = { ...message, feedback: input }
  await commit(deps, {
    change: [storeOf(context).setFeedback(id, input, deps.clock.now())],
    audit: [auditEntryFactory('botMessage')(context, { action: 'botMessage.feedback', id, after: input })],
    reply: context.reply(next),
    expect: { onMissed: () => new ProductError('not_found') },
  })
  return next
}

export const listFeedback = (
  context: ReadContext,
  { cursor, limit }: z.output<typeof listFeedbackSchema>,
): Promise<ListPage<BotFeedbackItem>> => storeOf(context).feedback({ limit, after: decodeCursor(cursor, 'botMessage') })

export const getBotSettings = ({ deps, scope }: ReadContext): Promise<BotSettings> =>
  botSettingsStore(deps.db, scope).get()

export async function saveBotSettings(context: RequestContext, input: BotSettings): Promise<BotSettings> {
  const { deps, scope } = context
  const before = await getBotSettings(context)
  await commit(deps, {
    change: [botSettingsStore(deps.db, scope).save(input)],
    audit: [
      auditEntryFactory('workspace')(context, {
        action: 'botSettings.update',
        id: scope.workspaceId,
        before,
        after: input,
      }),
    ],
    reply: context.reply(input),
  })
  return input
}

/** How much of the plan's allowance of answers by a language model is used. */
export async function botUsage(
  { deps, scope, membership }: Pick<RequestContext, 'deps' | 'scope' | 'membership'>,
  model: { isConfigured: boolean },
): Promise<BotUsage> {
  const all = await readUsage(deps.db, scope, { ...membership, now: deps.clock.now() })
  const { used = 0, max = 0, resetsAt = null } = all.find(({ limit }) => limit === 'aiMessages') ?? {}
  return { used, max, resetsAt, rulesOnly: !model.isConfigured || (max !== null && used >= max) }
}

const SWEEP_MAX = 500
/** Removes conversations whose time is over: 90 days after the last message, or as the workspace says. */
export const sweepConversations = ({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> =>
  deleteOldConversations(db, {
    ...{ now: clock.now(), usualDays: BOT_RETENTION_DAYS.usual, dayMs: DAY_MS, most: SWEEP_MAX },
  })
