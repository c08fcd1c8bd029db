import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { addMessage, conversationQuery } from './queries'
import { queryClient } from '../../lib/queries/query-client'
import { setSession } from '../../lib/session'
import { jsonResponse, mockServer } from '../../test/mock-server'
import { memberPageData } from '../../test/page-data'
import type { BotConversationDetail, BotMessage } from '../../../src/shared/bot/conversations'

const ID = 'bcv_1'
const AT = '2026-11-28T10:00:00.000Z'
const message: BotMessage = {
  ...{
    id: 'bms_1',
    question: 'total amount',
    asked: 'text',
    reply: null,
    engine: 'rules',
    feedback: null,
    createdAt: AT,
  },
}
const conversation = (items: BotMessage[]): BotConversationDetail => ({
  ...{ id: ID, title: 'total amount', archived: false, sharedAt: null, sharedMessages: 0, version: 1 },
  ...{ messages: items.length, mine: true, ownerName: 'Bea', createdAt: AT, updatedAt: AT, items },
})

beforeEach(() => setSession(memberPageData()))
afterEach(() => {
  vi.unstubAllGlobals()
  queryClient.clear()
})

it('shows an answer that came while its conversation was first read, from before the answer', async () => {
  const early = Promise.withResolvers<Response>()
  const calls = mockServer({
    [`GET /api/bot/shared/${ID}`]: [() => early.promise, () => jsonResponse(conversation([message]))],
    'GET /api/bot/conversations': () => jsonResponse({ items: [], nextCursor: null }),
  })
  const seen = new QueryObserver(queryClient, conversationQuery(ID))
  const stop = seen.subscribe(() => undefined)
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  const added = addMessage(ID, message)
  early.resolve(jsonResponse(conversation([])))
  await added
  await vi.waitFor(() => expect(seen.getCurrentResult().data?.items).toEqual([message]))
  stop()
})
