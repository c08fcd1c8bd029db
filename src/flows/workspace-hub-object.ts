import { errorMessage, log } from '../lib/log'
import { DurableObject } from 'cloudflare:workers'
import { SOCKET_GRANT_HEADER, socketGrantSchema, type SocketGrant, type WorkspaceHubRpc } from '../live/socket-grant'
import { mergeEvents, visibleEvents } from '../live/events'
import { revalidateGrants } from '../identity/granted-access-store'
import { depsFor } from '../deps'
import { LIVE_SOCKETS_MAX, LIVE_SOCKETS_OF_PERSON_MAX } from '../shared/limits'
import { LIVE_CLOSE_CODES, LIVE_PING, LIVE_PONG, type LiveEvent, type LiveMessage } from '../shared/live'
import type { Env } from '../bindings'

/** Messages of one socket are at least this far apart: ten a second at most. What happens meanwhile is one message. */
const THROTTLE_MS = 100
/** At the latest after this long every socket is checked again. */
const REVALIDATE_INTERVAL_MS = 10 * 60 * 1000
/** With so many pages, the first and the last one ask this far apart at most. */
const SPREAD_MAX_MS = 600
/** Lists of datasets beyond this do not fit what a sleeping socket remembers (16 KB): `null` stands for them. */
const DATASETS_MAX = 200

interface SocketAttachment extends SocketGrant {
  /** Epoch ms. */
  since: number
}

/** Pushes to the open pages of one workspace. Sleeps between events: sockets stay open, and what is known of them with them. */
export class WorkspaceHub extends DurableObject<Env> implements WorkspaceHubRpc {
  #waiting: LiveEvent[] = []
  #resting = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Answered without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG))
  }

  override async fetch(request: Request): Promise<Response> {
    const holding = socketGrantSchema.parse(JSON.parse(request.headers.get(SOCKET_GRANT_HEADER) ?? 'null'))
    this.#closeOldestOf(holding.userId)
    if (this.#open().length >= LIVE_SOCKETS_MAX) return new Response(null, { status: 503 })
    const { 0: page, 1: own } = new WebSocketPair()
    this.ctx.acceptWebSocket(own, [holding.userId])
    const datasets = sizeOf(holding.datasets) > DATASETS_MAX ? null : holding.datasets
    own.serializeAttachment({ ...holding, datasets, since: Date.now() } satisfies SocketAttachment)
    if ((await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.now() + REVALIDATE_INTERVAL_MS)
    // What ended between the check of the request and this moment had no socket yet to be closed.
    this.ctx.waitUntil(this.recheck([holding.userId]).catch((error: unknown) => this.#failed('recheck', error)))
    return new Response(null, { status: 101, webSocket: page })
  }

  tell(events: LiveEvent[]): void {
    if (this.#open().length === 0) return
    this.#waiting.push(...events)
    if (!this.#resting) this.#send()
  }

  async recheck(userIds: readonly string[] | null): Promise<void> {
    const sockets = (userIds === null ? this.#open() : userIds.flatMap((id) => this.#open(id))).map(readAttachment)
    const [first] = sockets
    if (!first) return
    const holds = await revalidateGrants(
      depsFor(this.env, this.ctx),
      first.holder.workspaceId,
      sockets.map(({ holder }) => holder),
    )
    for (const { socket, holder } of sockets) if (!holds(holder)) closeSocket(socket, 'changed')
  }

  override async alarm(): Promise<void> {
    await this.recheck(null)
    if (this.#open().length > 0) await this.ctx.storage.setAlarm(Date.now() + REVALIDATE_INTERVAL_MS)
  }

  override webSocketMessage(socket: WebSocket): void {
    closeSocket(socket, 'unexpected')
  }

  #open(userId?: string): WebSocket[] {
    return this.ctx.getWebSockets(userId).filter(({ readyState }) => readyState === WebSocket.OPEN)
  }

  #closeOldestOf(userId: string): void {
    const mine = this.#open(userId).map(readAttachment)
    const surplus = mine.length - LIVE_SOCKETS_OF_PERSON_MAX + 1
    const oldest = mine.toSorted((a, b) => a.holder.since - b.holder.since).slice(0, Math.max(0, surplus))
    for (const { socket } of oldest) closeSocket(socket, 'replaced')
  }

  #send(): void {
    const events = mergeEvents(this.#waiting)
    this.#waiting = []
    const sockets = this.#open()
    const spread = Math.min(SPREAD_MAX_MS, sockets.length)
    const texts = new Map<string, string | null>()
    for (const { socket, holder } of sockets.map(readAttachment)) {
      const key = JSON.stringify([holder.role, holder.datasets])
      const text = texts.get(key) ?? encodeMessage(visibleEvents(holder, events), spread)
      texts.set(key, text)
      if (text !== null) socket.send(text)
    }
    this.#resting = true
    setTimeout(() => {
      this.#resting = false
      if (this.#waiting.length > 0) this.#send()
    }, THROTTLE_MS)
  }

  #failed(what: string, error: unknown): void {
    log('error', `live: ${what} failed`, { error: errorMessage(error) })
  }
}

const sizeOf = (datasets: SocketGrant['datasets']): number =>
  datasets === null || datasets === 'all' ? 0 : (Array.isArray(datasets) ? datasets : datasets.except).length

const encodeMessage = (events: LiveEvent[], spread: number): string | null =>
  events.length === 0 ? null : JSON.stringify({ events, spread } satisfies LiveMessage)

function readAttachment(socket: WebSocket): { socket: WebSocket; holder: SocketAttachment } {
  const holder: SocketAttachment = socket.deserializeAttachment()
  return { socket, holder }
}

function closeSocket(socket: WebSocket, why: keyof typeof LIVE_CLOSE_CODES): void {
  const { code, reason } = LIVE_CLOSE_CODES[why]
  socket.close(code, reason)
}
