import { LIVE_CLOSE_CODES, LIVE_PING, liveMessageSchema } from '../../src/shared/live'
import type { LiveMessage } from '../../src/shared/live'

const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 60_000
/** A page that gave way to newer ones of the same person comes back after this long at the earliest. */
const REPLACED_WAIT_MS = 5 * 60_000
const PING_MS = 25_000
const PONG_WAIT_MS = 10_000

/** How long to wait before try number `tries` (0 = the first again). Pages that lost the same server come back spread. */
export const backoffMs = (tries: number, random: () => number): number =>
  Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries) * (0.25 + 0.75 * random())

export interface SocketListener {
  onMessage: (message: LiveMessage) => void
  /** `again`: it was down before, and events may have been missed. */
  onUp: (again: boolean) => void
  onDown: () => void
}
export interface SocketDependencies {
  open: (url: string) => WebSocket
  random: () => number
}
const DEFAULT_DEPENDENCIES: SocketDependencies = { open: (url) => new WebSocket(url), random: () => Math.random() }

/** Address of a workspace's socket. */
export const liveUrl = (
  workspaceId: string,
  { protocol, host }: Pick<Location, 'protocol' | 'host'> = window.location,
): string => `${protocol === 'https:' ? 'wss' : 'ws'}://${host}/live?w=${encodeURIComponent(workspaceId)}`

function parseMessage(data: unknown): LiveMessage | null {
  if (typeof data !== 'string' || !data.startsWith('{')) return null
  const message = liveMessageSchema.safeParse(JSON.parse(data))
  return message.success ? message.data : null
}

/** Keeps one socket open until it is stopped: tries again ever more slowly, and notices a line that went dead. */
export class LiveSocket {
  readonly #url: string
  readonly #listener: SocketListener
  readonly #parts: SocketDependencies
  #socket: WebSocket | null = null
  #tries = 0
  #missed = false
  #timers: number[] = []

  constructor(url: string, listener: SocketListener, parts: SocketDependencies = DEFAULT_DEPENDENCIES) {
    this.#url = url
    this.#listener = listener
    this.#parts = parts
  }

  start(): void {
    if (this.#socket !== null) return
    this.#clear()
    const socket = this.#parts.open(this.#url)
    this.#socket = socket
    socket.addEventListener('open', () => this.#opened(socket))
    socket.addEventListener('message', ({ data }: MessageEvent<unknown>) => this.#heard(socket, data))
    socket.addEventListener('close', ({ code }) => this.#closed(socket, code))
  }

  /** From now on it is down, and what happens until the next start is missed. */
  stop(): void {
    const socket = this.#socket
    this.#down()
    socket?.close()
  }

  #opened(socket: WebSocket): void {
    if (socket !== this.#socket) return socket.close()
    this.#listener.onUp(this.#missed)
    this.#missed = false
    this.#later(PING_MS, () => this.#ping(socket))
  }

  #ping(socket: WebSocket): void {
    socket.send(LIVE_PING)
    this.#later(PONG_WAIT_MS, () => this.#closed(socket, 0))
  }

  #heard(socket: WebSocket, data: unknown): void {
    if (socket !== this.#socket) return
    // Whatever it says: the line is alive.
    this.#tries = 0
    this.#clear()
    this.#later(PING_MS, () => this.#ping(socket))
    const message = parseMessage(data)
    if (message) this.#listener.onMessage(message)
  }

  #closed(socket: WebSocket, code: number): void {
    if (socket !== this.#socket) return
    this.#down()
    if (code === 0) socket.close()
    const wait = code === LIVE_CLOSE_CODES.replaced.code ? REPLACED_WAIT_MS : backoffMs(this.#tries, this.#parts.random)
    this.#tries += 1
    this.#later(wait, () => this.start())
  }

  #down(): void {
    this.#clear()
    if (this.#socket !== null) this.#listener.onDown()
    this.#socket = null
    this.#missed = true
  }

  #later(ms: number, work: () => void): void {
    this.#timers.push(window.setTimeout(work, ms))
  }
  #clear(): void {
    this.#timers.forEach((timer) => window.clearTimeout(timer))
    this.#timers = []
  }
}
