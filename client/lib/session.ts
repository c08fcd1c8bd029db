import { useSyncExternalStore } from 'react'
import type { PageData } from '../../src/shared/session'

/** Everything here is the person's own, in whichever workspace the tab is. */
export const userKey = (noun: string) => [noun, session().user?.id] as const

/**
 * Who is signed in, and where: page data first, replaced when the session changes (sign-in, sign-out, another
 * workspace, another tab). Never holds a session token: the cookie is the browser's own.
 */
let current: PageData | null = null

/** Who looks at data as somebody else may look, and take along what that one may: nothing is offered that would be refused. */
function withReadOnlyView(data: PageData): PageData {
  const { workspace } = data
  if (!workspace?.viewAs) return data
  const permissions = workspace.permissions.filter((permission) => /^(view|export):/.test(permission))
  return { ...data, workspace: { ...workspace, permissions } }
}

const listeners = new Set<() => void>()

export function setSession(data: PageData): void {
  current = withReadOnlyView(data)
  listeners.forEach((listener) => listener())
}

export function session(): PageData {
  if (!current) throw new Error('The session is read before the page data.')
  return current
}

/** The workspace of this tab; undefined outside of one. */
export const workspaceId = (): string | undefined => session().workspace?.id

/** Called after every change of the session, until the answer is called. */
export function subscribeToSession(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function useSession(): PageData {
  return useSyncExternalStore(subscribeToSession, session)
}

/** What the server wrote into the page. Read once; afterwards the session store in `session.ts` holds it. */
export function readPageData(): PageData {
  const text = document.getElementById('page-data')?.textContent
  if (!text) throw new Error('The page carries no page data.')
  const data: PageData = JSON.parse(text)
  return data
}
