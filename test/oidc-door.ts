import { startOidc, type OidcServer } from '../emulators/oidc/server.ts'

let started: Promise<OidcServer> | null = null

/**
 * The way from tests in the Worker to the stand-in for Google and Microsoft, which is started by the first who asks:
 * `/settings` answers the settings under which it is used, everything else is passed on over HTTP.
 */
export async function oidcDoor(request: Request): Promise<Response> {
  started ??= startOidc()
  const { address, settings } = await started
  const { pathname, search } = new URL(request.url)
  if (pathname === '/settings') return Response.json(settings)
  const headers = new Headers(request.headers)
  for (const name of ['host', 'content-length', 'connection']) headers.delete(name)
  const body = request.method === 'POST' ? { body: await request.text() } : {}
  return fetch(`${address}${pathname}${search}`, { method: request.method, headers, redirect: 'manual', ...body })
}
