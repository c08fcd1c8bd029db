import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import type { AppContext } from './context'
import { equalText, hmacSha256Hex } from '../lib/hash'
import { SESSION_MAX_MS } from '../shared/limits'

const isHttps = (c: AppContext): boolean => new URL(c.req.url).protocol === 'https:'
/** The `__Host-` form wherever the transport allows it; plain http exists on localhost only. */
export const cookieName = (c: AppContext, name: string): string => (isHttps(c) ? `__Host-${name}` : name)

const writeCookie = (c: AppContext, name: string, value: string, maxAge?: number): void =>
  setCookie(c, cookieName(c, name), value, {
    httpOnly: true,
    sameSite: 'Lax',
    path: '/',
    secure: isHttps(c),
    ...(maxAge === undefined ? {} : { maxAge }),
  })

const SESSION_COOKIE = 'insikt_session'
const VISITOR_COOKIE = 'insikt_visitor'

/** The session token of this browser, when it has the form of one. */
export function sessionToken(c: AppContext): string | null {
  const token = getCookie(c, cookieName(c, SESSION_COOKIE))
  return token !== undefined && /^[0-9a-f]{64}$/.test(token) ? token : null
}
export const setSessionToken = (c: AppContext, token: string): void =>
  writeCookie(c, SESSION_COOKIE, token, SESSION_MAX_MS / 1000)
export const clearSessionToken = (c: AppContext): void => {
  deleteCookie(c, cookieName(c, SESSION_COOKIE), { path: '/', secure: isHttps(c) })
}

const visitorSignature = (c: AppContext, id: string) =>
  hmacSha256Hex(c.get('deps').settings.SESSION_SECRET, `visitor:${id}`)

/** The id of a visitor who has not signed in; `null` when the cookie is absent or not signed by us. */
export async function visitorId(c: AppContext): Promise<string | null> {
  const [id, signature] = getCookie(c, cookieName(c, VISITOR_COOKIE))?.split('.') ?? []
  if (id === undefined || signature === undefined || !/^[0-9a-f]{32}$/.test(id)) return null
  return equalText(signature, await visitorSignature(c, id)) ? id : null
}

export async function issueVisitorCookie(c: AppContext): Promise<string> {
  const id = c.get('deps').ids.token(16)
  writeCookie(c, VISITOR_COOKIE, `${id}.${await visitorSignature(c, id)}`)
  return id
}
export const clearVisitorCookie = (c: AppContext): void => {
  deleteCookie(c, cookieName(c, VISITOR_COOKIE), { path: '/', secure: isHttps(c) })
}

/** Cookies that go with a browser to another site and back: names without prefix, a lifetime in seconds. */
export const transientCookie = (c: AppContext, name: string): string | undefined => getCookie(c, cookieName(c, name))
export const setTransientCookie = (c: AppContext, name: string, value: string, seconds: number): void =>
  writeCookie(c, name, value, seconds)
export const clearTransientCookie = (c: AppContext, name: string): void => {
  deleteCookie(c, cookieName(c, name), { path: '/', secure: isHttps(c) })
}
