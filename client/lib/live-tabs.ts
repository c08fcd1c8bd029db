import { LiveSocket, liveUrl } from './live-socket'
import type { SocketListener } from './live-socket'
import type { LiveMessage } from '../../src/shared/live'

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
