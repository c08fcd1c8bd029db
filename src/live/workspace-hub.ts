import { DurableObject } from 'cloudflare:workers'
import { HOLDER_HEADER, holdingSchema } from './holding'
import type { Holding } from './holding'
import { merged, tellable } from './told'
import { stillHolding } from '../access/holders'
import { createDeps } from '../deps'
import { readSettings } from '../env'
import type { Env } from '../env'
import { log } from '../lib/log'
import { LIVE_SOCKETS_MAX, LIVE_SOCKETS_OF_PERSON_MAX } from '../shared/limits'
import { LIVE_CLOSED, LIVE_PING, LIVE_PONG } from '../shared/live'
import type { LiveEvent, LiveMessage } from '../shared/live'

/** Messages of one socket are at least this far apart: ten a second at most. What happens meanwhile is one message. */
const REST_MS = 100
/** At the latest after this long every socket is checked again. */
const CHECK_MS = 10 * 60 * 1000
/** With so many pages, the first and the last one ask this far apart at most. */
const SPREAD_MAX_MS = 600
/** Lists of datasets beyond this do not fit what a sleeping socket remembers (16 KB): `null` stands for them. */
const DATASETS_MAX = 200

interface Attached extends Holding {
  /** Epoch ms. */
  since: number
}

/** Pushes to the open pages of one workspace. Sleeps between events: sockets stay open, and what is known of them with them. */
export class WorkspaceHub extends DurableObject<Env> {
  #waiting: LiveEvent[] = []
  #resting = false

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    // Answered without waking the object.
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair(LIVE_PING, LIVE_PONG))
  }

  /** Opens the socket of somebody who was let in. 503 while there are too many. */
  override async fetch(request: Request): Promise<Response> {
    const holding = holdingSchema.parse(JSON.parse(request.headers.get(HOLDER_HEADER) ?? 'null'))
    this.#closeOldestOf(holding.userId)
    if (this.#open().length >= LIVE_SOCKETS_MAX) return new Response(null, { status: 503 })
    const { 0: page, 1: own } = new WebSocketPair()
    this.ctx.acceptWebSocket(own, [holding.userId])
    const datasets = Array.isArray(holding.datasets) && holding.datasets.length > DATASETS_MAX ? null : holding.datasets
    own.serializeAttachment({ ...holding, datasets, since: Date.now() } satisfies Attached)
    if ((await this.ctx.storage.getAlarm()) === null) await this.ctx.storage.setAlarm(Date.now() + CHECK_MS)
    // What ended between the check of the request and this moment had no socket yet to be closed.
    this.ctx.waitUntil(this.recheck([holding.userId]).catch((error: unknown) => this.#failed('recheck', error)))
    return new Response(null, { status: 101, webSocket: page })
  }

  /** Tells every open page that may know, at once or at the end of the rest after the last message. */
  tell(events: LiveEvent[]): void {
    if (this.#open().length === 0) return
    this.#waiting.push(...events)
    if (!this.#resting) this.#send()
  }

  /** Closes the sockets of these people (null: of everybody) whose membership, role or session is not what it was. */
  async recheck(userIds: readonly string[] | null): Promise<void> {
    const sockets = (userIds === null ? this.#open() : userIds.flatMap((id) => this.#open(id))).map(attached)
    const [first] = sockets
    if (!first) return
    const parsed = readSettings(this.env)
    if (!parsed.ok) throw new Error('misconfigured')
    const deps = createDeps(this.env, parsed.settings, { waitUntil: (promise) => this.ctx.waitUntil(promise) })
    const holds = await stillHolding(
      deps,
      first.holder.workspaceId,
      sockets.map(({ holder }) => holder),
    )
    for (const { socket, holder } of sockets) if (!holds(holder)) close(socket, 'changed')
  }

  override async alarm(): Promise<void> {
    await this.recheck(null)
    if (this.#open().length > 0) await this.ctx.storage.setAlarm(Date.now() + CHECK_MS)
  }

  override webSocketMessage(socket: WebSocket): void {
    close(socket, 'unexpected')
  }

  #open(userId?: string): WebSocket[] {
    return this.ctx.getWebSockets(userId).filter(({ readyState }) => readyState === WebSocket.OPEN)
  }

  #closeOldestOf(userId: string): void {
    const mine = this.#open(userId).map(attached)
    const surplus = mine.length - LIVE_SOCKETS_OF_PERSON_MAX + 1
    const oldest = mine.toSorted((a, b) => a.holder.since - b.holder.since).slice(0, Math.max(0, surplus))
    for (const { socket } of oldest) close(socket, 'replaced')
  }

  #send(): void {
    const events = merged(this.#waiting)
    this.#waiting = []
    const sockets = this.#open()
    const spread = Math.min(SPREAD_MAX_MS, sockets.length)
    const texts = new Map<string, string | null>()
    for (const { socket, holder } of sockets.map(attached)) {
      const key = JSON.stringify([holder.role, holder.datasets])
      const text = texts.get(key) ?? textFor(tellable(holder, events), spread)
      texts.set(key, text)
      if (text !== null) socket.send(text)
    }
    this.#resting = true
    setTimeout(() => {
      this.#resting = false
      if (this.#waiting.length > 0) this.#send()
    }, REST_MS)
  }

  #failed(what: string, error: unknown): void {
    log('error', `live: ${what} failed`, { error: error instanceof Error ? error.message : String(error) })
  }
}

const textFor = (events: LiveEvent[], spread: number): string | null =>
  events.length === 0 ? null : JSON.stringify({ events, spread } satisfies LiveMessage)

function attached(socket: WebSocket): { socket: WebSocket; holder: Attached } {
  const holder: Attached = socket.deserializeAttachment()
  return { socket, holder }
}

function close(socket: WebSocket, why: keyof typeof LIVE_CLOSED): void {
  const { code, reason } = LIVE_CLOSED[why]
  socket.close(code, reason)
}
