import type { MiddlewareHandler } from 'hono'
import { cacheSession } from '../identity/session-record'
import { createSession, readSession, updateLastSeen } from '../identity/session-store'
import type { SessionStart, CreatedSession, SessionUser, LastSeenUpdate } from '../identity/session-store'
import { clearVisitorCookie, sessionToken, setSessionToken } from './cookies'
import type { AppContext, AppEnv } from './context'
import { idempotencyKeyOf } from './idempotency'
import { sha256Hex } from '../lib/hash'

/** Paths that ask no session: their answers are the same for everybody. */
const SESSIONLESS =
  /^\/(assets|health|monitoring|api\/stripe\/webhook|api\/shared|shared|embed|unsubscribe|mcp|oauth\/(token|register|revoke)|\.well-known)(\/|$)/

/** Pages and the session's own calls open the person's last workspace when they name none. */
const isNavigation = (path: string): boolean =>
  !/^\/((api|files)\/|live$)/.test(path) || /^\/api\/(session|account)(\/|$)/.test(path)

/** A page that is loaded, and a tab that moves to another workspace, open it. */
const isOpening = (method: string, path: string): boolean =>
  method === 'GET' && (path === '/api/session' || !/^\/((api|files|dev)\/|live$)/.test(path))

/** Puts the signed-in person of this request into the context: one D1 read, and none without a cookie. */
export const loadSession = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  if (!SESSIONLESS.test(c.req.path)) {
    const token = sessionToken(c)
    if (token !== null) {
      const touch = await loadActor(c, await sha256Hex(token))
      if (touch !== null) c.executionCtx.waitUntil(updateLastSeen(c.get('deps'), touch))
    }
  }
  await next()
}

/** Sets the actor of a session hash; answers what wants to be touched. */
async function loadActor(c: AppContext, hash: string): Promise<LastSeenUpdate | null> {
  c.set('sessionHash', hash)
  const found = await readSession(c.get('deps'), {
    hash,
    workspaceId: c.req.header('x-workspace') ?? c.req.query('w') ?? null,
    fallback: isNavigation(c.req.path),
    opens: isOpening(c.req.method, c.req.path),
    reply: idempotencyKeyOf(c),
  })
  c.set('actor', found?.actor ?? null)
  c.set('earlierReply', found?.reply ?? null)
  return found?.touch ?? null
}

/** A session for a person, made from what the request says about its browser: rows and mail for the caller's batch. */
export const createBrowserSession = (c: AppContext, sessionUser: SessionUser): Promise<CreatedSession> =>
  createSession(c.get('deps'), sessionUser, {
    userAgent: c.req.header('user-agent') ?? null,
    country: c.req.header('cf-ipcountry') ?? null,
  })

/** How whoever asks comes in: a session for this browser, in place of the one it came with. */
export const sessionStart = (c: AppContext): SessionStart => ({
  open: (person) => createBrowserSession(c, person),
  replaces: c.get('sessionHash'),
})

/** After its row is written: the record, the cookie, and this request goes on as that person. */
export async function completeSignIn(c: AppContext, opened: CreatedSession, sessionUser: SessionUser): Promise<void> {
  c.executionCtx.waitUntil(cacheSession(c.get('deps'), opened.hash, sessionUser))
  setSessionToken(c, opened.token)
  clearVisitorCookie(c)
  await loadActor(c, opened.hash)
  c.set('csrfToken', null)
}
