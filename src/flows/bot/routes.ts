import { Hono } from 'hono'
import { NO_MODEL, type AskContext } from './ask-context'
import { botModelFor } from './language-model'
import { serverEvent } from './server-events'
import { suggestQuestions } from './suggestions'
import { takeTurn } from './take-turn'
import { botUsage, ownMessage } from '../../features/bot/conversations'
import { interpret } from '../../features/bot/model/interpret'
import { verifyAnswer } from '../../features/bot/verified'
import { sharedCopy } from './shared-copy'
import { jsonLines } from '../reports/json-lines'
import { actorOf, type AppContext, type AppEnv } from '../../http/context'
import { refusalOf } from '../../http/errors'
import { may, needs, requireWritable } from '../../http/guard'
import { enforceRateLimits } from '../../http/rate-limit'
import { contextOf, type RequestContext } from '../../http/request-context'
import { jsonBody, pathId } from '../../http/validate'
import { withCalendar } from '../../semantic/calendar'
import { askSchema, readingOf } from '../../shared/bot/conversations'
import { verifyMessageSchema } from '../../shared/bot/knowledge'
import { ProductError } from '../../shared/errors'
import { createCellFormatter } from '../../shared/figures/cell-formatter'
import { createFormatter } from '../../shared/figures/formatter'

/** What asking takes in this request. */
export function askContextOf(c: AppContext, status = 200): RequestContext & AskContext {
  const context = withCalendar(contextOf(c, status))
  const { membership, actor, deps } = context
  const call = { requestId: c.get('requestId'), path: c.req.path, reporter: deps.reporter }
  const format = createCellFormatter(createFormatter({ ...membership.settings, dateLocale: actor.locale }))
  return { ...context, interpret, model: NO_MODEL, format, refusal: (thrown) => refusalOf(thrown, call) }
}

const messages = new Hono<AppEnv>()
  // A stream of events: what was understood, then the answer. Nothing of it is kept for the same call again.
  .post('/conversations/:id/messages', may('view:insight'), needs('aiAssistant'), jsonBody(askSchema), async (c) => {
    requireWritable(c)
    await enforceRateLimits(c, [{ rate: 'askBot', key: actorOf(c).userId }])
    const conversationId = pathId('botConversation', c.req.param('id'))
    const context = { ...askContextOf(c), model: await botModelFor(contextOf(c)) }
    const events = takeTurn(context, { conversationId, ask: c.req.valid('json') })
    const stop = (): void => void events.return(undefined)
    return c.body(await jsonLines(events, { stop, write: serverEvent }), 200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'private, no-store',
    })
  })
  .get('/shared/:id', may('view:insight'), needs('aiAssistant'), async (c) =>
    c.json(await sharedCopy(askContextOf(c), pathId('botConversation', c.req.param('id'))), 200),
  )
  .post(
    '/messages/:id/verify',
    may('verify:insight'),
    needs('aiAssistant'),
    jsonBody(verifyMessageSchema),
    async (c) => {
      const context = contextOf(c, 201)
      const { question, reply } = await ownMessage(context, pathId('botMessage', c.req.param('id')))
      const reading = readingOf(reply)
      if (!reading) throw new ProductError('invalid_input', { fields: { '': 'Only answers can be verified.' } })
      const { plan, viz, shown } = reading
      const content = { question: c.req.valid('json').question ?? question, plan, viz, ...(shown ? { shown } : {}) }
      return c.json(await verifyAnswer(context, content), 201)
    },
  )
  .get('/suggestions', may('view:insight'), needs('aiAssistant'), async (c) =>
    c.json(await suggestQuestions(askContextOf(c)), 200),
  )
  .get('/usage', may('view:insight'), needs('aiAssistant'), async (c) =>
    c.json(await botUsage(contextOf(c), await botModelFor(contextOf(c))), 200),
  )

/** `/api/bot`: what needs figures of other features. */
export const botFlowRoutes: Hono<AppEnv> = new Hono<AppEnv>().route('/api/bot', messages)
