import { useSyncExternalStore } from 'react'
import type { PageData } from '../../src/shared/session'

/**
 * Who is signed in, and where: page data first, replaced when the session changes (sign-in, sign-out, another
 * workspace, another tab). Never holds a session token: the cookie is the browser's own.
 */
let current: PageData | null = null
const listeners = new Set<() => void>()

export function setSession(data: PageData): void {
  current = data
  listeners.forEach((listener) => listener())
}

export function session(): PageData {
  if (!current) throw new Error('The session is read before the page data.')
  return current
}

export function useSession(): PageData {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, session)
}
