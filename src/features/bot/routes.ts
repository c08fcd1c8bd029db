import { Hono } from 'hono'
import {
  conversationDetail,
  createConversation,
  deleteConversation,
  getBotSettings,
  listConversations,
  listFeedback,
  saveBotSettings,
  saveFeedback,
  shareConversation,
  updateConversation,
} from './conversations'
import { createTerm, deleteTerm, listTerms, updateTerm } from './glossary'
import { deleteVerified, listVerified, updateVerified, verifyAnswer } from './verified'
import type { AppContext, AppEnv } from '../../http/context'
import { may, needs, requireWritable } from '../../http/guard'
import { contextOf } from '../../http/request-context'
import { jsonBody, pathId, queryString } from '../../http/validate'
import {
  botSettingsSchema,
  createConversationSchema,
  deleteConversationSchema,
  feedbackSchema,
  listConversationsSchema,
  listFeedbackSchema,
  shareConversationSchema,
  updateConversationSchema,
} from '../../shared/bot/conversations'
import {
  createTermSchema,
  createVerifiedSchema,
  deleteTermSchema,
  deleteVerifiedSchema,
  updateTermSchema,
  updateVerifiedSchema,
} from '../../shared/bot/knowledge'

const conversationId = (c: AppContext): string => pathId('botConversation', c.req.param('id') ?? '')
const mayAsk = may('view:insight')
const hasBot = needs('aiAssistant')

/** A person's own conversations, and copies that others share. */
const conversations = new Hono<AppEnv>()
  .get('/', mayAsk, hasBot, queryString(listConversationsSchema), async (c) =>
    c.json(await listConversations(contextOf(c), c.req.valid('query')), 200),
  )
  .post('/', mayAsk, hasBot, jsonBody(createConversationSchema), async (c) => {
    requireWritable(c)
    return c.json(await createConversation(contextOf(c, 201), c.req.valid('json')), 201)
  })
  .get('/:id', mayAsk, hasBot, async (c) => c.json(await conversationDetail(contextOf(c), conversationId(c)), 200))
  .put('/:id', mayAsk, hasBot, jsonBody(updateConversationSchema), async (c) => {
    requireWritable(c)
    return c.json(await updateConversation(contextOf(c), { id: conversationId(c), input: c.req.valid('json') }), 200)
  })
  .delete('/:id', mayAsk, hasBot, queryString(deleteConversationSchema), async (c) => {
    requireWritable(c)
    return c.json(await deleteConversation(contextOf(c), { id: conversationId(c), ...c.req.valid('query') }), 200)
  })
  .post('/:id/share', mayAsk, hasBot, jsonBody(shareConversationSchema), async (c) => {
    requireWritable(c)
    const at = { id: conversationId(c), ...c.req.valid('json'), on: true }
    return c.json(await shareConversation(contextOf(c), at), 200)
  })
  .delete('/:id/share', mayAsk, hasBot, queryString(deleteConversationSchema), async (c) => {
    requireWritable(c)
    const at = { id: conversationId(c), ...c.req.valid('query'), on: false }
    return c.json(await shareConversation(contextOf(c), at), 200)
  })

/** What is wrong with answers, as people say it; analysts see it. */
const feedback = new Hono<AppEnv>()
  .post('/messages/:id/feedback', mayAsk, hasBot, jsonBody(feedbackSchema), async (c) => {
    requireWritable(c)
    const at = { id: pathId('botMessage', c.req.param('id')), input: c.req.valid('json') }
    return c.json(await saveFeedback(contextOf(c), at), 200)
  })
  .get('/feedback', may('edit:metric'), hasBot, queryString(listFeedbackSchema), async (c) =>
    c.json(await listFeedback(contextOf(c), c.req.valid('query')), 200),
  )

const termId = (c: AppContext): string => pathId('botTerm', c.req.param('id') ?? '')
/** The words of the workspace. */
const glossary = new Hono<AppEnv>()
  .get('/', mayAsk, hasBot, async (c) => c.json({ items: await listTerms(contextOf(c)), nextCursor: null }, 200))
  .post('/', may('edit:metric'), hasBot, jsonBody(createTermSchema), async (c) =>
    c.json(await createTerm(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/:id', may('edit:metric'), hasBot, jsonBody(updateTermSchema), async (c) =>
    c.json(await updateTerm(contextOf(c), { id: termId(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('edit:metric'), hasBot, queryString(deleteTermSchema), async (c) =>
    c.json(await deleteTerm(contextOf(c), { id: termId(c), ...c.req.valid('query') }), 200),
  )

const verifiedId = (c: AppContext): string => pathId('verifiedAnswer', c.req.param('id') ?? '')
/** Wordings that are bound to plans. */
const verified = new Hono<AppEnv>()
  .get('/', mayAsk, hasBot, async (c) => c.json({ items: await listVerified(contextOf(c)), nextCursor: null }, 200))
  .post('/', may('verify:insight'), hasBot, jsonBody(createVerifiedSchema), async (c) =>
    c.json(await verifyAnswer(contextOf(c, 201), c.req.valid('json')), 201),
  )
  .put('/:id', may('verify:insight'), hasBot, jsonBody(updateVerifiedSchema), async (c) =>
    c.json(await updateVerified(contextOf(c), { id: verifiedId(c), input: c.req.valid('json') }), 200),
  )
  .delete('/:id', may('verify:insight'), hasBot, queryString(deleteVerifiedSchema), async (c) =>
    c.json(await deleteVerified(contextOf(c), { id: verifiedId(c), ...c.req.valid('query') }), 200),
  )

const settings = new Hono<AppEnv>()
  .get('/', mayAsk, hasBot, async (c) => c.json(await getBotSettings(contextOf(c)), 200))
  .put('/', may('edit:workspace'), hasBot, jsonBody(botSettingsSchema), async (c) =>
    c.json(await saveBotSettings(contextOf(c), c.req.valid('json')), 200),
  )

/** Typed by name: written out, the types of all routes are longer than the compiler takes. The client names what it reads. */
export const botRoutes: Hono<AppEnv> = new Hono<AppEnv>()
  .route('/api/bot/conversations', conversations)
  .route('/api/bot/glossary', glossary)
  .route('/api/bot/verified-answers', verified)
  .route('/api/bot/settings', settings)
  .route('/api/bot', feedback)
