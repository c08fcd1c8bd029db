import type { MiddlewareHandler } from 'hono'
import { newSession } from '../access/new-session'
import type { Entering, NewSession, Person } from '../access/new-session'
import { readSession, recordSession, touchSession } from '../access/sessions'
import type { Touch } from '../access/sessions'
import { csrfTokenFor } from './csrf'
import { clearVisitor, preferredWorkspace, sessionToken, setSessionToken } from './cookies'
import type { AppContext, AppEnv } from './context'
import { replayQuestion } from './idempotency'
import { sha256Hex } from '../lib/digest'

/** Paths that ask no session: their answers are the same for everybody. */
const SESSIONLESS = /^\/(assets|health|monitoring|api\/stripe\/webhook)(\/|$)/

/** Pages and the session's own calls open the person's last workspace when they name none. */
const isNavigation = (path: string): boolean =>
  !/^\/((api|files)\/|live$)/.test(path) || /^\/api\/(session|account)(\/|$)/.test(path)

/** Puts the signed-in person of this request into the context: one D1 read, and none without a cookie. */
export const session = (): MiddlewareHandler<AppEnv> => async (c, next) => {
  if (!SESSIONLESS.test(c.req.path)) {
    const token = sessionToken(c)
    if (token !== null) {
      const touch = await identify(c, await sha256Hex(token))
      if (touch !== null) c.executionCtx.waitUntil(touchSession(c.get('deps'), touch))
    }
    c.set('csrfToken', (await csrfTokenFor(c)) ?? '')
  }
  await next()
}

/** Sets the actor of a session hash; answers what wants to be touched. */
async function identify(c: AppContext, hash: string): Promise<Touch | null> {
  c.set('sessionHash', hash)
  const found = await readSession(c.get('deps'), {
    hash,
    workspaceId: c.req.header('x-workspace') ?? c.req.query('w') ?? null,
    fallback: isNavigation(c.req.path),
    preferredId: preferredWorkspace(c),
    reply: replayQuestion(c),
  })
  c.set('actor', found?.actor ?? null)
  c.set('earlierReply', found?.reply ?? null)
  return found?.touch ?? null
}

/** A session for a person, made from what the request says about its browser: rows and mail for the caller's batch. */
export const openSession = (c: AppContext, person: Person): Promise<NewSession> =>
  newSession(c.get('deps'), person, {
    userAgent: c.req.header('user-agent') ?? null,
    country: c.req.header('cf-ipcountry') ?? null,
  })

/** How whoever asks comes in: a session for this browser, in place of the one it came with. */
export const entering = (c: AppContext): Entering => ({
  open: (person) => openSession(c, person),
  replaces: c.get('sessionHash'),
})

/** After its row is written: the record, the cookie, and this request goes on as that person. */
export async function enterSession(c: AppContext, opened: NewSession, person: Person): Promise<void> {
  c.executionCtx.waitUntil(recordSession(c.get('deps'), opened.hash, person))
  setSessionToken(c, opened.token)
  clearVisitor(c)
  await identify(c, opened.hash)
  c.set('csrfToken', (await csrfTokenFor(c)) ?? '')
}
