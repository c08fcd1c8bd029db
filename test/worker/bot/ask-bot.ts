import { expect } from 'vitest'
import type { SignedIn } from '../factories'
import type { AskInput, BotConversation, BotEvent, BotReply } from '../../../src/shared/bot/conversations'

export async function newConversation(me: SignedIn): Promise<BotConversation> {
  const made = await me.fetch('/api/bot/conversations', { method: 'POST', json: {} })
  expect(made.status).toBe(201)
  return made.json<BotConversation>()
}

/** The events that a question is answered by. */
export async function eventsOf(answer: Response): Promise<BotEvent[]> {
  const blocks = (await answer.text()).split('\n\n').filter((block) => block !== '')
  return blocks.map((block) => {
    const [event = '', data = ''] = block.split('\n')
    const read: BotEvent = JSON.parse(`{"event":${JSON.stringify(event.slice(7))},"data":${data.slice(6)}}`)
    return read
  })
}

/** What a question comes to, in a conversation of its own unless one is named. */
export async function askBotAs(me: SignedIn, ask: AskInput | string, conversationId?: string): Promise<BotReply> {
  const id = conversationId ?? (await newConversation(me)).id
  const json = typeof ask === 'string' ? { kind: 'text', text: ask } : ask
  const answer = await me.fetch(`/api/bot/conversations/${id}/messages`, { method: 'POST', json })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8'])
  const last = (await eventsOf(answer)).at(-1)
  if (!last || last.event === 'reading' || last.event === 'understood' || last.event === 'error')
    throw new Error(`No reply: ${JSON.stringify(last)}`)
  return last.data
}
