import { callApp, ORIGIN, type SignedIn } from './factories'
import { liveMessageSchema, type LiveEvent, type LiveMessage } from '../../src/shared/live'

/** The page's side of a socket. */
export interface TestSocket {
  socket: WebSocket
  messages: LiveMessage[]
  /** Every event it was told, in order. */
  events: () => LiveEvent[]
  /** Resolves once `count` events came. */
  told: (count: number) => Promise<LiveEvent[]>
  /** Resolves with the code of the close. */
  closed: Promise<number>
}

export const requestSocket = (
  me: Pick<SignedIn, 'app' | 'cookie' | 'workspaceId'>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  callApp(me.app, `/live?w=${me.workspaceId}`, {
    headers: { cookie: me.cookie, upgrade: 'websocket', origin: ORIGIN, ...headers },
  })

/** Opens the socket of a page through the app. */
export async function openTestSocket(me: Pick<SignedIn, 'app' | 'cookie' | 'workspaceId'>): Promise<TestSocket> {
  const { webSocket: socket, status } = await requestSocket(me)
  if (!socket) throw new Error(`no socket: ${status}`)
  return recordMessages(socket)
}

export function recordMessages(socket: WebSocket): TestSocket {
  const messages: LiveMessage[] = []
  const waiting = new Set<() => void>()
  const events = () => messages.flatMap((message) => message.events)
  socket.addEventListener('message', ({ data }) => {
    if (typeof data === 'string' && data.startsWith('{')) messages.push(liveMessageSchema.parse(JSON.parse(data)))
    waiting.forEach((look) => look())
  })
  const closed = new Promise<number>((resolve) => socket.addEventListener('close', ({ code }) => resolve(code)))
  socket.accept()
  const told = (count: number) =>
    new Promise<LiveEvent[]>((resolve) => {
      const look = () => {
        if (events().length >= count) resolve(events())
      }
      waiting.add(look)
      look()
    })
  return { socket, messages, events, told, closed }
}
