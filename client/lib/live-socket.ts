import { LIVE_CLOSE_CODES, LIVE_PING, liveMessageSchema, type LiveMessage } from '../../src/shared/live'

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

/** A tab that is only looked away from for a moment keeps its place. */
const HIDDEN_GRACE_MS = 10_000

/** What the tab that holds the socket tells the others of this browser. */
type TabMessage = { message: LiveMessage } | { up: boolean }

interface SharedSocketOptions extends SocketListener {
  userId: string
  workspaceId: string
}

/**
 * One socket for all tabs of a browser that are in the same workspace: a visible one holds it and tells the others.
 * Where tabs cannot agree, each visible one has its own. Hidden and offline, none is held. Answers how to stop.
 */
export function shareSocket({ userId, workspaceId, ...listener }: SharedSocketOptions): () => void {
  const name = `insikt-live ${userId} ${workspaceId}`
  const together = 'locks' in navigator && typeof BroadcastChannel !== 'undefined'
  const channel = together ? new BroadcastChannel(name) : null
  channel?.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if ('message' in data) listener.onMessage(data.message)
    else if (data.up) listener.onUp(true)
    else listener.onDown()
  })
  const broadcast = (news: TabMessage): void => channel?.postMessage(news)
  const socket = new LiveSocket(liveUrl(workspaceId), {
    onMessage: (message) => {
      broadcast({ message })
      listener.onMessage(message)
    },
    onUp: (again) => {
      broadcast({ up: true })
      listener.onUp(again)
    },
    onDown: () => {
      broadcast({ up: false })
      listener.onDown()
    },
  })
  const place = together ? withTabLock(name, socket) : socket
  const stop = whilePageVisible(place)
  return () => {
    stop()
    channel?.close()
  }
}

interface SocketSlot {
  start: () => void
  stop: () => void
}

/** The socket's start and stop, one tab at a time. */
function withTabLock(name: string, socket: LiveSocket): SocketSlot {
  let leave: AbortController | null = null
  return {
    start: () => {
      if (leave) return
      const left = new AbortController()
      leave = left
      navigator.locks
        .request(name, { signal: left.signal }, () => {
          socket.start()
          return new Promise<void>((resolve) => left.signal.addEventListener('abort', () => resolve()))
        })
        // Left before it was this tab's turn.
        .catch(() => undefined)
    },
    stop: () => {
      leave?.abort()
      leave = null
      socket.stop()
    },
  }
}

/** Started while the page can be seen and the network is there. */
function whilePageVisible(socketSlot: SocketSlot): () => void {
  let timer = 0
  const update = (): void => {
    window.clearTimeout(timer)
    if (!navigator.onLine) return socketSlot.stop()
    if (document.visibilityState === 'visible') return socketSlot.start()
    timer = window.setTimeout(() => socketSlot.stop(), HIDDEN_GRACE_MS)
  }
  document.addEventListener('visibilitychange', update)
  window.addEventListener('online', update)
  window.addEventListener('offline', update)
  update()
  return () => {
    document.removeEventListener('visibilitychange', update)
    window.removeEventListener('online', update)
    window.removeEventListener('offline', update)
    window.clearTimeout(timer)
    socketSlot.stop()
  }
}
