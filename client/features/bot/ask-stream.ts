import { apiFetch } from '../../lib/api'
import type { AskInput, BotEvent } from '../../../src/shared/bot/conversations'

/** The events of a stream of server-sent events, as they come. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<BotEvent> {
  const decoder = new TextDecoder()
  const reader = stream.getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    text += decoder.decode(value, { stream: true })
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parseEvent(text.slice(0, end))
      text = text.slice(end + 2)
      if (event) yield event
    }
  }
}

/** Our own server's writing, read back. */
function parseEvent(block: string): BotEvent | null {
  const lines = block.split('\n')
  const event = lines.find((line) => line.startsWith('event: '))?.slice(7)
  const data = lines.find((line) => line.startsWith('data: '))?.slice(6)
  if (event === undefined || data === undefined) return null
  const read: BotEvent = JSON.parse(`{"event":${JSON.stringify(event)},"data":${data}}`)
  return read
}

/** Asks, and tells what becomes of it. @throws ApiError when the question is refused before it is read */
export async function* askQuestion(
  conversationId: string,
  ask: AskInput,
  signal: AbortSignal,
): AsyncGenerator<BotEvent> {
  const response = await apiFetch(`/api/bot/conversations/${conversationId}/messages`, {
    method: 'POST',
    headers: { accept: 'text/event-stream' },
    body: JSON.stringify(ask),
    signal,
  })
  if (response.body) yield* readEvents(response.body)
}
