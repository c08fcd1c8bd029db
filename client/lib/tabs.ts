interface SessionMessage {
  userId: string | null
}

const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('insikt-session')

/** Tells the other tabs that somebody signed in or out here. */
export function announceSession(userId: string | null): void {
  channel?.postMessage({ userId } satisfies SessionMessage)
}

/** Calls back when another tab changed who is signed in. */
export function onSessionChange(listener: (userId: string | null) => void): () => void {
  const handle = (event: MessageEvent<SessionMessage>) => listener(event.data.userId)
  channel?.addEventListener('message', handle)
  return () => channel?.removeEventListener('message', handle)
}
