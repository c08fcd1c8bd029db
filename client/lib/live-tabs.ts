import { LiveSocket, liveUrl } from './live-socket'
import type { SocketListener } from './live-socket'
import type { LiveMessage } from '../../src/shared/live'

/** A tab that is only looked away from for a moment keeps its place. */
const HIDDEN_GRACE_MS = 10_000

/** What the tab that holds the socket tells the others of this browser. */
type TabNews = { message: LiveMessage } | { up: boolean }

interface Shared extends SocketListener {
  userId: string
  workspaceId: string
}

/**
 * One socket for all tabs of a browser that are in the same workspace: a visible one holds it and tells the others.
 * Where tabs cannot agree, each visible one has its own. Hidden and offline, none is held. Answers how to stop.
 */
export function shareSocket({ userId, workspaceId, ...listener }: Shared): () => void {
  const name = `insikt-live ${userId} ${workspaceId}`
  const together = 'locks' in navigator && typeof BroadcastChannel !== 'undefined'
  const channel = together ? new BroadcastChannel(name) : null
  channel?.addEventListener('message', ({ data }: MessageEvent<TabNews>) => {
    if ('message' in data) listener.onMessage(data.message)
    else if (data.up) listener.onUp(true)
    else listener.onDown()
  })
  const tell = (news: TabNews): void => channel?.postMessage(news)
  const socket = new LiveSocket(liveUrl(workspaceId), {
    onMessage: (message) => {
      tell({ message })
      listener.onMessage(message)
    },
    onUp: (again) => {
      tell({ up: true })
      listener.onUp(again)
    },
    onDown: () => {
      tell({ up: false })
      listener.onDown()
    },
  })
  const place = together ? placeInLine(name, socket) : socket
  const stop = whileWatched(place)
  return () => {
    stop()
    channel?.close()
  }
}

interface Place {
  start: () => void
  stop: () => void
}

/** The socket's start and stop, one tab at a time. */
function placeInLine(name: string, socket: LiveSocket): Place {
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
function whileWatched(place: Place): () => void {
  let timer = 0
  const look = (): void => {
    window.clearTimeout(timer)
    if (!navigator.onLine) return place.stop()
    if (document.visibilityState === 'visible') return place.start()
    timer = window.setTimeout(() => place.stop(), HIDDEN_GRACE_MS)
  }
  document.addEventListener('visibilitychange', look)
  window.addEventListener('online', look)
  window.addEventListener('offline', look)
  look()
  return () => {
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('online', look)
    window.removeEventListener('offline', look)
    window.clearTimeout(timer)
    place.stop()
  }
}
